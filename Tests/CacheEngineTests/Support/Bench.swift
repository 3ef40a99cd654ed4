import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

@testable import CacheEngine

/// An engine between a scripted network, a clock that stands still, and a store that can fail.
struct Bench: Sendable {
    enum StoreKind: CaseIterable, Sendable {
        case memory, disk
    }

    static let base = "https://example.com"

    let clock = ManualClock()
    let transport = ScriptedTransport()
    let recorder = ReportRecorder()
    let store: FaultyStorage
    let cache: ResponseCache
    private let directory: TemporaryDirectory?

    /// - Parameters:
    ///   - isPatient: Whether a request goes on after its time-out, as in apps and the tool.
    ///   - configure: Changes the rest of the engine's configuration.
    init(
        _ kind: StoreKind = .memory, rules: RuleList = .protocolOnly, cacheKind: CacheKind = .private,
        isPatient: Bool = false, configure: (inout EngineConfiguration) -> Void = { _ in }
    ) throws {
        switch kind {
        case .memory:
            directory = nil
            store = FaultyStorage(MemoryResponseStore())
        case .disk:
            let directory = try TemporaryDirectory()
            self.directory = directory
            store = FaultyStorage(try DiskResponseStore(directory: directory.store, durability: .process))
        }
        var configuration = EngineConfiguration(
            rules: rules, kind: cacheKind, clock: clock.engineClock, observer: recorder)
        configure(&configuration)
        let patient: any OriginTransport = PatientTransport(transport, clock.engineClock)
        cache = ResponseCache(
            store: store, transport: isPatient ? patient : transport, configuration: configuration)
    }

    /// Answers a path with the same whole response every time.
    func answer(_ path: String, _ status: Int = 200, _ fields: HTTPFields, body: String = "") {
        transport.on(Self.base + path) { _ in ScriptedTransport.answer(status, fields, body: body) }
    }

    /// Answers a path with one response after the other; the last one stays.
    func answers(_ path: String, _ responses: [@Sendable (TransportRequest) throws -> TransportResponse]) {
        let transport = transport
        transport.on(Self.base + path) { request in
            let number = transport.requests(to: Self.base + path).count
            return try responses[min(number, responses.count) - 1](request)
        }
    }

    func send(
        _ path: String, _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get, body: RequestBody? = nil,
        context: ExchangeContext = .init()
    ) async -> EngineResponse {
        await cache.respond(
            to: EngineRequest(
                head: HTTPRequest(
                    method: method, scheme: "https", authority: "example.com", path: path, headerFields: fields),
                body: body, context: context))
    }

    /// Sends a request and reads the answer to its end.
    func text(
        _ path: String, _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get,
        context: ExchangeContext = .init()
    ) async throws -> (response: EngineResponse, text: String) {
        let response = await send(path, fields, method: method, context: context)
        return (response, try await Self.read(response))
    }

    static func read(_ response: EngineResponse) async throws -> String {
        String(decoding: try await response.body.collect(upTo: .mebibytes(64)), as: UTF8.self)
    }

    /// Sends a request whose answer is to be stored, and returns once it is and no request can join the transfer any
    /// more. No other transfer may be under way.
    func fill(_ path: String, _ fields: HTTPFields = [:], context: ExchangeContext = .init()) async throws {
        let before = store.commits
        _ = try await text(path, fields, context: context)
        try await store.commits(atLeast: before + 1)
        await cache.waitForBackgroundWork()
    }

    func key(_ path: String) -> CacheKey { CacheKey(uri: Self.base + path) }

    /// Returns once a request that others could have joined has ended, its storing included.
    func landed(_ path: String, after completions: UInt64 = 0) async {
        while cache.flights.completions(of: key(path)) <= completions { await Task.yield() }
    }

    static let disconnected = ExchangeContext(connectivity: .disconnected)
    static let unreachable: @Sendable (TransportRequest) throws -> TransportResponse = { _ in
        throw TransportError(code: .connectionFailed, message: "Nobody listens there.")
    }
}
