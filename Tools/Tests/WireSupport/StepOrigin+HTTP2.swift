import CacheTesting
import HTTPTypes
import Locking
import NIOCore
import NIOHPACK
import NIOHTTP2

extension StepOrigin {
    /// One that plays its steps as HTTP/2, over TLS.
    package static func startHTTP2(_ script: @escaping TransportConformance.Script) async throws -> StepOrigin {
        let state = LockedBox(State())
        let channel = try await SecureOrigin.listen { channel in
            let handler = NIOHTTP2Handler(mode: .server, eventLoop: channel.eventLoop) { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandler(StreamHandler(script, state))
                }
            }
            try channel.pipeline.syncOperations.addHandler(handler)
        }
        return StepOrigin(channel, state)
    }

    private final class StreamHandler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        private let script: TransportConformance.Script
        private let state: LockedBox<State>
        private var number = 0
        private var steps: [OriginStep] = []
        private var isPlaying = false
        private var hasEnded = false

        init(_ script: @escaping TransportConformance.Script, _ state: LockedBox<State>) {
            self.script = script
            self.state = state
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .headers(let block):
                // A trailer section ends what has begun.
                if block.headers.contains(name: ":method") { begin(block.headers, context) }
                if block.endStream { complete(context) }
            case .data(let data):
                guard case .byteBuffer(let bytes) = data.data else { return }
                state.withLock { $0.received[number].content += bytes.readableBytesView }
                if data.endStream { complete(context) }
            default: break
            }
        }

        private func begin(_ headers: HPACKHeaders, _ context: ChannelHandlerContext) {
            var fields = HTTPFields()
            for (name, value, _) in headers where !name.hasPrefix(":") {
                if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
            }
            let request = ReceivedRequest(
                method: headers.first(name: ":method") ?? "", target: headers.first(name: ":path") ?? "",
                fields: fields, isComplete: false)
            number = state.withLock { state in
                state.received.append(request)
                return state.received.count - 1
            }
            if request.target.hasPrefix("/early") { answer(context) }
        }

        private func complete(_ context: ChannelHandlerContext) {
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

        private func play(_ context: ChannelHandlerContext) {
            guard !isPlaying else { return }
            isPlaying = true
            defer { isPlaying = false }
            while let step = steps.first {
                switch step {
                case .interim(let status, let fields): send(status, fields, context)
                case .head(let status, var fields, let framing):
                    if case .length(let length) = framing { fields[.contentLength] = String(length) }
                    send(status, fields, isLast: framing == .empty, context)
                case .bytes(let bytes): content(bytes, context)
                case .zeros(let count):
                    guard context.channel.isWritable else { return }
                    let size = min(count, 65_536)
                    steps[0] = .zeros(count - size)
                    content([UInt8](repeating: 0, count: Int(size)), context)
                    if count > size { continue }
                case .trailers(let fields): send(nil, fields, isLast: true, context)
                case .breakOff:
                    steps = []
                    let rest = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer())))
                    // Before a head there is nothing to wait for.
                    return context.writeAndFlush(wrapOutboundOut(rest)).assumeIsolated().whenComplete { _ in
                        context.close(promise: nil)
                    }
                case .silence: return
                }
                steps.removeFirst()
            }
            if !hasEnded { write(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)), context) }
            hasEnded = true
        }

        private func send(_ status: Int?, _ fields: HTTPFields, isLast: Bool = false, _ context: ChannelHandlerContext)
        {
            var headers = HPACKHeaders()
            if let status { headers.add(name: ":status", value: String(status)) }
            for field in fields { headers.add(name: field.name.canonicalName, value: field.value) }
            hasEnded = hasEnded || isLast
            write(.headers(.init(headers: headers, endStream: isLast)), context)
        }

        private func content(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
            guard !bytes.isEmpty else { return }
            state.withLock { $0.sentBytes += Int64(bytes.count) }
            write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)))), context)
        }

        private func write(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(payload), promise: nil)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable { play(context) }
        }
    }
}
