import CacheEngine
import CacheTesting
import CachingProxy
import NIOPosix
import NIOTransport
import OriginDialing
import ResponseStore

/// What one cell runs on: an origin, a proxy with an empty store, and their clock.
struct CacheHost: Sendable {
    let cell: Cell
    let clock: ManualClock
    let script: OriginScript
    let origin: RowOrigin
    let store: WatchedStorage
    let listener: ProxyServer.Listener
    private let cache: ResponseCache
    private let transport: NIOOriginTransport
    private let directory: TemporaryDirectory

    static func start(_ cell: Cell) async throws -> CacheHost {
        OpenFileLimit.raise(to: 8_192)
        let clock = ManualClock()
        let script = OriginScript(clock: clock)
        let origin = try await RowOrigin.start(script)
        let directory = try TemporaryDirectory()
        let store = WatchedStorage(try DiskResponseStore(directory: directory.store, durability: .process))
        let dialer = OriginDialer(group: MultiThreadedEventLoopGroup.singleton, trust: try OriginTrust())
        let transport = NIOOriginTransport(dialer: dialer)
        let cache = ResponseCache(
            store: store, transport: RefusingTransport(base: transport, script: script),
            configuration: EngineConfiguration(kind: cell.kind, clock: clock.engineClock))
        let mode: ProxyConfiguration.Mode =
            switch cell.mode {
            case .forward: .forward(intercept: .none)
            case .reverse: .reverse(origin: .init(host: "127.0.0.1", port: origin.port, isSecure: false))
            }
        var configuration = ProxyConfiguration(mode: mode)
        // The rows name the origin.
        configuration.reverseHosts = [HostNamePattern("127.0.0.1")]
        let server = ProxyServer(cache: cache, configuration: configuration, dialer: dialer, authority: nil)
        return CacheHost(
            cell: cell, clock: clock, script: script, origin: origin, store: store,
            listener: try await server.start(), cache: cache, transport: transport, directory: directory)
    }

    var originURL: String { "http://127.0.0.1:\(origin.port)" }

    /// Returns when nothing is on its way into the store, and no validation goes on in the background.
    func settled() async {
        await store.settled()
        await BackgroundWork.finished(in: cache)
        await store.settled()
    }

    func stop() async {
        await listener.close()
        transport.closeIdleConnections()
        await origin.stop()
    }
}
