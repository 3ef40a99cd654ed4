import CacheEngine
import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("A hit is ready at once, where cookies make no difference", .timeLimit(.minutes(5)))
struct AnswerAtOnceTests {
    private static let url = "https://page.test/a"
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600"]

    @Test("a plain hit needs no task; the first request and an expired response do, and none of them differ")
    func plain() async throws {
        let bench = ResponderBench(view: "tab 1")
        bench.on(Self.url, 200, [.cacheControl: "max-age=600", .eTag: "\"1\""], body: "x")
        let first = try await bench.load(Self.url)
        let second = try await bench.load(Self.url)
        #expect(!first.wasReady && second.wasReady && second.text == "x" && bench.asked.count == 1)
        #expect(second.fields[.eTag] == "\"1\"" && second.fields[.age] == "0")
        // One exchange, one report.
        #expect(bench.recorder.reports.map(\.outcome) == [.stored, .hit])
        #expect(bench.recorder.reports.last?.view == "tab 1")
        #expect(bench.recorder.reports.last?.document == "https://page.test/")
        bench.clock.advance(by: .seconds(601))
        #expect(try await !bench.load(Self.url).wasReady)
        #expect(bench.asked.count == 2)
    }

    @Test("a document that is stored is ready as well")
    func document() async throws {
        let bench = ResponderBench()
        bench.on(Self.url, 200, Self.fresh, body: "page")
        _ = try await bench.open(Self.url)
        let answer = try await bench.open(Self.url)
        #expect(answer.wasReady && answer.text == "page")
    }

    struct Way: Sendable, CustomTestStringConvertible {
        var fields: HTTPFields = AnswerAtOnceTests.fresh
        var status = 200
        var method = HTTPRequest.Method.get
        var asked: HTTPFields = [:]
        var rules = RuleList.protocolOnly
        var mode = "no-cors"
        var testDescription: String
    }

    private static let ways: [Way] = [
        Way(fields: [.cacheControl: "max-age=600", .vary: "Cookie"], testDescription: "Vary: Cookie, RFC 9111 §4.1"),
        Way(
            fields: [.cacheControl: "max-age=600", .vary: "Accept-Language, cookie"],
            testDescription: "Vary with several fields, in any case"),
        Way(fields: [.cacheControl: "max-age=600", .vary: "*"], testDescription: "Vary: *"),
        Way(fields: [.cacheControl: "no-cache"], testDescription: "no-cache, §5.2.2.4"),
        Way(fields: [.cacheControl: "no-store"], testDescription: "no-store, §5.2.2.5"),
        Way(fields: [.cacheControl: "max-age=600", .location: "/b"], status: 301, testDescription: "a redirect"),
        Way(method: .post, testDescription: "another method"),
        Way(asked: [.cacheControl: "no-cache"], testDescription: "a reload, §5.2.1.4"),
        Way(asked: [.ifMatch: "\"1\""], testDescription: "a condition for the origin, §4.3.2"),
        Way(
            rules: RuleList([Rule("mine", .neverStore, when: .requestHeader(.cookie))]),
            testDescription: "a rule that looks at cookies"),
        Way(
            rules: RuleList([Rule("mine", .permanent, when: .not(.any(.requestHeader(.cookie, "a*"))))]),
            testDescription: "a rule that looks at cookies somewhere inside"),
    ]

    @Test("what cookies, or anything but the store, may decide goes the long way", arguments: ways)
    func longWay(_ way: Way) async throws {
        let bench = ResponderBench(rules: way.rules)
        bench.on(Self.url, way.status, way.fields, body: "x")
        bench.on("https://page.test/b", 200, [:], body: "x")
        for _ in 0..<3 {
            let answer = try await bench.load(Self.url, method: way.method, way.asked)
            #expect(!answer.wasReady && answer.text == "x")
        }
    }

    @Test("hostile: of two users' variants each gets the own one, whoever came last")
    func variants() async throws {
        let bench = ResponderBench()
        bench.transport.on(Self.url) { request in
            ScriptedTransport.answer(
                200, [.cacheControl: "max-age=600", .vary: "Cookie"],
                body: request.head.headerFields[.cookie] ?? "nobody")
        }
        #expect(try await bench.load(Self.url).text == "nobody")
        for user in ["anna", "ben", "anna"] {
            try await bench.setCookie("https://page.test/login", "user=\(user); Path=/")
            let answer = try await bench.load(Self.url)
            #expect(answer.text == "user=\(user)" && !answer.wasReady)
        }
        #expect(bench.asked.count { $0.hasSuffix("/a") } == 3)
    }

    @Test("a variant without Vary beside one with Vary: Cookie is not taken for everybody's")
    func mixedVariants() async throws {
        let bench = ResponderBench()
        bench.transport.on(Self.url) { request in
            let cookie = request.head.headerFields[.cookie]
            return ScriptedTransport.answer(
                200, cookie == nil ? Self.fresh : [.cacheControl: "max-age=600", .vary: "Cookie"],
                body: cookie ?? "nobody")
        }
        #expect(try await bench.load(Self.url).text == "nobody")
        #expect(try await bench.load(Self.url).wasReady)
        try await bench.setCookie("https://page.test/login", "user=anna; Path=/")
        _ = try await bench.load(Self.url, [.cacheControl: "no-cache"])
        let answer = try await bench.load(Self.url)
        #expect(!answer.wasReady && answer.text == "user=anna")
    }

    @Test("a request that needs a preflight is not answered before its permission")
    func preflight() async throws {
        let bench = ResponderBench()
        bench.transport.on("https://api.test/a") { request in
            request.head.method == .options
                ? ScriptedTransport.answer(403)
                : ScriptedTransport.answer(
                    200, [.cacheControl: "max-age=600", .accessControlAllowOrigin: "*"], body: "x")
        }
        #expect(try await bench.load("https://api.test/a", mode: "cors", dest: "empty").text == "x")
        #expect(try await bench.load("https://api.test/a", mode: "cors", dest: "empty").wasReady)
        let asked = try await bench.load("https://api.test/a", mode: "cors", dest: "empty", fields(("X-A", "1")))
        #expect(asked.fetchError == .preflightFailed && !asked.wasReady)
    }

    @Test("hostile: a stored response that the page may not read is refused at once as well")
    func unreadable() async throws {
        let bench = ResponderBench()
        bench.on("https://api.test/a", 200, Self.fresh, body: "secret")
        _ = try await bench.load("https://api.test/a")
        for mode in ["cors"] {
            let answer = try await bench.load("https://api.test/a", mode: mode, dest: "empty")
            #expect(answer.fetchError == .corsFailed && answer.text.isEmpty)
        }
        bench.on(
            "https://api.test/own", 200,
            fields(("Cache-Control", "max-age=600"), ("Cross-Origin-Resource-Policy", "same-origin")), body: "secret")
        for _ in 0..<2 { #expect(try await bench.load("https://api.test/own").fetchError == .resourcePolicy) }
        #expect(bench.recorder.reports.count { $0.uri == "https://api.test/own" } == 2)
    }

    /// A store whose entries are all on disk.
    private struct ColdStore: ForwardingStorage {
        let base: any ResponseStorage
    }

    /// Counts the questions for cookies, each of which is a message to another process.
    private final class CountingCookies: CookieStoring {
        let count = LockedBox(0)

        func cookies(for url: String) async -> [Cookie] {
            count.withLock { $0 += 1 }
            return []
        }

        func set(_ cookies: [Cookie]) async {}
        func remove(_ cookies: [Cookie]) async {}
    }

    @Test("a hit that has to be read first does without the web view's cookies; a redirect and a miss ask for them")
    func readFirst() async throws {
        let cookies = CountingCookies()
        let bench = ResponderBench(
            configure: { $0.cookies = CookieBridge(store: cookies, policy: cookiePolicy(thirdParty: .allowed)) },
            storage: { ColdStore(base: $0) })
        bench.on(Self.url, 200, Self.fresh, body: "x")
        bench.on("https://page.test/moved", 301, [.cacheControl: "max-age=600", .location: "/a"])
        func asked(_ url: String) async throws -> Int {
            let before = cookies.count.withLock { $0 }
            #expect(try await bench.load(url).text == "x")
            return cookies.count.withLock { $0 } - before
        }
        #expect(try await asked(Self.url) > 0)
        #expect(try await asked(Self.url) == 0)
        #expect(try await asked("https://page.test/moved") > 0)
        #expect(try await asked("https://page.test/moved") > 0)
        // One report for each exchange, whichever way it was answered.
        #expect(bench.recorder.reports.count { $0.outcome == .stored } == 2)
        #expect(bench.recorder.reports.count { $0.outcome == .hit } == 4)
    }

    @Test("a sample of a hashed name is taken with the user's cookies")
    func samples() async throws {
        let url = "https://page.test/assets/app.5d60c2ed348e2db0.js"
        let bench = ResponderBench(rules: .webViewDefaults)
        try await bench.setCookie("https://page.test/login", "sid=1; Path=/")
        bench.on(url, 200, [.cacheControl: "max-age=60", .contentType: "text/javascript"], body: "x")
        _ = try await bench.load(url, dest: "script")
        let before = bench.asked.count
        var ready = 0
        for _ in 0..<200 where try await bench.load(url, dest: "script").wasReady { ready += 1 }
        #expect(ready == 199 && bench.asked.count == before + 1)
        #expect(bench.sent(.cookie).last == "sid=1")
    }
}
