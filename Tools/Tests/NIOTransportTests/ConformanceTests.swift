import CacheTesting
import NIOPosix
import NIOTransport
import OriginDialing
import Testing
import WireSupport

/// One list of guarantees for every transport, over real sockets.
@Suite("TransportConformance over sockets: SwiftNIO", .serialized, .timeLimit(.minutes(60)))
struct ConformanceTests {
    private static let trust = Result { try OriginTrust() }

    @Test("SwiftNIO", arguments: TransportConformance.Guarantee.allCases)
    func nio(_ guarantee: TransportConformance.Guarantee) async throws {
        try await TransportConformance { script in
            let origin = try await StepOrigin.start(script)
            let dialer = OriginDialer(
                group: MultiThreadedEventLoopGroup.singleton,
                hostMap: try HostMap(["shop.test:80:127.0.0.1:\(origin.port)"]), trust: try Self.trust.get())
            return .init(
                transport: NIOOriginTransport(dialer: dialer), authority: "shop.test",
                received: { origin.received }, sentBytes: { origin.sentBytes },
                settle: { try await origin.settle() })
        }.check(guarantee)
    }

    @Test("SwiftNIO over HTTP/2", arguments: TransportConformance.Guarantee.allCases)
    func http2(_ guarantee: TransportConformance.Guarantee) async throws {
        try await TransportConformance(longLength: 268_435_456) { script in
            let origin = try await StepOrigin.startHTTP2(script)
            return .init(
                transport: NIOOriginTransport(dialer: try SecureOrigin.dialer(origin.port)), scheme: "https",
                authority: "shop.test", received: { origin.received }, sentBytes: { origin.sentBytes },
                settle: { try await origin.settle() })
        }.check(guarantee)
    }
}
