import Locking
import NIOCore
import NIOHPACK
import NIOPosix
import NIOSSL
import NIOTLS

/// A client of the proxy that opens a tunnel to `shop.test`, and speaks HTTP/2 in it frame by frame: exactly those that
/// it is told to, right or wrong. All it does by itself is to acknowledge settings and to make room for content. Where
/// it does not choose HTTP/2 it sends and receives texts.
package final class FrameClient: Sendable {
    package typealias Frame = FrameOrigin.Frame

    /// What has come on a stream.
    package struct Answer: Sendable {
        package var interim: [String] = []
        package var status: String?
        package var fields: [String] = []
        package var content: [UInt8] = []
        package var trailers: [String] = []
        package var hasEnded = false
        package var reset: UInt32?
        package var text: String { Octets.text(content) }

        package func field(_ name: String) -> String? {
            fields.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    private struct State {
        var answers: [UInt32: Answer] = [:]
        var settings: [UInt16: UInt32] = [:]
        /// Code of the proxy's GOAWAY.
        var goAway: UInt32?
        var text = ""
        var isClosed = false
    }

    private let channel: any Channel
    private let state: LockedBox<State>

    /// The proxy's settings.
    package var settings: [UInt16: UInt32] { state.withLock { $0.settings } }
    /// The code of the proxy's GOAWAY.
    package var goAway: UInt32? { state.withLock { $0.goAway } }
    package var text: String { state.withLock { $0.text } }
    /// All streams on which something has come.
    package var answers: [UInt32: Answer] { state.withLock { $0.answers } }

    /// - Parameters:
    ///   - authority: The certificate authority of the proxy, in PEM.
    ///   - isGenerous: Whether the proxy gets room for content again as soon as some has come.
    package static func connect(
        to port: Int, authority: String, protocols: [String] = ["h2"], settings: [(UInt16, UInt32)] = [],
        isGenerous: Bool = true
    ) async throws -> FrameClient {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        configuration.applicationProtocols = protocols
        configuration.shutdownTimeout = .zero
        let context = try NIOSSLContext(configuration: configuration)
        let state = LockedBox(State())
        var first: [UInt8] = []
        for (name, value) in settings { first += [UInt8(name >> 8), UInt8(name & 0xFF)] + Frame.octets(value) }
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let ready = loop.makePromise(of: Void.self)
        let channel = try await ClientBootstrap(group: loop)
            .channelInitializer { [first] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Handler(context, state, ready, channel, Frame(.settings, first), isGenerous: isGenerous))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await ready.futureResult.get()
        return FrameClient(channel, state)
    }

    private init(_ channel: any Channel, _ state: LockedBox<State>) {
        (self.channel, self.state) = (channel, state)
    }

    deinit { channel.close(promise: nil) }

    package func send(_ frames: [Frame]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: frames.flatMap(\.bytes))).get()
    }

    package func send(text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: Octets.bytes(text))).get()
    }

    package func close() { channel.close(promise: nil) }

    /// The head of a request as browsers send it.
    package static func head(
        _ path: String = "/", _ method: String = "GET", _ fields: [(String, String)] = [], on stream: UInt32,
        isLast: Bool = true
    ) -> Frame {
        let control = [
            (":method", method), (":scheme", "https"), (":authority", "shop.test"), (":path", path),
        ]
        return .lines(control + fields, on: stream, isLast: isLast)
    }

    /// Sends frames, and returns what comes on a stream once it has ended.
    package func ask(_ frames: [Frame], on stream: UInt32 = 1) async throws -> Answer {
        try await send(frames)
        return try await answer(on: stream)
    }

    /// What has come on a stream once it, or the connection, has ended.
    package func answer(on stream: UInt32) async throws -> Answer {
        while true {
            let (answer, isClosed) = state.withLock { ($0.answers[stream] ?? Answer(), $0.isClosed) }
            if answer.hasEnded || answer.reset != nil || isClosed { return answer }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Returns once something holds.
    package func wait(until holds: (FrameClient) -> Bool) async throws {
        while !holds(self) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Returns once the connection is closed.
    package func closed() async throws { try await channel.closeFuture.get() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private enum Phase { case tunnel, handshake, frames, text }

        private let tls: NIOSSLContext
        private let state: LockedBox<State>
        private let ready: EventLoopPromise<Void>
        private let first: Frame
        private let isGenerous: Bool
        private var phase = Phase.tunnel
        private var input: [UInt8] = []
        private var decoder: HPACKDecoder

        init(
            _ tls: NIOSSLContext, _ state: LockedBox<State>, _ ready: EventLoopPromise<Void>, _ channel: any Channel,
            _ first: Frame, isGenerous: Bool
        ) {
            (self.tls, self.state, self.ready, self.first) = (tls, state, ready, first)
            self.isGenerous = isGenerous
            decoder = HPACKDecoder(allocator: channel.allocator)
        }

        func channelActive(context: ChannelHandlerContext) {
            write("CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test:443\r\n\r\n".utf8, context)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            input += unwrapInboundIn(data).readableBytesView
            switch phase {
            case .tunnel:
                guard input.suffix(4) == [13, 10, 13, 10] else { return }
                (phase, input) = (.handshake, [])
                do {
                    let handler = try NIOSSLClientHandler(context: tls, serverHostname: "shop.test")
                    try context.pipeline.syncOperations.addHandler(handler, position: .first)
                } catch {
                    ready.fail(error)
                }
            case .handshake: break
            case .text:
                state.withLock { $0.text += Octets.text(input) }
                input = []
            case .frames:
                while input.count >= 9 {
                    let length = input[0..<3].reduce(0) { $0 << 8 | Int($1) }
                    guard input.count >= 9 + length else { return }
                    let stream = input[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                    var frame = Frame(.data, flags: input[4], stream: stream, Array(input[9..<(9 + length)]))
                    frame.kind = input[3]
                    input.removeFirst(9 + length)
                    receive(frame, context)
                }
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case .some(.handshakeCompleted(let chosen)) = event as? TLSUserEvent else { return }
            phase = chosen == "h2" ? .frames : .text
            if chosen == "h2" {
                write(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + first.bytes, context)
                write(Frame(.windowUpdate, Frame.octets(1_073_741_824)).bytes, context)
            } else {
                ready.succeed()
            }
        }

        private func receive(_ frame: Frame, _ context: ChannelHandlerContext) {
            let isLast = frame.flags & 1 == 1
            switch Frame.Kind(rawValue: frame.kind) {
            case .settings where !isLast:
                for start in stride(from: 0, to: frame.payload.count, by: 6) {
                    let name = frame.payload[start..<(start + 2)].reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
                    let value = frame.payload[(start + 2)..<(start + 6)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                    state.withLock { $0.settings[name] = value }
                }
                write(Frame(.settings, flags: 1).bytes, context)
                ready.succeed()
            case .ping where !isLast: write(Frame(.ping, flags: 1, frame.payload).bytes, context)
            case .headers:
                var block = ByteBuffer(bytes: frame.payload)
                guard let headers = try? decoder.decodeHeaders(from: &block) else { return context.close(promise: nil) }
                change(frame.stream) { $0.add(headers, isLast: isLast) }
            case .data:
                change(frame.stream) { answer in
                    answer.content += frame.payload
                    answer.hasEnded = isLast
                }
                let room = Frame.octets(UInt32(frame.payload.count))
                if isGenerous, !isLast, !frame.payload.isEmpty {
                    write(Frame(.windowUpdate, stream: frame.stream, room).bytes, context)
                }
            case .reset: change(frame.stream) { $0.reset = frame.payload.reduce(0) { $0 << 8 | UInt32($1) } }
            case .goAway:
                let code = frame.payload[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                state.withLock { $0.goAway = $0.goAway ?? code }
            default: break
            }
        }

        private func change(_ stream: UInt32, _ body: (inout Answer) -> Void) {
            state.withLock { body(&$0.answers[stream, default: Answer()]) }
        }

        private func write(_ bytes: some Sequence<UInt8>, _ context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            state.withLock { $0.isClosed = true }
            ready.fail(ChannelError.eof)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}

extension FrameClient.Answer {
    fileprivate mutating func add(_ headers: HPACKHeaders, isLast: Bool) {
        let lines = headers.filter { !$0.name.hasPrefix(":") }.map { "\($0.name): \($0.value)" }
        let code = headers.first(name: ":status")
        if let code, code.hasPrefix("1") {
            interim.append(([code] + lines).joined(separator: ", "))
        } else if let code {
            (status, fields) = (code, lines)
        } else {
            trailers = lines
        }
        hasEnded = isLast
    }
}
