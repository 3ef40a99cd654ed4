import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §4.3.1 Sending and §4.3.2 Handling a Validation Request")
struct ConditionalRequestTests {
    private static let modified = "Last-Modified: Sat, 05 Nov 1994 08:49:37 GMT"

    static let validators: [Row<[String], [String]>] = [
        Row(["ETag: \"a\""], ["if-none-match: \"a\""], "\"MUST send the relevant entity tags\""),
        Row(["ETag: W/\"a\""], ["if-none-match: W/\"a\""], "RFC 9110 §13.1.2: weak tags are compared as well"),
        Row(
            [modified], ["if-modified-since: Sat, 05 Nov 1994 08:49:37 GMT"], "\"SHOULD send the Last-Modified value\""),
        Row(
            ["ETag: \"a\"", modified],
            ["if-modified-since: Sat, 05 Nov 1994 08:49:37 GMT", "if-none-match: \"a\""], "both, for older recipients"),
        Row(
            ["Last-Modified: Saturday, 05-Nov-94 08:49:37 GMT"],
            ["if-modified-since: Saturday, 05-Nov-94 08:49:37 GMT"], "RFC 9110 §13.1.3: the value as it was received"),
        Row([], [], "no validator, no condition"),
        Row([StoredResponse.sampleDate], [], "Date is no validator"),
        Row(
            ["ETag: a", "Last-Modified: 2024-05-01T10:00:00Z"],
            ["if-modified-since: 2024-05-01T10:00:00Z", "if-none-match: a"],
            "our choice, and browsers': no tag and no date, but servers compare texts"),
        Row(["ETag: \"a\"", "ETag: \"a\""], ["if-none-match: \"a\""], "our choice: one tag, said twice"),
        Row(["ETag: *"], [], "RFC 9110 §13.1.2: it would match whatever there is"),
        Row(["ETag: \"a\"", "ETag: \"b\""], [], "two tags tell nothing about one representation"),
    ]

    @Test("the stored validators become conditions", arguments: validators)
    func sending(_ row: Row<[String], [String]>) {
        #expect(ConditionalRequest.validators(of: .sample(row.given)).linesByName == row.expected)
    }

    struct Precondition: Sendable, CustomStringConvertible {
        var stored: [String]
        var presented: [String]

        init(_ stored: [String], _ presented: [String]) {
            (self.stored, self.presented) = (stored, presented)
        }

        var description: String { "\(stored) for \(presented)" }
    }

    static let entityTags: [Row<Precondition, Bool>] = [
        Row(Precondition(["ETag: \"a\""], []), false, "no condition"),
        Row(Precondition(["ETag: a"], ["If-None-Match: a"]), true, "our choice: no tag, but the same octets"),
        Row(Precondition(["ETag: a"], ["If-None-Match: b"]), false, "other octets"),
        Row(Precondition(["ETag: \"a\""], ["If-None-Match: \"a\""]), true, "RFC 9110 §13.1.2"),
        Row(Precondition(["ETag: \"a\""], ["If-None-Match: \"b\""]), false, "RFC 9110 §13.1.2"),
        Row(
            Precondition(["ETag: W/\"a\""], ["If-None-Match: \"a\""]), true, "§13.1.2 \"MUST use the weak comparison\""),
        Row(
            Precondition(["ETag: \"a\""], ["If-None-Match: W/\"a\""]), true, "§13.1.2 \"MUST use the weak comparison\""),
        Row(Precondition(["ETag: \"a\""], ["If-None-Match: \"b\", \"a\""]), true, "§13.1.2: one of the list"),
        Row(
            Precondition(["ETag: \"a\""], ["If-None-Match: \"b\"", "If-None-Match: W/\"a\""]), true,
            "§5.3: several lines"),
        Row(Precondition(["ETag: \"a,b\""], ["If-None-Match: \"x\", \"a,b\""]), true, "§8.8.3: a comma in a tag"),
        Row(
            Precondition(["ETag: \"b\""], ["If-None-Match: \"a\\\", \"b\""]), true,
            "§8.8.3: a backslash escapes nothing"),
        Row(
            Precondition(["ETag: \"a\\\""], ["If-None-Match: \"a\\\", \"b\""]), true,
            "§8.8.3: a backslash escapes nothing"),
        Row(Precondition(["ETag: \"a\""], ["If-None-Match: *"]), true, "§13.1.2 \"*\": any current representation"),
        Row(Precondition([], ["If-None-Match: *"]), true, "§13.1.2 \"*\": any current representation"),
        Row(Precondition(["ETag: \"*\""], ["If-None-Match: \"x\""]), false, "§13.1.2: \"*\" has no quotes"),
        Row(Precondition([], ["If-None-Match: \"a\""]), false, "nothing stored to compare"),
        Row(Precondition(["ETag: \"a\""], ["If-None-Match: a"]), false, "an unquoted tag is none"),
        Row(Precondition(["ETag: \"a\""], ["If-None-Match:"]), false, "an empty list matches nothing"),
        Row(Precondition(["ETag: \"\""], ["If-None-Match: \"\""]), true, "§8.8.3: the empty tag is a tag"),
        Row(
            Precondition(
                ["ETag: \"a\"", modified], ["If-None-Match: \"b\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"]),
            false, "§13.1.3 \"MUST ignore If-Modified-Since if the request contains an If-None-Match\""),
        Row(
            Precondition(
                ["ETag: \"a\"", modified], ["If-None-Match: \"a\"", "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"]),
            true, "§13.1.3 \"MUST ignore If-Modified-Since if the request contains an If-None-Match\""),
        Row(
            Precondition([modified], ["If-None-Match: \"a\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"]),
            false,
            "§13.1.3, even where there is no tag to compare"),
    ]

    @Test("If-None-Match compares weakly and comes first", arguments: entityTags)
    func ifNoneMatch(_ row: Row<Precondition, Bool>) {
        let response = StoredResponse.sample([StoredResponse.sampleDate] + row.given.stored)
        #expect(
            ConditionalRequest.isSatisfied(by: response, presented: HTTPFields(lines: row.given.presented))
                == row.expected)
    }

    static let dates: [Row<Precondition, Bool>] = [
        Row(
            Precondition([modified], ["If-Modified-Since: Sat, 05 Nov 1994 08:49:37 GMT"]), true,
            "RFC 9110 §13.1.3 \"earlier or equal\""),
        Row(
            Precondition([modified], ["If-Modified-Since: Sat, 05 Nov 1994 08:49:38 GMT"]), true,
            "§13.1.3 \"earlier or equal\""),
        Row(
            Precondition([modified], ["If-Modified-Since: Sat, 05 Nov 1994 08:49:36 GMT"]), false,
            "§13.1.3: modified since"),
        Row(
            Precondition([modified], ["If-Modified-Since: Saturday, 05-Nov-94 08:49:37 GMT"]), true,
            "§5.6.7: all three forms"),
        Row(
            Precondition([modified], ["If-Modified-Since: 784111777"]), false,
            "§13.1.3 \"MUST ignore … not a valid HTTP-date\""),
        Row(
            Precondition(
                [modified],
                [
                    "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
                    "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
                ]),
            false, "§13.1.3 \"MUST ignore … more than one member\""),
        Row(
            Precondition([], ["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"]), true,
            "§4.3.2: without Last-Modified, Date"),
        Row(
            Precondition([], ["If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT"]), false,
            "§4.3.2: without Last-Modified, Date"),
    ]

    @Test("If-Modified-Since compares with Last-Modified, or with Date", arguments: dates)
    func ifModifiedSince(_ row: Row<Precondition, Bool>) {
        let response = StoredResponse.sample([StoredResponse.sampleDate] + row.given.stored)
        #expect(
            ConditionalRequest.isSatisfied(by: response, presented: HTTPFields(lines: row.given.presented))
                == row.expected)
    }

    @Test("another date than that of Last-Modified is another version's, where only this very one counts")
    func exact() {
        let response = StoredResponse.sample([StoredResponse.sampleDate, Self.modified])
        for (second, isSame) in [(36, false), (37, true), (38, false)] {
            let presented = HTTPFields(lines: ["If-Modified-Since: Sat, 05 Nov 1994 08:49:\(second) GMT"])
            #expect(
                ConditionalRequest.isSatisfied(by: response, presented: presented, isExact: true) == isSame)
        }
        let dated = StoredResponse.sample([StoredResponse.sampleDate])
        let presented = HTTPFields(lines: ["If-Modified-Since: Sun, 06 Nov 1994 08:49:38 GMT"])
        #expect(ConditionalRequest.isSatisfied(by: dated, presented: presented, isExact: true))
    }

    @Test("§4.3.2 without Last-Modified and Date, the time the response was received counts")
    func received() {
        let presented = HTTPFields(lines: ["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"])
        #expect(ConditionalRequest.isSatisfied(by: .sample([]), presented: presented))
        let later = StoredResponse.sample([], receivedAfter: .seconds(1))
        #expect(!ConditionalRequest.isSatisfied(by: later, presented: presented))
    }

    static let kinds: [Row<String, [Bool]>] = [
        Row("If-Match: \"a\"", [true, true], "§4.3.2 \"not applicable to a cache\""),
        Row(
            "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", [true, true], "§4.3.2 \"not applicable to a cache\""),
        Row("If-None-Match: \"a\"", [false, true], "§4.3.2: a cache answers it"),
        Row("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", [false, true], "§4.3.2: a cache answers it"),
        Row("If-Range: \"a\"", [false, true], "RFC 9110 §13.1.5"),
        Row("Range: bytes=0-1", [false, false], "RFC 9110 §13: no condition"),
    ]

    @Test("which conditions only the origin judges, and which are conditions", arguments: kinds)
    func forwarding(_ row: Row<String, [Bool]>) {
        let fields = HTTPFields(lines: [row.given])
        #expect([ConditionalRequest.mustForward(fields), ConditionalRequest.isConditional(fields)] == row.expected)
    }

    @Test("RFC 9110 §15.4.5: a 304 has the fields a 200 would have, minus those about its content")
    func notModified() {
        let kept = [
            "cache-control: max-age=5", "content-location: /x", "date: Sun, 06 Nov 1994 08:49:37 GMT", "etag: \"a\"",
            "expires: 0", "vary: Accept",
        ]
        let about = [
            "Content-Type: text/html", "Content-Length: 5", "Content-Encoding: gzip", "Content-Range: bytes 0-4/5",
        ]
        #expect(ConditionalRequest.notModifiedFields(HTTPFields(lines: kept + about)).linesByName == kept)
    }
}
