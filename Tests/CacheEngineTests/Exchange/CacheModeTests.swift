import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Fetch §2.2.5 and §4.6, NSURLRequest.CachePolicy: cache modes", .timeLimit(.minutes(5)))
struct CacheModeTests {
    enum Spelling: Sendable, CustomStringConvertible {
        case fetch(String)
        case policy(CacheMode)

        var mode: CacheMode? {
            switch self {
            case .fetch(let name): CacheMode(fetchMode: name)
            case .policy(let mode): mode
            }
        }

        var description: String {
            switch self {
            case .fetch(let name): "fetch \(name)"
            case .policy(let mode): "policy \(mode)"
            }
        }
    }

    enum Stored: CaseIterable, Sendable { case fresh, stale, none }

    enum Network: CaseIterable, Sendable {
        case online
        /// The origin accepts no connections.
        case unreachable
        /// There is no network, and the rule for that is in force: it comes before the mode.
        case disconnected
    }

    enum Result: Sendable { case served, validated, fetched, refused }

    struct Row: Sendable, CustomTestStringConvertible {
        var spelling: Spelling
        var stored: Stored
        var network: Network
        var result: Result
        var requests: Int
        var testDescription: String { "\(spelling), \(stored), \(network): \(result)" }
    }

    /// One behaviour, with a fresh, a stale and no stored response.
    private static func rows(
        _ spellings: [Spelling], online: [Result], unreachable: [Result], disconnected: [Result], tries: [Int]
    ) -> [Row] {
        spellings.flatMap { spelling in
            zip(Stored.allCases, 0...).flatMap { stored, column in
                [
                    Row(
                        spelling: spelling, stored: stored, network: .online, result: online[column],
                        requests: tries[column]),
                    Row(
                        spelling: spelling, stored: stored, network: .unreachable, result: unreachable[column],
                        requests: tries[column]),
                    Row(
                        spelling: spelling, stored: stored, network: .disconnected, result: disconnected[column],
                        requests: 0),
                ]
            }
        }
    }

    private static let table: [Row] =
        rows(
            [.fetch("default")], online: [.served, .validated, .fetched],
            unreachable: [.served, .served, .refused], disconnected: [.served, .served, .refused], tries: [0, 1, 1])
        // "behaves as if there is no HTTP cache at all"
        + rows(
            [.fetch("no-store")], online: [.fetched, .fetched, .fetched],
            unreachable: [.refused, .refused, .refused], disconnected: [.served, .served, .refused],
            tries: [1, 1, 1])
        // "as if there is no HTTP cache on the way to the network … updates the HTTP cache"
        + rows(
            [.fetch("reload"), .policy(.reloadIgnoringLocal)], online: [.fetched, .fetched, .fetched],
            unreachable: [.refused, .refused, .refused], disconnected: [.served, .served, .refused],
            tries: [1, 1, 1])
        // "a conditional request if there is a response in the HTTP cache and a normal request otherwise"
        + rows(
            [.fetch("no-cache")], online: [.validated, .validated, .fetched],
            unreachable: [.refused, .refused, .refused], disconnected: [.served, .served, .refused],
            tries: [1, 1, 1])
        // "any response in the HTTP cache matching the request, not paying attention to staleness"
        + rows(
            [.fetch("force-cache")], online: [.served, .served, .fetched],
            unreachable: [.served, .served, .refused], disconnected: [.served, .served, .refused], tries: [0, 0, 1])
        // "If there was no response, it returns a network error."
        + rows(
            [.fetch("only-if-cached")], online: [.served, .served, .refused],
            unreachable: [.served, .served, .refused], disconnected: [.served, .served, .refused], tries: [0, 0, 0])

    /// A store with `old` in the given state; the origin confirms it, or has `new`.
    private func bench(
        _ stored: Stored, _ network: Network = .online, cacheControl: String = "max-age=60"
    ) async throws -> Bench {
        let bench = try Bench(rules: network == .disconnected ? RuleList([Rule.disconnected]) : .protocolOnly)
        if stored != .none {
            bench.answer("/a", 200, [.cacheControl: cacheControl, .eTag: "\"1\""], body: "old")
            try await bench.fill("/a")
            bench.clock.advance(by: .seconds(stored == .fresh ? 10 : 100))
        }
        bench.transport.on(Bench.base + "/a") { request in
            if network == .unreachable { return try Bench.unreachable(request) }
            if request.head.headerFields[.ifNoneMatch] == "\"1\"" {
                return ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"])
            }
            return ScriptedTransport.answer(200, [.cacheControl: "max-age=60", .eTag: "\"2\""], body: "new")
        }
        return bench
    }

    @Test("each mode does what both standards say, whatever is stored and reachable", arguments: table)
    func behaviour(_ row: Row) async throws {
        let bench = try await bench(row.stored, row.network)
        let before = bench.transport.requests.count
        let mode = try #require(row.spelling.mode)
        let context = ExchangeContext(
            connectivity: row.network == .disconnected ? .disconnected : .connected, mode: mode)
        let (response, text) = try await bench.text("/a", context: context)
        switch row.result {
        case .served:
            #expect(response.head.status == .ok && text == "old")
            #expect(response.head.headerFields[.age] == (row.stored == .fresh ? "10" : "100"))
        case .validated:
            #expect(response.head.status == .ok && text == "old")
            #expect(response.cacheStatus.forwardStatus == 304)
        case .fetched:
            #expect(response.head.status == .ok && text == "new")
        case .refused:
            #expect(response.head.status == .gatewayTimeout && response.failure != nil)
        }
        let sent = bench.transport.requests.dropFirst(before)
        #expect(sent.count == row.requests)
        #expect(
            sent.allSatisfy { ($0.head.headerFields[.ifNoneMatch] != nil) == (row.result == .validated) }
                || row.network == .unreachable)
        await bench.cache.waitForBackgroundWork()
        let left = try await bench.stored("/a")
        if row.result == .fetched, mode != .noStore {
            #expect(left == "new")
        } else {
            #expect(left == (row.stored == .none ? nil : "old"))
        }
    }

    enum Outage: CaseIterable, Sendable { case none, unreachable, error }

    /// "without a network" means, too, that the server gives no answer; a refresh wants that of the server or none.
    @Test(
        "a page that is reloaded past the store is shown as stored where its server fails; a refresh fails",
        arguments: [CacheMode.reload, .reloadIgnoringLocal, .revalidate], Outage.allCases)
    func reloadedPage(_ mode: CacheMode, _ outage: Outage) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        let fields: HTTPFields = [.cacheControl: "no-cache", .contentType: "text/html", .eTag: "\"1\""]
        bench.answer("/a", 200, fields, body: "old")
        try await bench.fill("/a")
        let page = ExchangeContext(destination: .document, mode: mode)
        switch outage {
        case .none: bench.answer("/a", 200, fields, body: "new")
        case .unreachable: bench.transport.on(Bench.base + "/a", Bench.unreachable)
        case .error: bench.answer("/a", 500, [:], body: "error")
        }
        if outage != .none {
            let refreshed = await bench.cache.refresh(
                EngineRequest(
                    head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a"),
                    context: ExchangeContext(destination: .document)))
            #expect(refreshed.allSatisfy { $0.failure != nil || $0.head.status == .internalServerError })
        }
        let (response, text) = try await bench.text("/a", context: page)
        #expect(response.head.status == .ok && text == (outage == .none ? "new" : "old"), "\(response)")
        let asksForChange = bench.transport.requests.contains { $0.head.headerFields.contains(.ifNoneMatch) }
        #expect(asksForChange == (mode == .revalidate))
        let (other, _) = try await bench.text("/b", context: page)
        #expect(other.head.status.kind != .successful)
    }

    @Test("names that mean no mode", arguments: ["", "Default", "no_store", "reload-ignoring-local"])
    func noMode(_ name: String) {
        #expect(CacheMode(fetchMode: name) == nil)
    }

    @Test("modes that accept any age also accept must-revalidate", arguments: ["force-cache", "only-if-cached"])
    func anyAge(_ name: String) async throws {
        for cacheControl in ["max-age=60, must-revalidate", "max-age=60, immutable", "max-age=0"] {
            let bench = try await bench(.stale, cacheControl: cacheControl)
            let context = ExchangeContext(mode: try #require(CacheMode(fetchMode: name)))
            #expect(try await bench.seen("/a", context: context) == Seen(200, "old", requests: 0), "\(cacheControl)")
        }
    }

    struct Sent: Sendable, CustomTestStringConvertible {
        var mode: CacheMode
        var fields: HTTPFields = [:]
        var cacheControl: String?
        var pragma: String?
        var testDescription: String { "\(mode), \(fields)" }
    }

    @Test(
        "Fetch §4.6: the fields that tell the caches on the way",
        arguments: [
            Sent(mode: .protocolDefault), Sent(mode: .preferStored), Sent(mode: .reloadIgnoringLocal),
            // "cache mode is "no-cache" … then append (`Cache-Control`, `max-age=0`)"
            Sent(mode: .revalidate, cacheControl: "max-age=0"),
            Sent(mode: .revalidate, fields: [.cacheControl: "no-cache"], cacheControl: "no-cache"),
            // "cache mode is "no-store" or "reload" … append (`Pragma`, `no-cache`) … (`Cache-Control`, `no-cache`)"
            Sent(mode: .noStore, cacheControl: "no-cache", pragma: "no-cache"),
            Sent(mode: .reload, cacheControl: "no-cache", pragma: "no-cache"),
            // "does not contain `Cache-Control`", "does not contain `Pragma`", each for itself.
            Sent(
                mode: .reload, fields: [.cacheControl: "max-age=7"], cacheControl: "max-age=7", pragma: "no-cache"),
            Sent(mode: .noStore, fields: [.pragma: "x"], cacheControl: "no-cache", pragma: "x"),
        ])
    func fields(_ row: Sent) async throws {
        for stored in [Stored.none, .stale] where stored == .none || !row.mode.acceptsAnyAge {
            let bench = try await bench(stored)
            _ = try await bench.seen("/a", row.fields, context: ExchangeContext(mode: row.mode))
            let sent = try #require(bench.transport.requests.last).head.headerFields
            #expect(sent[.cacheControl] == row.cacheControl)
            #expect(sent[.pragma] == row.pragma)
        }
    }

    @Test("no mode keeps an unsafe request from reaching the origin", arguments: CacheMode.allCases)
    func unsafe(_ mode: CacheMode) async throws {
        // §4: "A cache MUST write through requests with methods that are unsafe".
        let bench = try await bench(.fresh)
        let seen = try await bench.seen("/a", method: .post, context: ExchangeContext(mode: mode))
        if mode == .onlyIfStored {
            #expect(seen == Seen(504, "", requests: 0))
        } else {
            #expect(seen == Seen(200, "new", requests: 1))
            // §4.4: it also invalidates, even in a mode that stores nothing.
            #expect(try await bench.stored("/a") == nil)
        }
    }

    @Test("the limit for the response head reaches the transport", arguments: [nil, Duration.seconds(3)])
    func timeout(_ limit: Duration?) async throws {
        for (stored, mode) in [(Stored.none, CacheMode.protocolDefault), (.stale, .protocolDefault), (.fresh, .reload)]
        {
            let bench = try await bench(stored)
            _ = try await bench.seen("/a", context: ExchangeContext(mode: mode, timeout: limit))
            #expect(try #require(bench.transport.requests.last).timeout == limit)
        }
    }

    @Test("only-if-cached sends nothing, not even for a response past a rule's expiry")
    func storedOnlyAndExpired() async throws {
        let bench = try Bench(rules: RuleList([Rule("shop", .followProtocol, expiry: .seconds(60))]))
        bench.answer("/a", 200, [.cacheControl: "max-age=600", .eTag: "\"1\""], body: "a")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(61))
        var context = ExchangeContext()
        context.mode = .onlyIfStored
        #expect(await bench.send("/a", context: context).failure?.code == .notStored)
        #expect(bench.transport.requests.count == 1)
    }
}
