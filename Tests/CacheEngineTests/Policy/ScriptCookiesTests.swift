import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4.1: Vary: Cookie without a network, where scripts change cookies", .timeLimit(.minutes(5)))
struct ScriptCookiesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The cookies of the visits with a network, one after the other; before a visit a server may set one.
        var visits: [(set: String?, cookie: String?)]
        var offline: String?
        /// The number of the visit that answers; `nil` for none.
        var answer: Int?
        var vary = "Cookie"
        var language = "en"
        /// The cookie that each answer sets itself.
        var own: String?

        init(
            _ what: String, _ visits: [(set: String?, cookie: String?)], offline: String?, answer: Int?,
            vary: String = "Cookie", language: String = "en", own: String? = nil
        ) {
            (testDescription, self.visits, self.offline, self.answer) = (what, visits, offline, answer)
            (self.vary, self.language, self.own) = (vary, language, own)
        }
    }

    private static let rows = [
        Row("a script's counter", [(nil, nil), (nil, "_ga=1")], offline: "_ga=2", answer: 1),
        Row("one that came after the visit", [(nil, nil)], offline: "n=1", answer: 0),
        Row(
            "a session that the server has set keeps users apart",
            [(nil, nil), ("s=a; HttpOnly", "s=a"), ("s=b; HttpOnly", "s=b")], offline: "s=c", answer: nil),
        Row("also one that it has set since", [(nil, nil), ("s=a", nil)], offline: "s=a", answer: nil),
        Row("one that it has removed", [(nil, "s=a"), ("s=; Max-Age=0", "s=a")], offline: nil, answer: nil),
        Row(
            "a counter beside a session, which is the same", [(nil, nil), ("s=a", "s=a; _ga=1")],
            offline: "_ga=2; s=a", answer: 1),
        Row(
            "a counter beside a session, which is another's", [(nil, nil), ("s=a", "s=a; _ga=1")],
            offline: "_ga=1; s=b", answer: nil),
        Row(
            "a counter that is gone, and was not there at first", [(nil, "a=1"), (nil, "a=1; _gat=1")],
            offline: "a=2", answer: 1),
        Row("a cookie that is gone, and was there at first", [(nil, "s=a; a=1")], offline: "a=1", answer: nil),
        Row("one that the answer itself has set", [(nil, nil)], offline: "t=a", answer: 0, own: "t=a; Path=/"),
        Row("with another value", [(nil, nil)], offline: "t=b", answer: nil, own: "t=a"),
        Row(
            "one that the answer set, beside a session", [(nil, nil)], offline: "t=a; s=b", answer: nil, own: "t=a, s=a"
        ),
        Row(
            "another language as well", [(nil, nil)], offline: "_ga=1", answer: nil, vary: "Accept-Language, Cookie",
            language: "de"),
    ]

    @Test(
        "what only cookies of scripts keep away answers, called script-cookies; all else is told with the field",
        arguments: rows, Bench.StoreKind.allCases)
    func offline(_ row: Row, _ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind, rules: RuleList([Rule.disconnected]))
        for (number, visit) in row.visits.enumerated() {
            if let set = visit.set {
                // Of a sibling's, and of an answer that is not stored.
                bench.transport.on("https://login.example.com/in") { _ in
                    ScriptedTransport.answer(303, [.setCookie: set, .cacheControl: "no-store"])
                }
                _ = await bench.cache.respond(
                    to: EngineRequest(
                        head: HTTPRequest(method: .post, scheme: "https", authority: "login.example.com", path: "/in")))
            }
            var answer: HTTPFields = [.cacheControl: "no-cache", .vary: row.vary]
            answer[.setCookie] = row.own
            bench.answer("/", 200, answer, body: "visit \(number)")
            var fields: HTTPFields = [.acceptLanguage: "en"]
            fields[.cookie] = visit.cookie
            let isStored = row.visits[..<number].contains { $0.cookie == visit.cookie }
            if isStored { _ = try await bench.text("/", fields) } else { try await bench.fill("/", fields) }
            bench.clock.advance(by: .seconds(10))
        }
        var fields: HTTPFields = [.acceptLanguage: row.language]
        fields[.cookie] = row.offline
        let context = ExchangeContext(destination: .document, connectivity: .disconnected)
        let (response, text) = try await bench.text("/", fields, context: context)
        if let answer = row.answer {
            #expect(text == "visit \(answer)")
            #expect(response.cacheStatus.isHit && response.cacheStatus.detail == "script-cookies")
        } else {
            #expect(response.head.status == .gatewayTimeout)
            #expect(response.failure?.message.contains("for other values of ") == true)
            #expect(response.failure?.message.contains("Cookie") == true)
        }
        let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/", headerFields: fields)
        let explained = await bench.cache.explain(EngineRequest(head: head, context: context))
        // One who names no cookies is told about those that would be sent.
        if row.offline != nil { #expect(explained.cacheStatus == response.cacheStatus.description) }
        // With a network the origin is asked, as the field says.
        let asked = bench.transport.requests.count
        _ = try await bench.text("/", fields)
        #expect(bench.transport.requests.count == asked + 1)
    }

    private static let fetchSite = HTTPFields(
        [HTTPField.Name("Sec-Fetch-Site")].compactMap { $0 }.map { HTTPField(name: $0, value: "none") })

    @Test(
        "so it is where a failure shows that there is no network, and with a page that differs by what web views send",
        arguments: [
            ("Cookie", [.cookie: "_ga=1"], [.cookie: "_ga=2"], "script-cookies"),
            ("User-Agent", [.userAgent: "A/17"], [.userAgent: "A/18"], "browser-fields"),
            ("Sec-Fetch-Site", [:], Self.fetchSite, "browser-fields"),
            ("Referer", [:], [.referer: Bench.base + "/other"], "browser-fields"),
            ("Priority", [.priority: "u=0"], [.priority: "u=1"], "browser-fields"),
            ("Accept-Language", [.acceptLanguage: "en"], [.acceptLanguage: "de"], nil),
            ("Sec-Fetch-Dest", [.secFetchDest: "empty"], [.secFetchDest: "document"], nil),
        ] as [(String, HTTPFields, HTTPFields, String?)], [true, false])
    func unreachable(_ row: (vary: String, HTTPFields, HTTPFields, detail: String?), _ isFound: Bool) async throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        bench.answer("/", 200, [.contentType: "text/html", .cacheControl: "no-cache", .vary: row.vary], body: "page")
        var context = ExchangeContext(destination: .document)
        // Without any cookie first: then none that comes later was there before the store.
        try await bench.fill("/", context: context)
        bench.clock.advance(by: .seconds(10))
        _ = try await bench.text("/", row.1, context: context)
        await bench.cache.waitForBackgroundWork()
        bench.clock.advance(by: .seconds(10))
        if isFound { context.connectivity = .disconnected }
        bench.transport.on(Bench.base + "/", Bench.unreachable)
        let (response, text) = try await bench.text("/", row.2, context: context)
        #expect((text == "page") == (row.detail != nil))
        #expect(row.detail == nil || response.cacheStatus.detail == row.detail)
        #expect(row.detail == nil || response.cacheStatus.isHit == isFound)
    }
}
