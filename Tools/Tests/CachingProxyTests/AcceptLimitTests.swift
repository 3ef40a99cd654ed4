import NIOCore
import NIOPosix
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
import WireSupport
#endif

@testable import CachingProxy

@Suite("the proxy's listener", .timeLimit(.minutes(60)))
struct AcceptLimitTests {
    private func listener(_ limit: Int) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptLimit(limit: limit) {})
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Greeter())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private final class Greeter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(string: "hello")), promise: nil)
        }
    }

    private func accepts(_ listener: any Channel) async throws -> Bool {
        try await listener.getOption(ChannelOptions.autoRead).get()
    }

    @Test("nobody is accepted beyond the limit until somebody has left")
    func limit() async throws {
        let listener = try await listener(2)
        var clients: [WireClient] = []
        for _ in 1...2 {
            clients.append(try await WireClient.open(port: listener.localAddress?.port ?? 0))
            #expect(try await clients.last?.read(until: "hello") == "hello")
        }
        #expect(try await !accepts(listener))
        let third = try await WireClient.open(port: listener.localAddress?.port ?? 0)
        try await clients.removeFirst().close()
        #expect(try await third.read(until: "hello") == "hello")
        try await listener.close()
    }

    @Test("where the system has no descriptor it pauses, and goes on", arguments: [EMFILE, ENFILE])
    func pause(_ number: Int32) async throws {
        let listener = try await listener(2)
        for _ in 1...2 {
            // In one turn of the loop, so that the pause can't be over before it is looked for.
            let accepts = try await listener.eventLoop.submit {
                listener.pipeline.fireErrorCaught(IOError(errnoCode: number, reason: "accept"))
                return try #require(listener.syncOptions).getOption(ChannelOptions.autoRead)
            }.get()
            #expect(!accepts)
        }
        while try await !accepts(listener) {}
        let client = try await WireClient.open(port: listener.localAddress?.port ?? 0)
        #expect(try await client.read(until: "hello") == "hello")
        try await listener.close()
    }
}
