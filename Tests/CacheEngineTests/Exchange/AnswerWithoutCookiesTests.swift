import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore
import Testing

@testable import CacheEngine

@Suite("An answer before the cookies are known", .timeLimit(.minutes(5)))
struct AnswerWithoutCookiesTests {
    private static let request = EngineRequest(
        head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a"))

    private static func bench(
        _ kind: Bench.StoreKind, _ fields: HTTPFields, asked: HTTPFields = [:], rules: RuleList = .protocolOnly
    ) async throws -> Bench {
        let bench = try Bench(kind, rules: rules)
        bench.answer("/a", 200, fields, body: "x")
        try await bench.fill("/a", asked)
        _ = try await bench.store.entries(for: bench.key("/a"))
        return bench
    }

    private static func read(_ bench: Bench, accepts: Bool = true) async -> EngineResponse? {
        var asked = request
        return await bench.cache.readAnswerWithoutCookies(to: &asked) { _ in accepts }
    }

    @Test("RFC 9111 §4.1: never from a response that was selected by cookies", arguments: Bench.StoreKind.allCases)
    func nominated(_ kind: Bench.StoreKind) async throws {
        for (vary, isAnswered) in [
            (nil, true), ("Accept", true), ("Cookie", false), ("accept, COOKIE", false), ("Cookie2", true),
        ] as [(String?, Bool)] {
            for cookie in [nil, "sid=1"] {
                var fields: HTTPFields = [.cacheControl: "max-age=600"]
                fields[.vary] = vary
                var asked = HTTPFields()
                asked[.cookie] = cookie
                let bench = try await Self.bench(kind, fields, asked: asked)
                let answer = bench.cache.answerWithoutCookies(to: Self.request) { _ in true }
                #expect((answer != nil) == isAnswered, "\(vary ?? "none") \(cookie ?? "none")")
                let read = await Self.read(bench)
                #expect((read != nil) == isAnswered, "read: \(vary ?? "none") \(cookie ?? "none")")
            }
        }
    }

    @Test("without an answer nothing has happened: no report, no request, no work in the background")
    func unanswered() async throws {
        let bench = try await Self.bench(.memory, [.cacheControl: "max-age=60, stale-while-revalidate=600"])
        let reports = bench.recorder.reports.count
        #expect(bench.cache.answerWithoutCookies(to: Self.request) { _ in false } == nil)
        #expect(await Self.read(bench, accepts: false) == nil)
        bench.clock.advance(by: .seconds(61))
        #expect(bench.cache.answerWithoutCookies(to: Self.request) { _ in true } == nil)
        #expect(await Self.read(bench) == nil)
        await bench.cache.waitForBackgroundWork()
        #expect(bench.recorder.reports.count == reports && bench.transport.requests.count == 1)
    }

    private struct Custom: CacheRule {
        var name: String { "custom" }
        func verdict(for exchange: Exchange) -> Verdict? { nil }
    }

    @Test("not where a rule looks at cookies, nor where it is the app's own and may")
    func rules() async throws {
        let fields: HTTPFields = [.cacheControl: "max-age=600"]
        let key = RuleList.protocolOnly.keyed(by: KeyRule("k", dropping: ["a"], when: .requestHeader(.cookie)))
        for (rules, isAnswered) in [
            (RuleList([Rule("r", .permanent, when: .requestHeader(.cookie))]), false), (key, false),
            (RuleList([Custom()]), false), (RuleList([Rule("r", .permanent, when: .requestHeader(.accept))]), true),
            (.webViewDefaults, true),
        ] {
            let bench = try await Self.bench(.memory, fields, rules: rules)
            #expect((bench.cache.answerWithoutCookies(to: Self.request) { _ in true } != nil) == isAnswered)
            #expect((await Self.read(bench) != nil) == isAnswered)
        }
    }

    @Test("content that is gone is no answer, and nothing has happened")
    func gone() async throws {
        let bench = try await Self.bench(.memory, [.cacheControl: "max-age=600"])
        let reports = bench.recorder.reports.count
        bench.store.setFault(.opening)
        #expect(await Self.read(bench) == nil)
        #expect(bench.recorder.reports.count == reports && bench.transport.requests.count == 1)
    }

    /// Counts how often the disk would be asked.
    private final class CountingStore: ForwardingStorage {
        let base: any ResponseStorage = MemoryResponseStore()
        let asked = LockedBox<[String]>([])

        func entries(for key: CacheKey) async throws -> [StoredEntry] {
            asked.withLock { $0.append("entries") }
            return try await base.entries(for: key)
        }

        func searchVariants(of key: CacheKey) async throws -> [StoredEntry] {
            asked.withLock { $0.append("variants") }
            return try await base.searchVariants(of: key)
        }
    }

    @Test("a miss asks the store twice, also where it was asked before the cookies were known")
    func lookUps() async throws {
        let (store, transport) = (CountingStore(), ScriptedTransport())
        transport.on("https://example.com/a") { _ in ScriptedTransport.answer(200, [.cacheControl: "max-age=600"]) }
        let cache = ResponseCache(store: store, transport: transport)
        var asked = Self.request
        #expect(await cache.readAnswerWithoutCookies(to: &asked) { _ in true } == nil)
        asked.head.headerFields[.cookie] = "a=1"
        _ = try await Bench.read(await cache.respond(to: asked))
        #expect(store.asked.withLock { $0 } == ["entries", "variants"])
        await cache.waitForBackgroundWork()
        // A response that was stored meanwhile is found.
        let again = await cache.respond(to: asked)
        #expect(again.cacheStatus.isHit && store.asked.withLock { $0 }.count > 2 && transport.requests.count == 1)
    }
}
