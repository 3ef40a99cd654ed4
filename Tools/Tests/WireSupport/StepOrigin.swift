import CacheTesting
import HTTPTypes
import Locking
import NIOCore
import NIOPosix

/// An origin on loopback that plays the steps of `TransportConformance` as HTTP/1.1.
package final class StepOrigin: Sendable {
    struct State {
        var received: [ReceivedRequest] = []
        var sentBytes: Int64 = 0
    }

    package let port: Int
    private let channel: any Channel
    private let state: LockedBox<State>

    package var received: [ReceivedRequest] { state.withLock { $0.received } }
    package var sentBytes: Int64 { state.withLock { $0.sentBytes } }

    package static func start(_ script: @escaping TransportConformance.Script) async throws -> StepOrigin {
        let state = LockedBox(State())
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(script, state))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return StepOrigin(channel, state)
    }

    init(_ channel: any Channel, _ state: LockedBox<State>) {
        self.channel = channel
        self.state = state
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    /// Returns once nothing was sent and nothing came for a thousand turns of the loop.
    package func settle() async throws {
        var (still, last) = (0, (Int64(-1), -1))
        while still < 1_000 {
            try await channel.eventLoop.submit {}.get()
            let now = state.withLock { ($0.sentBytes, $0.received.count) }
            still = now == last ? still + 1 : 0
            last = now
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private enum Reading {
            case head
            case content(Int)
            case chunkHead
            case chunk(Int)
            case done
        }

        private let script: TransportConformance.Script
        private let state: LockedBox<State>
        private var buffer: [UInt8] = []
        private var reading = Reading.head
        private var number = 0
        private var steps: [OriginStep] = []
        private var isChunked = false
        private var isPlaying = false

        init(_ script: @escaping TransportConformance.Script, _ state: LockedBox<State>) {
            self.script = script
            self.state = state
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            buffer += unwrapInboundIn(data).readableBytesView
            while readOn(context) {}
        }

        private func readOn(_ context: ChannelHandlerContext) -> Bool {
            switch reading {
            case .head:
                guard let end = buffer.firstRange(of: [13, 10, 13, 10]) else { return false }
                let head = Octets.text(buffer[..<end.lowerBound])
                buffer.removeFirst(end.upperBound)
                begin(head, context)
                return true
            case .content(let left):
                return take(left, then: { .content($0) }, context)
            case .chunk(let left):
                return take(left, then: { .chunk($0) }, context)
            case .chunkHead:
                guard let end = buffer.firstRange(of: [13, 10]) else { return false }
                guard let size = Int(Octets.text(buffer[..<end.lowerBound]), radix: 16) else {
                    buffer.removeFirst(end.upperBound)
                    return true
                }
                buffer.removeFirst(end.upperBound)
                if size == 0 { complete(context) } else { reading = .chunk(size) }
                return true
            case .done:
                return false
            }
        }

        private func begin(_ head: String, _ context: ChannelHandlerContext) {
            var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
            let first = (lines.popFirst() ?? "").split(separator: " ")
            var fields = HTTPFields()
            for line in lines {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
                fields.append(HTTPField(name: name, value: String(parts[1].drop { $0 == " " })))
            }
            let length = fields[.contentLength].flatMap { Int($0) } ?? 0
            let hasChunks = fields[.transferEncoding] == "chunked"
            let request = ReceivedRequest(
                method: String(first.first ?? ""), target: first.count > 1 ? String(first[1]) : "", fields: fields,
                isComplete: false)
            number = state.withLock { state in
                state.received.append(request)
                return state.received.count - 1
            }
            if fields[.expect] != nil { write("HTTP/1.1 100 Continue\r\n\r\n", context) }
            reading = hasChunks ? .chunkHead : .content(length)
            if request.target.hasPrefix("/early") { answer(context) }
            if !hasChunks, length == 0 { complete(context) }
        }

        private func take(_ left: Int, then: (Int) -> Reading, _ context: ChannelHandlerContext) -> Bool {
            guard !buffer.isEmpty else { return false }
            let count = min(left, buffer.count)
            state.withLock { $0.received[number].content += buffer.prefix(count) }
            buffer.removeFirst(count)
            if count < left {
                reading = then(left - count)
            } else if case .chunk = reading {
                // The line break behind a chunk is skipped as an empty chunk head.
                reading = .chunkHead
            } else {
                complete(context)
            }
            return true
        }

        private func complete(_ context: ChannelHandlerContext) {
            reading = .done
            let isAnswered = state.withLock { state in
                state.received[number].isComplete = true
                return state.received[number].target.hasPrefix("/early")
            }
            if !isAnswered { answer(context) }
        }

        private func answer(_ context: ChannelHandlerContext) {
            steps = script(state.withLock { $0.received[number] })
            play(context)
        }

        /// Goes on with the steps as far as the socket takes them. A write may call back here, so one runs at a time.
        private func play(_ context: ChannelHandlerContext) {
            guard !isPlaying else { return }
            isPlaying = true
            defer { isPlaying = false }
            while let step = steps.first {
                switch step {
                case .interim(let status, let fields):
                    write("HTTP/1.1 \(status) Interim\r\n\(Self.lines(fields))\r\n", context)
                case .head(let status, let fields, let framing):
                    isChunked = framing == .chunked
                    var text = "HTTP/1.1 \(status) Status\r\n\(Self.lines(fields))"
                    if case .length(let length) = framing { text += "Content-Length: \(length)\r\n" }
                    if isChunked { text += "Transfer-Encoding: chunked\r\n" }
                    write(text + "\r\n", context)
                case .bytes(let bytes): content(bytes, context)
                case .zeros(let count):
                    guard context.channel.isWritable else { return }
                    let size = min(count, 65_536)
                    steps[0] = .zeros(count - size)
                    content([UInt8](repeating: 0, count: Int(size)), context)
                    if count > size { continue }
                case .trailers(let fields):
                    write("0\r\n\(Self.lines(fields))\r\n", context)
                    isChunked = false
                case .breakOff:
                    steps = []
                    context.writeAndFlush(NIOAny(ByteBuffer())).assumeIsolated().whenComplete { _ in
                        context.close(promise: nil)
                    }
                    return
                case .silence: return
                }
                steps.removeFirst()
            }
            if isChunked { write("0\r\n\r\n", context) }
            isChunked = false
            if case .done = reading { reading = .head }
        }

        private static func lines(_ fields: HTTPFields) -> String {
            fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        }

        private func content(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
            guard !bytes.isEmpty else { return }
            state.withLock { $0.sentBytes += Int64(bytes.count) }
            if isChunked { write(String(bytes.count, radix: 16) + "\r\n", context) }
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
            if isChunked { write("\r\n", context) }
        }

        private func write(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: Octets.bytes(text))), promise: nil)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable { play(context) }
        }
    }
}
