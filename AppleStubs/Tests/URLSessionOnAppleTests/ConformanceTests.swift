import AppleFoundation
import CacheTesting
import Locking
import Testing

@testable import URLSessionOnApple

/// The adapter against a session that behaves as Apple documents it.
@Suite("TransportConformance with a fake session", .serialized, .timeLimit(.minutes(20)))
struct ConformanceTests {
    @Test(
        "URLSession, whose delegate is told no trailers",
        arguments: TransportConformance.Guarantee.allCases.filter { $0 != .passesOnTrailers })
    func conformance(_ guarantee: TransportConformance.Guarantee) async throws {
        let networks = LockedBox<[FakeNetwork]>([])
        try await TransportConformance { script in
            let network = FakeNetwork(script)
            networks.withLock { $0.append(network) }
            let transport = URLSession.$simulation.withValue(network.simulation) { URLSessionOriginTransport() }
            return .init(
                transport: transport, authority: "shop.test", received: { network.received },
                sentBytes: { network.sentBytes }, settle: { await network.settle() })
        }.check(guarantee)
        for network in networks.withLock({ $0 }) { #expect(network.faults.isEmpty) }
    }
}
