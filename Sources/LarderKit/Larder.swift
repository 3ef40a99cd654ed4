import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// A cache for the web pages inside an app: a store on disk, a policy, and a way to the network.
///
/// Nothing is global: two of these with two directories know nothing of each other.
public final class Larder: Sendable {
    let store: DiskResponseStore
    let cache: ResponseCache
    /// Says whether there is a network; also where its ``CacheEngine/ConnectivityMonitor/override`` is taken back.
    public let connectivityMonitor: ConnectivityMonitor
    private let reports: ReportStream
    private let user = LockedBox("")

    /// Opens the store.
    ///
    /// - Parameter transport: The network. Transports for Apple platforms follow; on Linux the tool brings one.
    /// - Throws: `StoreError` when the directory can't be used or holds a newer format.
    public init(_ configuration: LarderConfiguration, transport: any OriginTransport) throws {
        store = try DiskResponseStore(
            directory: configuration.directory, memoryBudget: configuration.memoryBudget,
            budget: configuration.budget, wallTime: configuration.clock.wallTime)
        reports = ReportStream(next: configuration.observer)
        var engine = EngineConfiguration(
            rules: configuration.rules, clock: configuration.clock, observer: reports)
        engine.offlinePage = configuration.offlinePage
        cache = ResponseCache(store: store, transport: transport, configuration: engine)
        connectivityMonitor = ConnectivityMonitor(source: configuration.connectivitySource)
        cache.follow(connectivityMonitor)
        let cache = cache
        cache.removeNeverStored()
        // A check point; the first page does not wait for it, and what fails is found at the next one.
        Task(priority: .background) { _ = try? await cache.performMaintenance() }
    }

    // MARK: Circumstances

    /// What is known about the network; takes effect for the next request.
    ///
    /// Set, it counts whatever ``LarderConfiguration/connectivitySource`` says, until
    /// ``CacheEngine/ConnectivityMonitor/override`` is `nil` again. When the network comes back, what was served stale
    /// without it is validated; see ``CacheEngine/ResponseCache/networkChanged(to:)``.
    public var connectivity: Connectivity {
        get { connectivityMonitor.current }
        set { connectivityMonitor.override = newValue }
    }

    /// Who uses the app; takes effect for the next request. Empty unless set: nobody in particular.
    ///
    /// What is stored for one account never answers another one, even where their bytes are the same.
    public var account: String {
        get { user.withLock { $0 } }
        set { user.withLock { $0 = newValue } }
    }

    /// The policy; a new one counts for the exchanges that begin from then on. As configured unless set. What it says is
    /// never to be stored is removed in the background, now as at the start.
    public var rules: RuleList {
        get { cache.rules }
        set { cache.rules = newValue }
    }

    // MARK: Answers

    /// Answers a request from the store or the network.
    ///
    /// Never throws: what went wrong is an answer with its reason, see `EngineResponse.failure`.
    ///
    /// - Parameter mode: How the request wants the cache to be used; by the protocol and the rules unless set.
    public func response(
        for request: HTTPRequest, body: RequestBody? = nil, destination: Destination = .unknown,
        mode: CacheMode = .protocolDefault
    ) async -> EngineResponse {
        await cache.respond(to: engineRequest(request, body, destination, mode))
    }

    /// Whether a URL would be answered with content if there were no network now, redirects included.
    ///
    /// - Throws: `EngineError` for what is no http or https URL.
    public func isAvailableOffline(_ url: String, destination: Destination = .unknown) async throws -> Bool {
        await cache.isAvailableOffline(engineRequest(try Self.get(url), nil, destination, .protocolDefault))
    }

    // MARK: What is stored

    /// Stores a response that the app brings, such as one shipped with it, for the current ``account``.
    ///
    /// - Parameters:
    ///   - content: The whole content, in the coding that the fields name.
    ///   - fields: The response's, such as `Content-Type` and `Cache-Control`. Without a stated lifetime the response
    ///     is validated before its first use with a network.
    /// - Throws: `EngineError` for what is no http or https URL or may not be stored (RFC 9111 §3), or `StoreError`.
    public func store(
        _ content: [UInt8], for url: String, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) async throws {
        try await cache.store(
            HTTPResponse(status: status, headerFields: fields), content: content,
            for: engineRequest(try Self.get(url), nil, .unknown, .protocolDefault))
    }

    /// Fetches a URL past every cache, this one and those on the way, and stores what comes: for one that is stuck. Every
    /// stored response that it may mean is fetched anew, with the fields that it was asked for with, as by a web view; see
    /// `ResponseCache.refresh(_:)`. What is stored stays when nothing comes.
    ///
    /// - Returns: What the origin answered, without its content; of several, the answer in place of the response that was
    ///   stored last.
    /// - Throws: `EngineError`: no answer could be had, or not the whole of one, or the origin was not asked, as without a
    ///   network.
    @discardableResult
    public func refresh(_ url: String, destination: Destination = .unknown) async throws -> HTTPResponse {
        let request = engineRequest(try Self.get(url), nil, destination, .protocolDefault)
        let answers = await cache.refresh(request)
        for answer in answers {
            if let failure = answer.failure { throw failure }
            guard !answer.cacheStatus.isHit else {
                throw EngineError(
                    code: .disconnected,
                    message: "'\(url)' was not fetched: there is no network, or a rule has the store answer alone.")
            }
        }
        return answers.first?.head ?? HTTPResponse(status: .badGateway)
    }

    /// A report for each exchange that begins from now on, once it has ended. Without anybody who reads them none is
    /// made. Each call makes a sequence of its own; one that
    /// is read too slowly loses the oldest reports.
    public var events: AsyncStream<ExchangeReport> { reports.reports() }

    func engineRequest(
        _ request: HTTPRequest, _ body: RequestBody?, _ destination: Destination, _ mode: CacheMode
    ) -> EngineRequest {
        var context = ExchangeContext(
            partition: account, destination: destination, connectivity: connectivity, mode: mode)
        context.checksAllowedOrigin = true
        return EngineRequest(head: request, body: body, context: context)
    }

    static func get(_ url: String) throws(EngineError) -> HTTPRequest {
        guard let parts = TargetURI.split(url), ["http", "https"].contains(parts.scheme.lowercased()) else {
            throw EngineError(code: .invalidRequest, message: "'\(url)' is no http or https URL.")
        }
        return HTTPRequest(
            method: .get, scheme: parts.scheme.lowercased(), authority: parts.authority, path: parts.path)
    }
}
