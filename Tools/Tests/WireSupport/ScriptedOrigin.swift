import CachingProxy
import Foundation
import Locking
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// An origin for tests: answers as each request's path says.
///
/// `/fixed` a cacheable text; `/counted` a number that grows; `/zeros/N` N cacheable bytes; `/stall` a head and half of
/// a body, then nothing; `/unended` a text of no stated length, after which the connection closes without TLS's alert;
/// `/hints` an interim response first; `/echo` the request's body length.
package final class ScriptedOrigin: Sendable {
    package var port: Int { reserved.number }
    /// Also once this has stopped.
    private let reserved: ReservedPort
    private let channel: any Channel

    package static func start(
        tls: (certificatePEM: String, keyPEM: String)? = nil, upTo version: TLSVersion? = nil
    ) async throws -> ScriptedOrigin {
        let reserved = try ReservedPort()
        let context = try tls.map { identity in
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8)).map {
                    .certificate($0)
                },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem)))
            configuration.minimumTLSVersion = .tlsv1
            configuration.maximumTLSVersion = version
            return try NIOSSLContext(configuration: configuration)
        }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let operations = channel.pipeline.syncOperations
                    if let context { try operations.addHandler(NIOSSLServerHandler(context: context)) }
                    try operations.configureHTTPServerPipeline()
                    try operations.addHandler(Handler())
                }
            }
            .bind(host: "127.0.0.1", port: reserved.number).get()
        return ScriptedOrigin(channel, reserved)
    }

    private init(_ channel: any Channel, _ reserved: ReservedPort) {
        (self.channel, self.reserved) = (channel, reserved)
    }

    package func stop() async {
        try? await channel.close()
    }

    private static let counter = RequestCounter()

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        private var head: HTTPRequestHead?
        private var received = 0
        private var remaining = 0
        private var isPouring = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, received) = (head, 0)
            case .body(let buffer): received += buffer.readableBytes
            case .end: answer(context)
            }
        }

        private func answer(_ context: ChannelHandlerContext) {
            guard let head else { return }
            let path = String(head.uri.split(separator: "?")[0])
            if path.hasPrefix("/zeros/"), let count = Int(path.dropFirst(7)) {
                send(context, ["Cache-Control": "max-age=600", "Content-Length": String(count)])
                remaining = count
                pour(context)
            } else if path == "/stall" {
                send(context, ["Cache-Control": "max-age=600", "Content-Length": "2000000"])
                context.writeAndFlush(
                    wrapOutboundOut(.body(.byteBuffer(ByteBuffer(repeating: 1, count: 1_000_000)))), promise: nil)
            } else if path == "/unended" {
                // HTTP/1.0, so that nothing adds a length or chunks; TLS says nothing of the end.
                let head = HTTPResponseHead(version: .http1_0, status: .ok, headers: ["Cache-Control": "max-age=600"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                let text = ByteBuffer(string: "unended \(ScriptedOrigin.counter.next())")
                let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
                let written = context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(text))))
                written.assumeIsolated().whenComplete { _ in (tls ?? context).close(promise: nil) }
            } else if path == "/hints" {
                let hints = HTTPResponseHead(
                    version: .http1_1, status: .custom(code: 103, reasonPhrase: "Early Hints"),
                    headers: ["Link": "</a.css>; rel=preload"])
                context.writeAndFlush(wrapOutboundOut(.head(hints)), promise: nil)
                text(context, "after the hints", [:])
            } else if path == "/echo" {
                text(context, "\(received)", ["Cache-Control": "no-store"])
            } else if path == "/counted" {
                text(context, "\(ScriptedOrigin.counter.next())", ["Cache-Control": "no-store"])
            } else {
                text(context, "fixed \(ScriptedOrigin.counter.next())", ["Cache-Control": "max-age=600"])
            }
        }

        private func text(_ context: ChannelHandlerContext, _ text: String, _ fields: HTTPHeaders) {
            var fields = fields
            fields.add(name: "Content-Length", value: String(text.utf8.count))
            send(context, fields)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        private func send(_ context: ChannelHandlerContext, _ fields: HTTPHeaders) {
            context.write(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: fields))), promise: nil)
        }

        /// Writes zeros as long as the socket takes them. A write may call back here, so one runs at a time.
        private func pour(_ context: ChannelHandlerContext) {
            guard !isPouring else { return }
            isPouring = true
            defer { isPouring = false }
            while remaining > 0, context.channel.isWritable {
                let count = min(remaining, 65_536)
                remaining -= count
                let isLast = remaining == 0
                context.writeAndFlush(
                    wrapOutboundOut(.body(.byteBuffer(ByteBuffer(repeating: 0, count: count)))), promise: nil)
                if isLast { context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil) }
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable { pour(context) }
        }
    }
}
