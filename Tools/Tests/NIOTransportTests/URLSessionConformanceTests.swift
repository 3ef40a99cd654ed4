import CacheTesting
import Testing
import URLSessionTransport
import WireSupport

/// URLSession over real sockets: on Linux as far as its Foundation behaves, on a Mac all of it (`MacChecks`).
@Suite("TransportConformance over sockets: URLSession", .serialized, .timeLimit(.minutes(60)))
struct URLSessionConformanceTests {
    @Test(
        "URLSession, as far as this system's Foundation behaves",
        arguments: TransportConformance.Guarantee.allCases.filter { !FoundationFaults.guarantees.contains($0) })
    func urlSession(_ guarantee: TransportConformance.Guarantee) async throws {
        try await TransportConformance { script in
            let origin = try await StepOrigin.start(script)
            return .init(
                transport: URLSessionOriginTransport(), authority: "127.0.0.1:\(origin.port)",
                received: { origin.received }, sentBytes: { origin.sentBytes },
                settle: { try await origin.settle() })
        }.check(guarantee)
    }
}
