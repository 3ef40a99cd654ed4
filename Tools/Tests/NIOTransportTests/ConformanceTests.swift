import CacheEngine
import CacheTesting
import NIOPosix
import NIOTransport
import OriginDialing
import Testing
import URLSessionTransport
import WireSupport

/// One list of guarantees for every transport, over real sockets.
@Suite("TransportConformance over sockets", .serialized, .timeLimit(.minutes(60)))
struct ConformanceTests {
    private static let trust = Result { try OriginTrust() }

    @Test("SwiftNIO", arguments: TransportConformance.Guarantee.allCases)
    func nio(_ guarantee: TransportConformance.Guarantee) async throws {
        try await TransportConformance { script in
            let origin = try await StepOrigin.start(script)
            let dialer = OriginDialer(
                group: MultiThreadedEventLoopGroup.singleton,
                hostMap: try HostMap(["shop.test:80:127.0.0.1:\(origin.port)"]), trust: try Self.trust.get())
            return Self.subject(NIOOriginTransport(dialer: dialer), origin, "shop.test")
        }.check(guarantee)
    }

    /// What Foundation on Linux lacks or does otherwise than Apple documents of its own; fakes drive the adapter through these
    /// (`AppleStubs`).
    private static let faultsOnLinux: [TransportConformance.Guarantee] = [
        .passesOnTrailers
    ]

    @Test(
        "URLSession, as far as Foundation on Linux behaves",
        arguments: TransportConformance.Guarantee.allCases.filter { !faultsOnLinux.contains($0) })
    func urlSession(_ guarantee: TransportConformance.Guarantee) async throws {
        try await TransportConformance { script in
            let origin = try await StepOrigin.start(script)
            return Self.subject(URLSessionOriginTransport(), origin, "127.0.0.1:\(origin.port)")
        }.check(guarantee)
    }

    private static func subject(
        _ transport: some OriginTransport, _ origin: StepOrigin, _ authority: String
    ) -> TransportConformance.Subject {
        .init(
            transport: transport, authority: authority, received: { origin.received },
            sentBytes: { origin.sentBytes }, settle: { try await origin.settle() })
    }
}
