import Locking
import NIOCore
import NIOHPACK
import NIOPosix
import NIOTLS

/// An origin that speaks HTTP/2 frame by frame, and sends exactly those that it is told to, right or wrong. All it does
/// by itself is to send its settings and to acknowledge the client's. To who chooses HTTP/1.1 it says `one`.
package final class FrameOrigin: Sendable {
    /// A frame as it is on the wire, RFC 9113 §4.1.
    package struct Frame: Sendable {
        package enum Kind: UInt8, Sendable {
            case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
        }

        package var kind: UInt8
        package var flags: UInt8
        package var stream: UInt32
        package var payload: [UInt8]

        package init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
            (self.kind, self.flags, self.stream, self.payload) = (kind.rawValue, flags, stream, payload)
        }

        var bytes: [UInt8] {
            let length = UInt32(payload.count)
            return [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), kind, flags]
                + Self.octets(stream) + payload
        }

        static func octets(_ number: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        }
    }

    /// What the origin knows of a request.
    package struct Request: Sendable {
        package var stream: UInt32
        /// Counts requests from 1, over all connections.
        package var number: Int
        /// Counts connections from 0.
        package var connection: Int
        package var headers: [String: String]
        package var content = 0
        package var path: String { headers[":path"] ?? "" }
    }

    /// - Returns: The frames that answer a request; it is asked when the request has ended.
    package typealias Script = @Sendable (Request) -> [Step]

    package enum Step: Sendable {
        case frame(Frame)
        /// Closes the connection.
        case close
    }

    private struct State {
        var channels: [any Channel] = []
        var requests: [Request] = []
        var resets: [UInt32] = []
        var received = 0
        var plain = 0
    }

    package let port: Int
    private let channel: any Channel
    private let state: LockedBox<State>

    /// The requests whose end has come, over all connections.
    package var requests: [Request] { state.withLock { $0.requests } }
    /// How many connections were opened.
    package var connections: Int { state.withLock { $0.channels.count } }
    /// The codes of the resets that came.
    package var resets: [UInt32] { state.withLock { $0.resets } }
    /// How often octets came over HTTP/1.1.
    package var plain: Int { state.withLock { $0.plain } }
    /// Octets of content that came.
    package var received: Int { state.withLock { $0.received } }

    /// - Parameters:
    ///   - settings: Identifiers and values of the first SETTINGS frame.
    ///   - isGenerous: Whether the client gets room for content again as soon as some has come.
    package static func start(
        settings: [(UInt16, UInt32)] = [], protocols: [String] = ["h2", "http/1.1"], isGenerous: Bool = true,
        _ script: @escaping Script
    ) async throws -> FrameOrigin {
        let state = LockedBox(State())
        var first: [UInt8] = []
        for (name, value) in settings {
            first += [UInt8(name >> 8), UInt8(name & 0xFF)] + Frame.octets(value)
        }
        let channel = try await SecureOrigin.listen(protocols) { [first] channel in
            let index = state.withLock { state in
                state.channels.append(channel)
                return state.channels.count - 1
            }
            try channel.pipeline.syncOperations.addHandler(
                Handler(script, state, index, channel, Frame(.settings, first), isGenerous: isGenerous))
        }
        return FrameOrigin(channel, state)
    }

    private init(_ channel: any Channel, _ state: LockedBox<State>) {
        (self.channel, self.state) = (channel, state)
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    /// Sends frames that nobody asked for.
    package func send(_ frames: [Frame], on connection: Int = 0) async throws {
        let channel = state.withLock { $0.channels[connection] }
        try await channel.writeAndFlush(ByteBuffer(bytes: frames.flatMap(\.bytes))).get()
    }

    /// Returns once so many requests have come.
    package func requests(_ count: Int) async throws {
        while requests.count < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Returns once a connection is closed.
    package func closed(_ connection: Int) async throws {
        let channel = state.withLock { $0.channels[connection] }
        try await channel.closeFuture.get()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let script: Script
        private let state: LockedBox<State>
        private let index: Int
        private let first: Frame
        private let isGenerous: Bool
        private var input: [UInt8] = []
        private var decoder: HPACKDecoder
        private var hasPreface = false
        private var open: [UInt32: Request] = [:]
        private var isPlain = false

        init(
            _ script: @escaping Script, _ state: LockedBox<State>, _ index: Int, _ channel: any Channel,
            _ first: Frame, isGenerous: Bool
        ) {
            (self.script, self.state, self.index, self.first) = (script, state, index, first)
            self.isGenerous = isGenerous
            decoder = HPACKDecoder(allocator: channel.allocator)
            decoder.maxDynamicTableLength = Int(UInt32.max)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case .some(.handshakeCompleted(let chosen)) = event as? TLSUserEvent else { return }
            isPlain = chosen != "h2"
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if isPlain {
                guard unwrapInboundIn(data).readableBytesView.firstRange(of: Octets.bytes("HTTP/1.1\r\n")) != nil else {
                    return
                }
                state.withLock { $0.plain += 1 }
                let one = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none")
                return context.writeAndFlush(NIOAny(one), promise: nil)
            }
            input += unwrapInboundIn(data).readableBytesView
            if !hasPreface, input.count >= 24 {
                hasPreface = true
                input.removeFirst(24)
                write([first], context)
            }
            while hasPreface, input.count >= 9 {
                let length = input[0..<3].reduce(0) { $0 << 8 | Int($1) }
                guard input.count >= 9 + length else { return }
                let stream = input[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                var frame = Frame(.data, flags: input[4], stream: stream, Array(input[9..<(9 + length)]))
                frame.kind = input[3]
                input.removeFirst(9 + length)
                receive(frame, context)
            }
        }

        private func receive(_ frame: Frame, _ context: ChannelHandlerContext) {
            let isLast = frame.flags & 1 == 1
            switch Frame.Kind(rawValue: frame.kind) {
            case .settings where !isLast: write([Frame(.settings, flags: 1)], context)
            case .ping where !isLast: write([Frame(.ping, flags: 1, frame.payload)], context)
            case .headers:
                var block = ByteBuffer(bytes: frame.payload)
                guard let headers = try? decoder.decodeHeaders(from: &block) else { return context.close(promise: nil) }
                // A trailer section adds to what is there.
                var request =
                    open[frame.stream] ?? Request(stream: frame.stream, number: 0, connection: index, headers: [:])
                for (name, value, _) in headers { request.headers[name] = value }
                open[frame.stream] = request
                if isLast { complete(frame.stream, context) }
            case .data:
                open[frame.stream]?.content += frame.payload.count
                state.withLock { $0.received += frame.payload.count }
                let room = Frame.octets(UInt32(frame.payload.count))
                if isGenerous, !frame.payload.isEmpty {
                    write([Frame(.windowUpdate, room)], context)
                    if !isLast { write([Frame(.windowUpdate, stream: frame.stream, room)], context) }
                }
                if isLast { complete(frame.stream, context) }
            case .reset:
                open[frame.stream] = nil
                state.withLock { $0.resets.append(frame.payload.reduce(0) { $0 << 8 | UInt32($1) }) }
            default: break
            }
        }

        private func complete(_ stream: UInt32, _ context: ChannelHandlerContext) {
            guard var request = open.removeValue(forKey: stream) else { return }
            request = state.withLock { [request] state in
                var request = request
                request.number = state.requests.count + 1
                state.requests.append(request)
                return request
            }
            for step in script(request) {
                switch step {
                case .frame(let frame): write([frame], context)
                case .close: context.close(promise: nil)
                }
            }
        }

        private func write(_ frames: [Frame], _ context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: frames.flatMap(\.bytes))), promise: nil)
        }
    }
}

extension FrameOrigin.Frame {
    /// The codes of RFC 9113 §7 that tests send.
    package enum Code: UInt32, Sendable {
        case noError = 0, protocolError = 1, internalError = 2, refusedStream = 7, cancel = 8
        case enhanceYourCalm = 11, http11Required = 13
    }

    /// A field block, RFC 7541 §6.2.2: literals without indexing, names and values octet by octet.
    package static func block(_ lines: [(String, String)]) -> [UInt8] {
        lines.flatMap { name, value in [0] + string(name) + string(value) }
    }

    private static func string(_ text: String) -> [UInt8] {
        let bytes = Octets.bytes(text)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var (length, rest) = ([UInt8(127)], bytes.count - 127)
        while rest >= 128 {
            length.append(UInt8(rest % 128) | 128)
            rest /= 128
        }
        return length + [UInt8(rest)] + bytes
    }

    /// A field block in frames of the usual size.
    package static func blocks(_ lines: [(String, String)], on stream: UInt32, isLast: Bool = false) -> [Self] {
        let block = block(lines)
        let starts = Array(stride(from: 0, to: block.count, by: 16_384))
        return starts.enumerated().map { index, start in
            let piece = Array(block[start..<min(start + 16_384, block.count)])
            let end: UInt8 = index == starts.count - 1 ? 4 : 0
            let last: UInt8 = index == 0 && isLast ? 1 : 0
            return .init(index == 0 ? .headers : .continuation, flags: end + last, stream: stream, piece)
        }
    }

    package static func head(
        _ status: String = "200", _ fields: [(String, String)] = [], on stream: UInt32, isLast: Bool = false
    ) -> Self {
        .init(.headers, flags: isLast ? 5 : 4, stream: stream, block([(":status", status)] + fields))
    }

    package static func lines(_ lines: [(String, String)], on stream: UInt32, isLast: Bool = false) -> Self {
        .init(.headers, flags: isLast ? 5 : 4, stream: stream, block(lines))
    }

    package static func data(_ text: String, on stream: UInt32, isLast: Bool = true) -> Self {
        .init(.data, flags: isLast ? 1 : 0, stream: stream, Octets.bytes(text))
    }

    package static func reset(_ code: Code, on stream: UInt32) -> Self {
        .init(.reset, stream: stream, octets(code.rawValue))
    }

    package static func goAway(_ code: Code = .noError, last: UInt32) -> Self {
        .init(.goAway, octets(last) + octets(code.rawValue))
    }
}
