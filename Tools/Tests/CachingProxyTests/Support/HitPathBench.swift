import CacheEngine
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import NIOTransport
import ResponseStore
import Testing
import WireSupport

@testable import CachingProxy

/// A proxy with a filled store and clocks that stand still, whose exchanges end at once where they can, or never.
final class HitPathBench: Sendable {
    static let storedAt = WallInstant(unixSeconds: 1_700_000_000)

    let store: any ResponseStorage
    let port: Int
    let pseudonym: String
    /// How many requests were known by their octets.
    var knownRequests: Int { server.hotRequests.findings }
    /// How many requests are kept in memory.
    var keptRequests: Int { server.hotRequests.count }
    private let server: ProxyServer
    private let counting: CountingStorage
    private let log = ExchangeLog()
    private let listener: ProxyServer.Listener
    private let transport: TransportBench

    init(_ origin: WireOrigin, store: any ResponseStorage, answersAtOnce: Bool) async throws {
        self.store = store
        counting = CountingStorage(store, knowsAtOnce: answersAtOnce)
        transport = try TransportBench(origin)
        let configuration = EngineConfiguration(
            clock: EngineClock(wallTime: { Self.storedAt + .seconds(100) }, uptime: { .zero }), observer: log)
        server = ProxyServer(
            cache: ResponseCache(store: counting, transport: transport.transport, configuration: configuration),
            configuration: ProxyConfiguration(mode: .forward(intercept: .none)), dialer: transport.dialer,
            authority: nil)
        pseudonym = server.pseudonym
        listener = try await server.start()
        port = listener.port
    }

    deinit {
        Task { [listener] in await listener.close() }
    }

    func remove(_ selection: EntrySelection) async throws { try await server.cache.remove(selection) }

    /// How often the store was asked in a way that may wait.
    var lookUps: Int { counting.lookUps }

    /// Puts the same responses in, in the place of what was there.
    func fill() async throws {
        for (path, fields, body) in Self.content {
            try await put(path, fields, body)
        }
        for language in ["de", "en"] {
            try await put(
                "/vary", [.vary: "Accept-Language", .contentLanguage: language], Array("in \(language)".utf8),
                nominated: ["accept-language": language])
        }
        try await put(
            "/part", [.eTag: "\"p\""], Array("234567".utf8), extent: ContentExtent(2..<8, completeLength: 20))
    }

    private static let fresh: HTTPFields = [.cacheControl: "max-age=1000"]
    static let large = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private static let content: [(String, HTTPFields, [UInt8])] = [
        ("/plain", [:], Array("0123456789".utf8)),
        ("/empty", [:], []),
        ("/tagged", [.eTag: "\"a\"", .contentType: "text/css", .contentEncoding: "gzip"], Array("abcdefgh".utf8)),
        (
            "/dated",
            [.lastModified: "Tue, 14 Nov 2023 20:00:00 GMT", .date: "Tue, 14 Nov 2023 22:13:20 GMT", .age: "7"],
            Array("dated".utf8)
        ),
        ("/large", [.eTag: "\"l\"", .contentRange: "bytes 0-1/2", .via: "1.1 other"], large),
        ("/stale", [.cacheControl: "max-age=5"], Array("stale".utf8)),
        ("/waiting", [.cacheControl: "no-cache", .eTag: "\"w\""], Array("waiting".utf8)),
    ]

    private func put(
        _ path: String, _ fields: HTTPFields, _ body: [UInt8], nominated: [String: String?] = [:],
        extent: ContentExtent? = .complete
    ) async throws {
        let pending = try store.makePendingBody()
        if !body.isEmpty { try pending.append(body) }
        let extent = try #require(extent)
        let all = fields.contains(.cacheControl) ? fields : Self.fresh + fields
        let response = StoredResponse(
            nominatedFields: NominatedFields(values: nominated), status: .ok, fields: all, requestTime: Self.storedAt,
            responseTime: Self.storedAt, extent: extent)
        _ = try await store.commit(pending, key: CacheKey(uri: "http://shop.test" + path), response: response)
    }

    /// What the proxy sends for a text, with its own name replaced, and what its engine reported.
    func exchange(_ text: String) async throws -> (answer: String, reports: [String]) {
        _ = log.take()
        let answer = try await WireClient.exchange(text, port: port)
        return (answer.replacing(pseudonym, with: "proxy"), log.take())
    }
}

/// What the reports of exchanges say, but for the client's port.
private final class ExchangeLog: ExchangeObserver {
    private let lines = LockedBox<[String]>([])

    func record(_ report: ExchangeReport) {
        let line =
            "\(report.method) \(report.uri) \(report.destination) \(report.outcome) \(report.status) "
            + "\(report.cacheStatus) \(report.bodyBytes) \(report.originBytes) \(report.isComplete)"
        lines.withLock { $0.append(line) }
    }

    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

/// Passes everything on, counts look-ups, and knows nothing at once unless it is told to.
private final class CountingStorage: ForwardingStorage {
    let base: any ResponseStorage
    private let knowsAtOnce: Bool
    private let count = LockedBox(0)

    init(_ base: any ResponseStorage, knowsAtOnce: Bool) {
        self.base = base
        self.knowsAtOnce = knowsAtOnce
    }

    var lookUps: Int { count.withLock { $0 } }

    func cachedEntries(for key: CacheKey) -> [StoredEntry]? { knowsAtOnce ? base.cachedEntries(for: key) : nil }

    func entries(for key: CacheKey) async throws -> [StoredEntry] {
        count.withLock { $0 += 1 }
        return try await base.entries(for: key)
    }
}
