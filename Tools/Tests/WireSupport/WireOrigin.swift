import Locking
import NIOCore
import NIOPosix

/// An origin that sends exactly the octets it is told to, and remembers those it got. All it knows of HTTP is where a
/// request ends, and to send 100 to who expects it. Texts stand for octets: one scalar up to U+00FF each.
package final class WireOrigin: Sendable {
    /// What is sent for a request.
    package struct Answer: Sendable {
        package var text: String
        /// Whether the connection is closed after it.
        package var closes = false
        /// Nothing is sent and the connection stays.
        package static let none = Answer(text: "")

        package init(text: String, closes: Bool = false) {
            self.text = text
            self.closes = closes
        }
    }

    /// - Parameters:
    ///   - request: The whole request as received.
    ///   - number: Counts requests from 1, over all connections.
    package typealias Script = @Sendable (_ request: String, _ number: Int) -> Answer

    private struct Connection {
        var channel: any Channel
        var received: [UInt8] = []
    }

    private struct Connections {
        var all: [Connection] = []
        /// Those who wait for one that is not open yet.
        var waiting: [Int: [CheckedContinuation<any Channel, Never>]] = [:]
    }

    package let port: Int
    private let channel: any Channel
    private let connections: LockedBox<Connections>

    /// What each connection received, in the order in which they were opened.
    package var received: [String] { connections.withLock { $0.all.map { Octets.text($0.received) } } }

    package static func start(_ script: @escaping Script) async throws -> WireOrigin {
        let connections = LockedBox(Connections())
        let numbers = RequestCounter()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (index, waiting) = connections.withLock { connections in
                        connections.all.append(Connection(channel: channel))
                        let index = connections.all.count - 1
                        return (index, connections.waiting.removeValue(forKey: index) ?? [])
                    }
                    for continuation in waiting { continuation.resume(returning: channel) }
                    let handler = Handler(script, numbers) { bytes in
                        connections.withLock { $0.all[index].received += bytes }
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return WireOrigin(channel, connections)
    }

    /// One that says the same to every request.
    package static func start(answer: String, closes: Bool = false) async throws -> WireOrigin {
        try await start { _, _ in Answer(text: answer, closes: closes) }
    }

    private init(_ channel: any Channel, _ connections: LockedBox<Connections>) {
        self.channel = channel
        self.connections = connections
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    /// Sends a text on a connection that is open, such as the answer to a request that was answered with nothing.
    package func send(_ text: String, on connection: Int) {
        let channel = connections.withLock { $0.all[connection].channel }
        channel.writeAndFlush(ByteBuffer(bytes: Octets.bytes(text)), promise: nil)
    }

    /// Returns when a connection was opened and is closed, by whichever side. A client may be done with one before it
    /// is accepted.
    package func closed(_ connection: Int) async throws {
        let channel = await withCheckedContinuation { continuation in
            let known = connections.withLock { connections -> (any Channel)? in
                if connections.all.indices.contains(connection) { return connections.all[connection].channel }
                connections.waiting[connection, default: []].append(continuation)
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
        try await channel.closeFuture.get()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let script: Script
        private let numbers: RequestCounter
        private let note: ([UInt8]) -> Void
        private var request: [UInt8] = []
        private var hasContinued = false

        init(_ script: @escaping Script, _ numbers: RequestCounter, note: @escaping ([UInt8]) -> Void) {
            self.script = script
            self.numbers = numbers
            self.note = note
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Array(unwrapInboundIn(data).readableBytesView)
            note(bytes)
            request += bytes
            let isExpected = !hasContinued && Octets.text(request).lowercased().contains("expect: 100-continue\r\n")
            if isExpected, request.firstRange(of: [13, 10, 13, 10]) != nil {
                hasContinued = true
                if Octets.text(request).contains(" /refused ") {
                    let answer = script(Octets.text(request), numbers.next())
                    context.writeAndFlush(NIOAny(ByteBuffer(bytes: Octets.bytes(answer.text))), promise: nil)
                    return
                }
                context.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
            }
            while let length = Self.length(of: request) {
                let text = Octets.text(request.prefix(length))
                request.removeFirst(length)
                let answer = script(text, numbers.next())
                if !answer.text.isEmpty {
                    context.writeAndFlush(NIOAny(ByteBuffer(bytes: Octets.bytes(answer.text))), promise: nil)
                }
                if answer.closes { context.close(promise: nil) }
            }
        }

        /// How long the first request is; `nil` when its end has not come.
        private static func length(of bytes: [UInt8]) -> Int? {
            guard let end = bytes.firstRange(of: [13, 10, 13, 10]) else { return nil }
            let head = Octets.text(bytes[..<end.upperBound]).lowercased()
            if head.contains("\r\ntransfer-encoding: chunked\r\n") {
                let rest = bytes[end.lowerBound...]
                guard let last = rest.firstRange(of: [13, 10, 48, 13, 10]) else { return nil }
                return rest[(last.upperBound - 2)...].firstRange(of: [13, 10, 13, 10]).map(\.upperBound)
            }
            let stated = head.firstRange(of: "\r\ncontent-length: ").map { head[$0.upperBound...] }
            let count = stated.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
            return bytes.count >= end.upperBound + count ? end.upperBound + count : nil
        }
    }
}
