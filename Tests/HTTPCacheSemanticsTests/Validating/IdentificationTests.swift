import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §4.3.4: which stored responses a 304 is about")
struct IdentificationTests {
    private static let early = "Date: Sun, 06 Nov 1994 08:49:00 GMT"
    private static let late = "Date: Sun, 06 Nov 1994 08:49:30 GMT"
    private static let modified = "Last-Modified: Sat, 05 Nov 1994 08:00:00 GMT"

    struct Case: Sendable, CustomStringConvertible {
        var notModified: [String]
        var stored: [[String]]
        var asked: [Int]
        var description: String { "\(notModified) about \(stored), asked with \(asked)" }
    }

    private static let rows: [Row<Case, [Int]>] = [
        // "each of those strong validators identify the selected representation for update. All the stored responses
        // with one of those same strong validators are identified".
        Row(
            Case(
                notModified: ["ETag: \"1\""], stored: [["ETag: \"1\""], ["ETag: \"2\""], ["ETag: \"1\""]], asked: [0]),
            [0, 2], "all with the strong tag"),
        Row(
            Case(notModified: ["ETag: \"2\""], stored: [["ETag: \"1\""], ["ETag: \"2\""]], asked: [0, 1]), [1],
            "the one with the strong tag"),
        // "If none of the stored responses contains at least one of the same strong validators, then the cache MUST NOT
        // use this new response to update any stored responses."
        Row(Case(notModified: ["ETag: \"9\""], stored: [["ETag: \"1\""]], asked: [0]), [], "an unknown strong tag"),
        Row(
            Case(notModified: ["ETag: \"1\""], stored: [["ETag: W/\"1\""]], asked: [0]), [0],
            "our choice: nginx sends the strong tag of what it compresses with the 304"),
        Row(
            Case(notModified: ["ETag: \"1\""], stored: [["ETag: \"1-gzip\""]], asked: [0]), [0],
            "our choice: Apache's tag of what it compresses, and the 304 without its suffix"),
        Row(
            Case(notModified: ["ETag: \"1\""], stored: [["ETag: \"1-gzip\""]], asked: []), [],
            "Apache's tag that was not sent"),
        Row(
            Case(notModified: ["ETag: \"1\""], stored: [["ETag: \"1-zip\""]], asked: [0]), [],
            "no suffix of a coding"),
        Row(
            Case(notModified: ["ETag: \"1\""], stored: [["ETag: W/\"1\""], ["ETag: \"1\""]], asked: [0]), [1],
            "strong before weak"),
        Row(
            Case(notModified: ["ETag: \"1\""], stored: [["ETag: W/\"1\""]], asked: []), [],
            "a weak tag that was not sent"),
        Row(Case(notModified: ["ETag: \"1\""], stored: [[modified]], asked: [0]), [], "strong, and no tag is stored"),
        // "no strong validators but does contain one or more weak validators, and those validators correspond to one of
        // the cache's stored responses, then the most recent of those matching stored responses".
        Row(
            Case(
                notModified: ["ETag: W/\"1\""],
                stored: [["ETag: W/\"1\"", early], ["ETag: W/\"1\"", late], ["ETag: W/\"2\"", late]], asked: [0, 1, 2]),
            [1], "the most recent with the weak tag"),
        Row(
            Case(
                notModified: ["ETag: W/\"1\""], stored: [["ETag: W/\"1\"", late], ["ETag: W/\"1\"", early]],
                asked: [0, 1]),
            [0], "the most recent with the weak tag"),
        Row(Case(notModified: ["ETag: W/\"9\""], stored: [["ETag: W/\"1\""]], asked: [0]), [], "an unknown weak tag"),
        Row(
            Case(
                notModified: [modified], stored: [[modified, early], [modified, late], [late]], asked: [0, 1]), [1],
            "the most recent with the date"),
        Row(
            Case(
                notModified: [modified], stored: [["Last-Modified: Sat, 05 Nov 1994 08:00:01 GMT"]], asked: [0]), [],
            "another date"),
        // "does not include any form of validator …, and there is only one stored response, and that stored response
        // also lacks a validator".
        Row(Case(notModified: [], stored: [[]], asked: [0]), [0], "the only one, without validators"),
        Row(Case(notModified: [], stored: [["ETag: \"1\""], ["ETag: \"2\""]], asked: [0, 1]), [], "one of two"),
        // §4.1: what would then never match is not made.
        Row(Case(notModified: ["ETag: \"1\"", "Vary: *"], stored: [["ETag: \"1\""]], asked: [0]), [], "Vary: *"),
    ]

    @Test("each kind of validator", arguments: rows)
    func identified(_ row: Row<Case, [Int]>) {
        let places = Freshening.identified(
            by: HTTPFields(lines: row.given.notModified),
            among: row.given.stored.map { .sample($0) }, asked: row.given.asked)
        #expect(places == row.expected)
    }

    @Test("§3.2: what describes the stored content itself is not updated")
    func excepted() {
        let stored = StoredResponse.sample([
            "Content-Length: 10", "Content-Encoding: gzip", "Content-Type: text/html", "ETag: \"1\"", "X-Note: a",
        ])
        let updated = Freshening.freshen(
            stored,
            with: HTTPFields(lines: [
                "Content-Length: 99", "Content-Range: bytes 0-1/2", "ETag: \"1\"", "X-Note: b", "Connection: x-hop",
                "X-Hop: 1",
            ]), requestTime: .sample + .seconds(10), responseTime: .sample + .seconds(11))
        #expect(updated.fields[.contentLength] == "10")
        #expect(updated.fields[.contentRange] == nil)
        #expect(updated.fields.linesByName.contains("x-note: b"))
        // §3.1: connection fields are not stored.
        #expect(!updated.fields.linesByName.contains { $0.hasPrefix("x-hop") || $0.hasPrefix("connection") })
        #expect(updated.requestTime == .sample + .seconds(10) && updated.responseTime == .sample + .seconds(11))
        #expect(updated.extent == stored.extent)
    }
}
