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
    private let store: DiskResponseStore
    private let cache: ResponseCache
    private let connectivityBox = LockedBox(Connectivity.connected)

    /// Opens the store.
    ///
    /// - Parameter transport: The network. Transports for Apple platforms follow; on Linux the tool brings one.
    /// - Throws: `StoreError` when the directory can't be used or holds a newer format.
    public init(_ configuration: LarderConfiguration, transport: any OriginTransport) throws {
        store = try DiskResponseStore(
            directory: configuration.directory, memoryBudget: configuration.memoryBudget)
        cache = ResponseCache(
            store: store, transport: transport,
            configuration: EngineConfiguration(
                rules: configuration.rules, clock: configuration.clock, observer: configuration.observer))
    }

    /// Whether the network may be used; takes effect for the next request. Connected unless set.
    public var connectivity: Connectivity {
        get { connectivityBox.withLock { $0 } }
        set { connectivityBox.withLock { $0 = newValue } }
    }

    /// Answers a request from the store or the network.
    ///
    /// Never throws: what went wrong is an answer with its reason, see `EngineResponse.failure`.
    public func response(
        for request: HTTPRequest, body: RequestBody? = nil, destination: Destination = .unknown
    ) async -> EngineResponse {
        await cache.respond(
            to: EngineRequest(
                head: request, body: body,
                context: ExchangeContext(destination: destination, connectivity: connectivity)))
    }

    /// The content at an http or https URL.
    ///
    /// - Parameter limit: The most that is read into memory; 64 MiB unless set.
    /// - Throws: `EngineError`: no answer could be had, or it is longer than the limit. A status such as 404 is no
    ///   error; use ``response(for:body:destination:)`` to see it.
    public func data(for url: String, upTo limit: ByteCount = .mebibytes(64)) async throws -> [UInt8] {
        guard let parts = TargetURI.split(url) else {
            throw EngineError(code: .invalidRequest, message: "'\(url)' is no http or https URL.")
        }
        let answer = await response(
            for: HTTPRequest(method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path))
        if let failure = answer.failure { throw failure }
        return try await answer.body.collect(upTo: limit)
    }

    /// How much is stored.
    public func usage() async throws -> StoreUsage {
        try await store.usage()
    }
}
