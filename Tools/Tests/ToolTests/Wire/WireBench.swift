import CacheEngine
import CachingProxy
import HTTPTypes
import NIOPosix
import NIOTransport
import OriginDialing
import ResponseStore

/// A proxy in this process, before an origin that is called `shop.test`.
final class WireBench: Sendable {
    let origin: WireOrigin
    let port: Int
    let cache: ResponseCache
    private let listener: ProxyServer.Listener
    private let transport: TransportBench

    init(
        _ origin: WireOrigin, store: any ResponseStorage = MemoryResponseStore(),
        account: @escaping @Sendable () -> String = { "" }
    ) async throws {
        self.origin = origin
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        configuration.account = account
        transport = try TransportBench(origin)
        cache = ResponseCache(store: store, transport: transport.transport)
        let server = ProxyServer(
            cache: cache, configuration: configuration, dialer: transport.dialer, authority: nil)
        listener = try await server.start()
        port = listener.port
    }

    deinit {
        Task { [listener] in await listener.close() }
    }

    /// Sends this text as it is, and reads until the proxy closes.
    func exchange(_ text: String) async throws -> String {
        try await WireClient.exchange(text, port: port)
    }

    /// A request for `http://shop.test/` after which the proxy closes.
    func ask(
        _ method: String = "GET", _ path: String = "/", version: String = "HTTP/1.1", fields: String = "",
        content: String = ""
    ) async throws -> WireResponse? {
        WireResponse(
            try await exchange(
                "\(method) http://shop.test\(path) \(version)\r\nHost: shop.test\r\nConnection: close\r\n\(fields)\r\n"
                    + content))
    }
}

/// The transport alone, before an origin that is called `shop.test`.
final class TransportBench: Sendable {
    /// What a request led to.
    struct Outcome: Sendable {
        var response: HTTPResponse?
        var content = ""
        var statedLength: Int64?
        var failure: TransportError.Code?
        var trailers: HTTPFields?
    }

    let origin: WireOrigin
    let dialer: OriginDialer
    let transport: NIOOriginTransport

    init(_ origin: WireOrigin, limits: NIOOriginTransport.Limits = .init()) throws {
        self.origin = origin
        dialer = OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton,
            hostMap: try HostMap(["shop.test:80:127.0.0.1:\(origin.port)"]), trust: try Self.trust.get())
        transport = NIOOriginTransport(dialer: dialer, limits: limits)
    }

    /// Once for all: reading the system's authorities takes long.
    private static let trust = Result { try OriginTrust() }

    deinit { transport.closeIdleConnections() }

    func send(
        _ method: String = "GET", _ path: String = "/", fields: HTTPFields = [:], body: RequestBody? = nil,
        onInterim: (@Sendable (HTTPResponse) -> Void)? = nil
    ) async -> Outcome {
        let head = HTTPRequest(
            method: HTTPRequest.Method(method) ?? .get, scheme: "http", authority: "shop.test", path: path,
            headerFields: fields)
        return await send(TransportRequest(head: head, body: body, onInterim: onInterim))
    }

    func send(_ request: TransportRequest) async -> Outcome {
        var outcome = Outcome()
        do {
            let response = try await transport.send(request)
            outcome.response = response.head
            outcome.statedLength = response.bodyLength
            while let piece = try await response.body.next() { outcome.content += Octets.text(piece) }
            outcome.trailers = (response.body as? any TrailerSource)?.trailers
        } catch {
            outcome.failure = (error as? TransportError)?.code
        }
        return outcome
    }
}
