import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §4.3.4 Freshening Stored Responses upon Validation")
struct FresheningTests {
    struct Pair: Sendable, CustomStringConvertible {
        var stored: [String]
        var notModified: [String]

        init(_ stored: [String], _ notModified: [String]) {
            (self.stored, self.notModified) = (stored, notModified)
        }

        var description: String { "a 304 \(notModified) about \(stored)" }
    }

    private static let monday = "Last-Modified: Mon, 31 Oct 1994 08:49:37 GMT"
    private static let tuesday = "Last-Modified: Tue, 01 Nov 1994 08:49:37 GMT"

    static let identification: [Row<Pair, Bool>] = [
        Row(Pair(["ETag: \"a\""], ["ETag: \"a\""]), true, "\"with one of those same strong validators\""),
        Row(Pair(["ETag: \"a\""], ["ETag: \"b\""]), false, "\"MUST NOT use the new response to update\""),
        Row(Pair([], ["ETag: \"a\""]), false, "\"none … contains at least one of the same strong validators\""),
        Row(Pair(["ETag: W/\"a\""], ["ETag: \"a\""]), false, "RFC 9110 §8.8.3.2: a weak tag matches nothing strongly"),
        Row(Pair(["ETag: W/\"a\""], ["ETag: W/\"a\""]), true, "\"weak validators … correspond\""),
        Row(Pair(["ETag: \"a\""], ["ETag: W/\"a\""]), true, "\"weak validators … correspond\""),
        Row(Pair(["ETag: W/\"a\""], ["ETag: W/\"b\""]), false, "weak validators that do not correspond"),
        Row(Pair(["ETag: \"a\"", monday], ["ETag: \"a\"", tuesday]), true, "the strong validator identifies"),
        Row(Pair([monday], [monday]), true, "\"weak validators … correspond\""),
        Row(Pair([monday], [tuesday]), false, "weak validators that do not correspond"),
        Row(Pair(["ETag: \"a\""], [monday]), false, "weak validators that do not correspond"),
        Row(Pair([], []), true, "\"does not include any form of validator … also lacks a validator\""),
        Row(Pair(["ETag: \"a\""], []), true, "our choice: about the one whose validators were sent"),
        Row(
            Pair(["ETag: \"a\""], ["ETag: \"a\"", "Vary: *"]), false, "§4.1: what varies on everything can't be reused"),
        Row(Pair(["ETag: \"caf\u{E9}\""], ["ETag: \"cafe\u{301}\""]), false, "RFC 9110 §8.8.3.2: octets"),
    ]

    @Test("a 304 is about the stored response that its validators name", arguments: identification)
    func applies(_ row: Row<Pair, Bool>) {
        let response = StoredResponse.sample([StoredResponse.sampleDate] + row.given.stored)
        #expect(Freshening.applies(HTTPFields(lines: row.given.notModified), to: response) == row.expected)
    }

    @Test("§3.2 lets an origin add fields with each 304, but not more than a message can have")
    func growth() {
        var response = StoredResponse.sample([StoredResponse.sampleDate, "ETag: \"a\""])
        for round in 0..<300 {
            let update = HTTPFields(lines: ["ETag: \"a\""] + (0..<250).map { "x-\(round)-\($0): 1" })
            guard Freshening.applies(update, to: response) else { continue }
            response = Freshening.freshen(response, with: update, requestTime: .sample, responseTime: .sample)
        }
        #expect(response.fields.count <= Freshening.greatestFieldCount)
    }

    private static let later = "Date: Sun, 06 Nov 1994 09:49:37 GMT"
    private static let laterLine = "date: Sun, 06 Nov 1994 09:49:37 GMT"

    static let updates: [Row<Pair, [String]>] = [
        Row(
            Pair(
                ["Cache-Control: max-age=1", "X-A: 1", "X-B: 1"],
                [later, "Cache-Control: max-age=9", "X-B: 2", "X-C: 2"]),
            ["cache-control: max-age=9", laterLine, "x-a: 1", "x-b: 2", "x-c: 2"],
            "§3.2 \"MUST add each header field …, replacing field values that are already present\""),
        Row(
            Pair(["Set-Cookie: a=1", "Set-Cookie: b=1"], [later, "Set-Cookie: c=1"]), [laterLine, "set-cookie: c=1"],
            "§3.2: all lines of a field are replaced"),
        Row(
            Pair(["X-A: 1"], [later, "X-A: 2", "X-A: 3"]), [laterLine, "x-a: 2", "x-a: 3"],
            "§3.2: all lines of a field are added"),
        Row(
            Pair(["Content-Length: 5"], [later, "Content-Length: 0"]), ["content-length: 5", laterLine],
            "§3.2 except \"the Content-Length header field\""),
        Row(
            Pair(
                ["Content-Encoding: gzip", "Content-Type: text/html"],
                [later, "Content-Encoding: br", "Content-Type: text/plain", "Content-Range: bytes 0-0/1"]),
            ["content-encoding: gzip", "content-type: text/plain", laterLine],
            "§3.2 except \"fields that the cache's stored response depends upon\""),
        Row(
            Pair([], [later, "Connection: X-Hop", "X-Hop: 1", "Keep-Alive: 5", "Proxy-Authenticate: Basic"]),
            [laterLine],
            "§3.2 except \"fields excluded from storage in Section 3.1\""),
        Row(
            Pair(["X-Hop: old"], [later, "Connection: X-Hop", "X-Hop: 1"]), [laterLine, "x-hop: old"],
            "§3.1: a nominated field belongs to one message"),
        Row(
            Pair(["Set-Cookie: a=1"], [later, "Cache-Control: no-cache=\"Set-Cookie\""]),
            ["cache-control: no-cache=\"Set-Cookie\"", laterLine],
            "§5.2.2.4: what may not be reused is not kept either"),
        Row(Pair(["Age: 500"], [later]), [laterLine], "§5.1: the old Age is not about the new validation"),
        Row(Pair(["Age: 500"], [later, "Age: 7"]), ["age: 7", laterLine], "§5.1: the new Age is"),
        Row(Pair([], []), [laterLine], "RFC 9110 §6.6.1: without Date, the time it was received"),
        Row(Pair(["Expires: 0"], [later]), [laterLine, "expires: 0"], "§3.2: a field that the 304 lacks stays"),
        Row(Pair(["ETag: \"a\""], [later, "ETag: W/\"a\""]), [laterLine, "etag: W/\"a\""], "§3.2: validators too"),
        Row(
            Pair(["ETag: W/\"a\""], [later, "ETag: \"a\""]), [laterLine, "etag: W/\"a\""],
            "our choice: no strong tag for content that came with the weak one"),
    ]

    @Test("§3.2 the fields of a 304 replace the stored ones, except those it can't speak about", arguments: updates)
    func freshen(_ row: Row<Pair, [String]>) {
        let response = StoredResponse.sample([StoredResponse.sampleDate] + row.given.stored)
        let updated = Freshening.freshen(
            response, with: HTTPFields(lines: row.given.notModified), requestTime: .sample + .seconds(3_598),
            responseTime: .sample + .seconds(3_600))
        #expect(updated.fields.linesByName == row.expected)
        #expect(updated.status == response.status)
    }

    @Test("the age counts from the validation")
    func age() {
        let response = StoredResponse.sample([StoredResponse.sampleDate, "Cache-Control: max-age=60"])
        let updated = Freshening.freshen(
            response, with: HTTPFields(lines: [Self.later]), requestTime: .sample + .seconds(3_598),
            responseTime: .sample + .seconds(3_600))
        #expect(updated.requestTime == .sample + .seconds(3_598))
        #expect(updated.responseTime == .sample + .seconds(3_600))
        #expect(updated.currentAge(at: .sample + .seconds(3_610)) == .seconds(12))
    }

    @Test("§4.1 a Vary that came with the 304 is matched against the request it answered")
    func vary() {
        let request = HTTPFields(lines: ["Accept-Language: de", "Accept: text/html"])
        let response = StoredResponse.sample([StoredResponse.sampleDate])
        let updated = Freshening.freshen(
            response, with: HTTPFields(lines: ["Vary: Accept-Language"]), answering: request, requestTime: .sample,
            responseTime: .sample)
        #expect(updated.nominatedFields.match(HTTPFields(lines: ["Accept-Language: de"])))
        #expect(!updated.nominatedFields.match(HTTPFields(lines: ["Accept-Language: fr"])))
        #expect(!updated.nominatedFields.match([:]))
    }

    @Test("a Vary that the 304 does not repeat stays, and so do its nominated fields")
    func sameVary() {
        var response = StoredResponse.sample([StoredResponse.sampleDate, "Vary: Accept"])
        response.nominatedFields = NominatedFields(values: ["accept": "a"])
        let updated = Freshening.freshen(
            response, with: [:], answering: HTTPFields(lines: ["Accept: a"]), requestTime: .sample,
            responseTime: .sample)
        #expect(updated.nominatedFields == response.nominatedFields)
        #expect(updated.fields[.vary] == "Accept")
    }
}
