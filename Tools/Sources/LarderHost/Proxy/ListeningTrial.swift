import CacheEngine
import CachingProxy
import Foundation
import NIOTransport
import OriginDialing
import ResponseStore

/// Listens for a moment, so that a start which is refused leaves no new folder behind.
enum ListeningTrial {
    /// Does nothing where the folder of the store is there already.
    ///
    /// - Throws: `ProxyError`, as the proxy itself would.
    static func run(_ setup: ProxySetup, _ dialer: OriginDialer, _ transport: NIOOriginTransport) async throws {
        guard !FileManager.default.fileExists(atPath: setup.cache.storeDirectory) else { return }
        var configuration = ProxyConfiguration(
            mode: setup.mode, host: setup.host, port: setup.port, credentials: setup.credentials)
        configuration.reverseHosts = setup.reverseHosts
        // A client that connects in that moment is served without a store.
        let cache = ResponseCache(store: MemoryResponseStore(), transport: transport)
        let server = ProxyServer(cache: cache, configuration: configuration, dialer: dialer, authority: nil)
        try await server.start().close(within: .zero)
    }
}
