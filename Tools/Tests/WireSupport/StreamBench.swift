import CacheEngine
import CacheTesting
import CachingProxy
import Locking
import NIOCore
import NIOTransport
import ResponseStore

/// A forward proxy in this process that intercepts `shop.test`, whose origin speaks HTTP/2.
package final class StreamBench: Sendable {
    package let refusals = LockedBox<[RefusedRequest]>([])
    package let listener: ProxyServer.Listener
    private let transport: NIOOriginTransport
    private let authority: CertificateAuthority
    private let folder: TemporaryDirectory
    private let kept: StepOrigin?

    /// - Parameters:
    ///   - port: The origin's.
    ///   - origin: Kept as long as this.
    package init(
        limits: ProxyConfiguration.Limits = .init(), port: Int, keeping origin: StepOrigin? = nil
    ) async throws {
        kept = origin
        folder = try TemporaryDirectory()
        authority = try CertificateAuthority(directory: folder.path + "/own")
        let dialer = try SecureOrigin.dialer(port)
        transport = NIOOriginTransport(dialer: dialer)
        var configuration = ProxyConfiguration(mode: .forward(intercept: .allExcept([])))
        configuration.limits = limits
        configuration.onRefusal = { [refusals] refusal in refusals.withLock { $0.append(refusal) } }
        let server = ProxyServer(
            cache: ResponseCache(store: MemoryResponseStore(), transport: transport), configuration: configuration,
            dialer: dialer, authority: authority)
        listener = try await server.start()
    }

    deinit {
        Task { [listener, transport] in
            await listener.close()
            transport.closeIdleConnections()
        }
    }

    /// With an origin that plays steps.
    package static func start(
        limits: ProxyConfiguration.Limits = .init(), _ script: @escaping TransportConformance.Script
    ) async throws -> (StreamBench, StepOrigin) {
        let origin = try await StepOrigin.startHTTP2(script)
        return (try await StreamBench(limits: limits, port: origin.port, keeping: origin), origin)
    }

    package func connect(
        _ protocols: [String] = ["h2"], settings: [(UInt16, UInt32)] = [], isGenerous: Bool = true
    ) async throws -> FrameClient {
        try await FrameClient.connect(
            to: listener.port, authority: authority.certificatePEM, protocols: protocols, settings: settings,
            isGenerous: isGenerous)
    }
}
