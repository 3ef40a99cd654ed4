import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

@testable import CacheEngine
@testable import Preloading

/// A queue and an engine between a scripted network, a clock that stands still, and a store that can fail.
struct PreloadBench: Sendable {
    enum StoreKind: CaseIterable, Sendable {
        case memory, disk
    }

    static let base = "https://shop.test"
    static let fresh: HTTPFields = [.cacheControl: "max-age=3600"]

    let clock: ManualClock
    let transport: ScriptedTransport
    let recorder = ReportRecorder()
    let store: FaultyStorage
    let cache: ResponseCache
    let connectivity: ScriptedConnectivity
    let queue: PreloadQueue
    let directory: TemporaryDirectory?

    init(
        _ kind: StoreKind = .memory, rules: RuleList = .protocolOnly, clock: ManualClock = ManualClock(),
        transport: ScriptedTransport = ScriptedTransport(), directory: TemporaryDirectory? = nil,
        budget: StoreBudget = StoreBudget(), configure: (inout PreloadConfiguration) -> Void = { _ in }
    ) throws {
        switch kind {
        case .memory: try self.init(MemoryResponseStore(), rules: rules, clock, transport, nil, configure)
        case .disk:
            let directory = try directory ?? TemporaryDirectory()
            let base = try DiskResponseStore(
                directory: directory.store, budget: budget, durability: .process, wallTime: { clock.now })
            try self.init(base, rules: rules, clock, transport, directory, configure)
        }
    }

    /// A queue over a store of the test's, which fetches one item after the other.
    init(over base: any ResponseStorage, clock: ManualClock) throws {
        try self.init(base, rules: .protocolOnly, clock, ScriptedTransport(), nil) { $0.atOnce = 1 }
    }

    private init(
        _ base: any ResponseStorage, rules: RuleList, _ clock: ManualClock, _ transport: ScriptedTransport,
        _ directory: TemporaryDirectory?, _ configure: (inout PreloadConfiguration) -> Void
    ) throws {
        self.directory = directory
        (self.clock, self.transport) = (clock, transport)
        store = FaultyStorage(base)
        cache = ResponseCache(
            store: store, transport: transport,
            configuration: EngineConfiguration(rules: rules, clock: clock.engineClock, observer: recorder))
        let connectivity = ScriptedConnectivity(.connected)
        self.connectivity = connectivity
        var configuration = PreloadConfiguration(connectivity: { connectivity.current })
        configure(&configuration)
        queue = PreloadQueue(cache: cache, configuration: configuration)
    }

    /// The same store and network after the process was started again.
    func restarted(configure: (inout PreloadConfiguration) -> Void = { _ in }) throws -> PreloadBench {
        try PreloadBench(
            store.base, rules: .protocolOnly, clock, transport, directory, configure)
    }

    // MARK: The origin

    func answer(_ path: String, _ status: Int = 200, _ fields: HTTPFields = fresh, body: String = "") {
        transport.on(Self.base + path) { _ in ScriptedTransport.answer(status, fields, body: body) }
    }

    func on(_ path: String, _ handler: @escaping ScriptedTransport.Handler) { transport.on(Self.base + path, handler) }

    /// A file on the origin, and the item that names it with its hash.
    func file(
        _ path: String, _ text: String, _ fields: HTTPFields = fresh, as destination: PreloadDestination = .script,
        group: PreloadGroup = .page
    ) -> PreloadItem {
        answer(path, 200, fields, body: text)
        return Self.item(path, text, as: destination, group: group)
    }

    static func item(
        _ path: String, _ text: String?, as destination: PreloadDestination = .script, group: PreloadGroup = .page
    ) -> PreloadItem {
        PreloadItem(
            url: base + path, content: text.flatMap { expected(Array($0.utf8)) }, destination: destination,
            group: group)
    }

    static func expected(_ content: [UInt8]) -> ExpectedContent? {
        digest(content).map { ExpectedContent(sha256: $0, size: ByteCount(content.count)) }
    }

    static func digest(_ content: [UInt8]) -> BodyDigest? {
        var hasher = SHA256Hasher()
        hasher.update(content)
        return hasher.digest()
    }

    // MARK: The queue

    /// Adds a set and runs once.
    @discardableResult
    func preload(_ items: [PreloadItem], set: String = "app") async -> PreloadSummary {
        await queue.add(items, set: set)
        return await queue.run()
    }

    /// Runs until nothing waits for a time, moving the clock to each.
    @discardableResult
    func runToEnd() async -> PreloadSummary {
        var summary = await queue.run()
        while let next = summary.next {
            clock.advance(by: max(.milliseconds(1), next - clock.now))
            summary = await queue.run()
        }
        return summary
    }

    // MARK: Pages

    /// What WebKit sends for a script of the same origin.
    static func pageFields(
        _ destination: PreloadDestination = .script, changing: (inout HTTPFields) -> Void = { _ in }
    ) -> HTTPFields {
        var fields = HTTPFields()
        switch destination {
        case .style: fields[.accept] = "text/css,*/*;q=0.1"
        case .document: fields[.accept] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        case .image:
            fields[.accept] =
                "image/webp,image/avif,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
        default: fields[.accept] = "*/*"
        }
        fields[.acceptEncoding] = "gzip, deflate, br"
        changing(&fields)
        return fields
    }

    func page(
        _ path: String, _ fields: HTTPFields = pageFields(), destination: Destination = .script, site: String = "",
        connectivity: Connectivity = .connected
    ) async -> EngineResponse {
        var context = ExchangeContext(site: site, destination: destination, connectivity: connectivity)
        context.checksAllowedOrigin = true
        return await cache.respond(
            to: EngineRequest(
                head: HTTPRequest(
                    method: .get, scheme: "https", authority: "shop.test", path: path, headerFields: fields),
                context: context))
    }

    /// The content of the page `/` without a network.
    func offlinePage() async throws -> String {
        try await text(
            await page("/", Self.pageFields(.document), destination: .document, connectivity: .disconnected))
    }

    func text(_ response: EngineResponse) async throws -> String {
        String(decoding: try await response.body.collect(upTo: .mebibytes(64)), as: UTF8.self)
    }

    // MARK: The store

    /// What is stored: its URIs with site, statuses, contents and tags, in order.
    func stored() async throws -> [String] {
        try await store.summaries(of: .everything, after: nil, limit: 100_000).asyncMap { summary in
            let entries = try await store.entries(for: summary.key).filter { $0.id == summary.id }
            return entries.map { entry in
                let key = entry.key.site.isEmpty ? entry.key.uri : "\(entry.key.site) \(entry.key.uri)"
                return "\(key) \(entry.response.status.code) \(entry.bodyDigest) \(entry.response.extent == .complete) "
                    + "\(entry.response.tags) \(entry.response.fields.map(\.name.canonicalName).sorted()) pins \(summary.pins)"
            }
        }.flatMap { $0 }.sorted()
    }

    func uris() async throws -> [String] {
        try await store.summaries(of: .everything, after: nil, limit: 100_000)
            .map { $0.key.site.isEmpty ? $0.key.uri : "\($0.key.site) \($0.key.uri)" }.sorted()
    }
}

extension Array {
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}

extension CollapseTable {
    /// How many requests wait for the one in flight; 0 without one.
    func waiting(for key: CacheKey) -> Int { flight(for: key)?.waitingCount ?? 0 }

    /// How many wait for its end.
    func landingWaiters(for key: CacheKey) -> Int { flight(for: key)?.landingCount ?? 0 }
}

/// A pass of a queue that is under way beside a test.
struct QueueRun {
    private let bench: PreloadBench
    private let hasEnded: LockedBox<Bool>
    private let task: Task<Void, Never>

    fileprivate init(_ bench: PreloadBench) {
        let (queue, hasEnded) = (bench.queue, LockedBox(false))
        (self.bench, self.hasEnded) = (bench, hasEnded)
        task = Task {
            await queue.run()
            hasEnded.withLock { $0 = true }
        }
    }

    /// Lets time pass until it is over.
    func end(by step: Duration = .seconds(1)) async {
        while !hasEnded.withLock({ $0 }) {
            bench.clock.advance(by: step)
            await Task.yield()
        }
        await task.value
    }
}

extension PreloadBench {
    func begin() -> QueueRun { QueueRun(self) }
}

extension PreloadQueue {
    /// Fetches what can be fetched now, and waits for nothing: neither for a time nor for another network.
    @discardableResult
    func run() async -> PreloadSummary { await runUntilSettled(patience: PreloadMachine.Wish.noPatience) }
}

extension PreloadMachine.Wish {
    /// Less than any wait: the end of one may have passed, and is not waited for either.
    static var noPatience: Duration { .seconds(-1_000_000_000) }
    /// All that can be fetched now.
    static var pass: Self { .everything(patience: noPatience) }
}

extension PreloadSummary {
    /// Whether everything is verified or refused.
    var isSettled: Bool { verified + refused.values.reduce(0, +) == items }
}

extension PreloadQueue {
    var summary: PreloadSummary { machine.summary }

    func summary(of set: String) -> PreloadSummary { machine.summary(of: set) }
}
