import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

/// A request that was prepared earlier gets the same answer as one that is prepared now.
@Suite("Prepared requests")
struct PreparedRequestTests {
    private static let path = "/js/app.5d60c2ed348e2db0.js"

    private static func request(_ fields: HTTPFields, _ method: HTTPRequest.Method, _ context: ExchangeContext)
        -> EngineRequest
    {
        EngineRequest(
            head: HTTPRequest(
                method: method, scheme: "https", authority: "example.com", path: path, headerFields: fields),
            context: context)
    }

    private static func begin(
        _ bench: Bench, _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get,
        context: ExchangeContext = .init()
    ) -> ImmediateAnswer? {
        guard case .answered(let answer) = bench.cache.begin(request(fields, method, context)) else { return nil }
        return answer
    }

    private static func prepare(
        _ bench: Bench, _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get
    ) -> PreparedRequest {
        bench.cache.prepare(request(fields, method, .init()))
    }

    private static func begin(
        _ bench: Bench, _ prepared: PreparedRequest, in context: ExchangeContext = .init()
    ) -> ImmediateAnswer? {
        var request = prepared.request
        request.context = context
        let current = bench.cache.holds(prepared, in: context) ? prepared : bench.cache.prepare(request)
        guard case .answered(let answer) = bench.cache.begin(current, in: context) else { return nil }
        return answer
    }

    private static func bench(_ kind: Bench.StoreKind = .memory, rules: RuleList = .protocolOnly) async throws -> Bench
    {
        let bench = try Bench(kind, rules: rules)
        bench.answer(
            path, 200, [.contentType: "text/javascript", .cacheControl: "max-age=60", .eTag: "\"a\""],
            body: "0123456789")
        try await bench.fill(path)
        // Only entries that were read are known at once, not those that were written.
        _ = try await bench.store.entries(for: bench.key(path))
        return bench
    }

    /// Everything that a client or a reader of reports can see.
    private static func words(_ answer: ImmediateAnswer?, _ bench: Bench) -> String {
        guard let answer else { return "none" }
        let report = bench.recorder.reports.last.map { report in
            "\(report.method) \(report.uri) \(report.view) \(report.document ?? "") \(report.destination) \(report.outcome) \(report.status) "
                + "\(report.cacheStatus) \(report.rule ?? "") \(report.bodyBytes) \(report.start)"
        }
        return
            "\(answer.head.status) \(answer.head.headerFields) \(answer.cacheStatus) \(answer.region) \(report ?? "")"
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var fields: HTTPFields = [:]
        var method = HTTPRequest.Method.get
        var rules = RuleList.protocolOnly
        var context = ExchangeContext()
        /// Whether an answer is expected afterwards.
        var isAnswered = false
        var why: String
        var change: @Sendable (Bench) async throws -> Void = { _ in }
        var testDescription: String { why }

        static let all = [
            Change(isAnswered: true, why: "nothing has changed"),
            Change(fields: [.range: "bytes=2-4"], isAnswered: true, why: "a part, RFC 9110 §14.2"),
            Change(fields: [.ifNoneMatch: "\"a\""], isAnswered: true, why: "a 304, RFC 9110 §13.1.2"),
            Change(method: .head, isAnswered: true, why: "HEAD, RFC 9110 §9.3.2"),
            Change(context: .init(view: "port 7"), isAnswered: true, why: "another view's label") { _ in },
            Change(isAnswered: true, why: "older, but fresh: Age and ttl move") { $0.clock.advance(by: .seconds(59)) },
            Change(why: "stale, RFC 9111 §4.2") { $0.clock.advance(by: .seconds(60)) },
            Change(fields: [.cacheControl: "max-age=5"], why: "older than the client accepts, §5.2.1.1") {
                $0.clock.advance(by: .seconds(6))
            },
            Change(fields: [.cacheControl: "min-fresh=50"], why: "not fresh enough, §5.2.1.3") {
                $0.clock.advance(by: .seconds(11))
            },
            Change(why: "the clock was set back") { $0.clock.advance(by: .seconds(-61)) },
            Change(
                rules: RuleList([Rule("short", .permanent, expiry: .seconds(30))]), why: "past the rule's expiry"
            ) { $0.clock.advance(by: .seconds(31)) },
            Change(
                rules: RuleList([Rule("first", .cacheFirst)]), why: "stale, with another Cache-Status by cache-first"
            ) { $0.clock.advance(by: .seconds(61)) },
            Change(why: "a rule that forbids it") { $0.cache.rules = RuleList([Rule("no", .neverStore)]) },
            Change(rules: .webViewDefaults, isAnswered: true, why: "a host that is distrusted") {
                $0.cache.policy.distrust("example.com", since: $0.clock.now, at: $0.clock.now)
            },
            Change(isAnswered: true, why: "a validation updated the fields") { bench in
                let key = bench.key(PreparedRequestTests.path)
                var entry = try #require(try await bench.store.entries(for: key).first)
                entry.response.fields[.eTag] = "\"b\""
                try await bench.store.update(entry.id, key: key, response: entry.response)
            },
            Change(isAnswered: true, why: "another response replaced it") { bench in
                bench.answer(PreparedRequestTests.path, 200, [.cacheControl: "max-age=60"], body: "others")
                let reload = ExchangeContext(mode: .reload)
                try await bench.fill(PreparedRequestTests.path, context: reload)
            },
            Change(why: "removed") { bench in
                try await bench.store.removeEntries(for: bench.key(PreparedRequestTests.path))
            },
            Change(why: "everything removed") { try await $0.cache.remove(.everything) },
            Change(context: .init(partition: "other"), why: "another account's") { _ in },
            Change(context: .init(site: "https://shop.test"), why: "another site's") { _ in },
            Change(context: .init(document: "https://shop.test/"), isAnswered: true, why: "another page: prepared anew")
            { _ in
            },
            Change(context: .init(connectivity: .disconnected), isAnswered: true, why: "another state of the network") {
                _ in
            },
            Change(context: .init(mode: .reload), why: "a reload") { _ in },
            Change(context: .init(fieldsOmittedFromHits: [.eTag]), isAnswered: true, why: "other fields are left out") {
                _ in
            },
        ]
    }

    @Test("an earlier prepared request is answered like a new one", arguments: Change.all, Bench.StoreKind.allCases)
    func changes(_ row: Change, _ kind: Bench.StoreKind) async throws {
        let bench = try await Self.bench(kind, rules: row.rules)
        let prepared = Self.prepare(bench, row.fields, method: row.method)
        _ = try #require(Self.begin(bench, prepared))
        try await row.change(bench)
        _ = try await bench.store.entries(for: bench.key(Self.path))
        let answer = Self.begin(bench, prepared, in: row.context)
        let given = Self.words(answer, bench)
        #expect((answer != nil) == row.isAnswered, "\(row.why)")
        let expected = Self.words(
            Self.begin(bench, row.fields, method: row.method, context: row.context), bench)
        #expect(given == expected, "\(row.why)")
        guard answer != nil else { return }
        // Both have a report, after that of the first answer.
        let hits = bench.recorder.reports.count { $0.outcome == .hit }
        #expect(hits == 3)
    }

    @Test("the request's own fields select one of several variants")
    func variants() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + Self.path) { request in
            ScriptedTransport.answer(
                200, [.cacheControl: "max-age=60", .vary: "Accept-Language"],
                body: request.head.headerFields[.acceptLanguage] ?? "")
        }
        for language in ["de", "en"] { try await bench.fill(Self.path, [.acceptLanguage: language]) }
        let german = Self.prepare(bench, [.acceptLanguage: "de"])
        let english = Self.prepare(bench, [.acceptLanguage: "en"])
        try await bench.fill(Self.path, [.acceptLanguage: "fr"])
        for (prepared, language) in [(german, "de"), (english, "en"), (german, "de")] {
            #expect(try await Bench.read(try #require(Self.begin(bench, prepared)).response) == language)
        }
    }

    @Test("a prepared request keeps neither content nor files: a removed response does not answer at once")
    func holdsNoContent() async throws {
        let bench = try Bench(.disk)
        bench.answer(Self.path, 200, [.cacheControl: "max-age=60"], body: String(repeating: "x", count: 100_000))
        try await bench.fill(Self.path)
        _ = try await bench.text(Self.path)
        let prepared = Self.prepare(bench)
        #expect(Self.begin(bench, prepared)?.region == 0..<100_000)
        let entry = try #require(try await bench.store.entries(for: bench.key(Self.path)).first)
        DerivedEntryData.of(entry, in: .private).file = nil
        #expect(Self.begin(bench, prepared) == nil)
    }

    @Test("uses of hashed names count, and their samples are taken")
    func samples() async throws {
        let bench = try await Self.bench(rules: .webViewDefaults)
        bench.answer(Self.path, 304, [.eTag: "\"a\""])
        let prepared = Self.prepare(bench)
        for _ in 1...199 { #expect(Self.begin(bench, prepared) != nil) }
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 1)
        #expect(Self.begin(bench, prepared) != nil)
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 2)
    }

    @Test("after a day of distrust the same prepared request believes the host again")
    func distrust() async throws {
        let bench = try await Self.bench(rules: .webViewDefaults)
        bench.cache.policy.distrust("example.com", since: bench.clock.now, at: bench.clock.now)
        let prepared = Self.prepare(bench)
        bench.clock.advance(by: .seconds(61))
        #expect(Self.begin(bench, prepared) == nil)
        bench.clock.advance(by: RulesInForce.distrustTime)
        #expect(Self.begin(bench, prepared) != nil)
    }
}
