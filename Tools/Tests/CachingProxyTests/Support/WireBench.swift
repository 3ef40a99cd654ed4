import CacheEngine
import CachingProxy
import HTTPTypes
import NIOPosix
import NIOTransport
import OriginDialing
import ResponseStore
import WireSupport

/// A proxy in this process, before an origin that is called `shop.test`.
final class WireBench: Sendable {
    let origin: WireOrigin
    let port: Int
    let cache: ResponseCache
    private let listener: ProxyServer.Listener
    private let transport: TransportBench

    init(
        _ origin: WireOrigin, store: any ResponseStorage = MemoryResponseStore(),
        configuration: ProxyConfiguration = ProxyConfiguration(mode: .forward(intercept: .none))
    ) async throws {
        self.origin = origin
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
