import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §4.2.2 Calculating Heuristic Freshness")
struct HeuristicFreshnessTests {
    struct Response: Sendable, CustomStringConvertible {
        var status = 200
        var lines: [String]

        var description: String { "\(status) \(lines)" }

        var lifetime: FreshnessLifetime {
            FreshnessLifetime(of: .sample([StoredResponse.sampleDate] + lines, status: status), in: .private)
        }
    }

    private static let hundredMinutesAgo = "Last-Modified: Sun, 06 Nov 1994 07:09:37 GMT"

    static let lifetimes: [Row<Response, Duration>] = [
        Row(Response(lines: [hundredMinutesAgo]), .seconds(600), "\"a typical setting of this fraction might be 10%\""),
        Row(Response(lines: []), .zero, "no Last-Modified, no estimate"),
        Row(Response(lines: ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]), .zero, "modified just now"),
        Row(Response(lines: ["Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT"]), .zero, "modified in the future"),
        Row(Response(lines: ["Last-Modified: long ago"]), .zero, "no date, no estimate"),
        Row(
            Response(lines: ["Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT"]), .seconds(604_800),
            "\"an upper bound\" of our own: a week"),
        Row(
            Response(lines: [hundredMinutesAgo, "Cache-Control: must-revalidate"]), .seconds(600),
            "§5.2.2.2 says nothing about lifetimes"),
        Row(
            Response(status: 404, lines: [hundredMinutesAgo]), .seconds(600), "RFC 9110 §15.1: heuristically cacheable"),
        Row(Response(status: 302, lines: [hundredMinutesAgo]), .zero, "RFC 9110 §15.1: 302 is not in the list"),
        Row(Response(status: 500, lines: [hundredMinutesAgo]), .zero, "RFC 9110 §15.1: 500 is not in the list"),
        Row(
            Response(status: 302, lines: [hundredMinutesAgo, "Cache-Control: public"]), .seconds(600),
            "\"marked as explicitly cacheable (e.g., with a public response directive)\""),
    ]

    @Test("a tenth of the time since the last modification, where heuristics are allowed", arguments: lifetimes)
    func checkLifetimes(_ row: Row<Response, Duration>) {
        #expect(row.given.lifetime == FreshnessLifetime(row.expected, source: .heuristic))
    }

    @Test(
        "\"MUST NOT use heuristics … when an explicit expiration time is present\"",
        arguments: [
            "Cache-Control: max-age=1", "Expires: Sun, 06 Nov 1994 08:49:38 GMT", "Cache-Control: max-age=x",
            "Expires: 0",
        ])
    func explicit(line: String) {
        #expect(Response(lines: [line, Self.hundredMinutesAgo]).lifetime.source != .heuristic)
    }

    @Test("the list of RFC 9110 §15.1, 451 of RFC 7725 §3, and nothing more", arguments: 100...599)
    func statuses(code: Int) {
        let list: Set = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 451, 501]
        #expect(HeuristicFreshness.isHeuristicallyCacheable(code) == list.contains(code))
    }
}
