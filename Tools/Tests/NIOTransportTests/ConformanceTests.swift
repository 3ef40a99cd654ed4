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

    /// What Foundation on Linux lacks, or does otherwise than Apple documents; fakes drive the adapter through these
    /// (`AppleStubs`). No URLSession tells trailers.
    private static let faultsOnLinux: Set<TransportConformance.Guarantee> = [
        .passesOnTrailers,
        // It tells them as final responses, and has no delegate method for them.
        .passesOnInterimResponses,
        // A suspended task goes on receiving; one that is resumed reports its response anew.
        .stopsTheOriginWhenTheReaderStops, .goesOnWhenTheReaderGoesOn,
        // It reports a bad response where none came.
        .noticesAMissingResponse,
        // Content in a coding that it does not know fails.
        .leavesUnknownCodings,
        // It has no bound streams, and traps without a stream.
        .sendsContentOfStatedLength, .sendsContentOfUnknownLength, .sendsLongContent, .refusesContentOfAnotherLength,
        .takesEarlyAnswers,
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
