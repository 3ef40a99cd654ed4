import NIOCore
import NIOPosix
import Testing

@testable import CachingProxy

@Suite("Whether a listener still accepts", .timeLimit(.minutes(10)))
struct ListenerProbeTests {
    private let group = MultiThreadedEventLoopGroup.singleton

    /// - Parameter watches: Whether it is the listener of these probes.
    private func listener(_ probes: ListenerProbes, watches: Bool, closes: Bool = false) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { if watches { try probes.watch(channel) } }
                    .map { if closes { channel.eventLoop.execute { channel.close(promise: nil) } } }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    @Test("it does if the very connection of the probe arrives, also of several probes at once")
    func own() async throws {
        let probes = ListenerProbes()
        let channel = try await listener(probes, watches: true)
        let address = try #require(channel.localAddress)
        await withTaskGroup(of: Bool.self) { tasks in
            for _ in 0..<16 { tasks.addTask { await probes.reach(address, on: self.group) } }
            for await isReached in tasks { #expect(isReached) }
        }
        try await channel.close()
        #expect(await !probes.reach(address, on: group))
    }

    @Test("another program's that closes the connection does not, whoever connects to us meanwhile")
    func foreign() async throws {
        let probes = ListenerProbes()
        let own = try await listener(probes, watches: true)
        let other = try await listener(probes, watches: false, closes: true)
        let (address, foreign) = (try #require(own.localAddress), try #require(other.localAddress))
        async let isOwn = probes.reach(address, on: group)
        async let isForeign = probes.reach(foreign, on: group)
        #expect(await isOwn)
        #expect(await !isForeign)
        try await own.close()
        try await other.close()
    }
}
