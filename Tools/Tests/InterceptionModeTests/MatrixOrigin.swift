import CachingProxy
import Foundation
import Locking
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import WireSupport

/// The origin of all hosts of the page, on https: what it answers stands in ``MatrixRoutes``.
final class MatrixOrigin: Sendable {
    /// The hosts that it answers for.
    static let hosts = ["example.com", "www.example.com", "example.net", "example.org"]
    /// A host at which nobody listens.
    static let unreachable = "gone.example.com"

    var port: Int { reserved.number }
    /// Where the same is answered at plain http, with the field `X-Scheme` put into each request.
    var plainPort: Int { plain.number }
    /// Where nobody listens.
    var deadPort: Int { dead.number }
    /// What all hosts present, in PEM.
    let certificatePEM: String

    private let reserved: ReservedPort
    private let plain: ReservedPort
    private let dead: ReservedPort
    private let channels: [any Channel]
    private let routes: MatrixRoutes
    private let connections: LockedBox<[any Channel]>

    static func start(_ authority: CertificateAuthority) async throws -> MatrixOrigin {
        let identity = try authority.makeIdentity(names: hosts)
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem))))
        let (routes, reserved, plain) = (try MatrixRoutes(), try ReservedPort(), try ReservedPort())
        let connections = LockedBox<[any Channel]>([])
        var channels: [any Channel] = []
        for (port, context) in [(reserved, context), (plain, nil)] {
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        connections.withLock { $0.append(channel) }
                        try configure(channel, context, routes)
                    }
                }
            channels.append(try await bootstrap.bind(host: "127.0.0.1", port: port.number).get())
        }
        return try MatrixOrigin(channels, reserved, plain, routes, connections, identity.certificatePEM)
    }

    private init(
        _ channels: [any Channel], _ reserved: ReservedPort, _ plain: ReservedPort, _ routes: MatrixRoutes,
        _ connections: LockedBox<[any Channel]>, _ certificatePEM: String
    ) throws {
        self.channels = channels
        (self.reserved, self.plain) = (reserved, plain)
        self.routes = routes
        self.connections = connections
        self.certificatePEM = certificatePEM
        dead = try ReservedPort()
    }

    func stop() async {
        for channel in channels { try? await channel.close() }
        for connection in connections.withLock({ $0 }) { try? await connection.close() }
        await routes.mailbox.close()
    }

    /// - Parameter context: `nil` at plain http.
    private static func configure(_ channel: any Channel, _ context: NIOSSLContext?, _ routes: MatrixRoutes) throws {
        let operations = channel.pipeline.syncOperations
        if let context { try operations.addHandler(NIOSSLServerHandler(context: context)) }
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, head in
                channel.eventLoop.makeSucceededFuture(head.uri == "/socket" ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(SocketEcho()) }
            })
        try operations.configureHTTPServerPipeline(
            withPipeliningAssistance: true,
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { $0.pipeline.removeHandler(name: MatrixHandler.name, promise: nil) }
            ), withErrorHandling: true)
        try operations.addHandler(
            MatrixHandler(channel, routes, isPlain: context == nil), name: MatrixHandler.name)
    }
}

/// Collects requests, and writes what ``MatrixRoutes`` answers.
private final class MatrixHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    static let name = "matrix"
    private let channel: any Channel
    private let routes: MatrixRoutes
    private let isPlain: Bool
    private var request: MatrixRequest?

    init(_ channel: any Channel, _ routes: MatrixRoutes, isPlain: Bool) {
        self.channel = channel
        self.isPlain = isPlain
        self.routes = routes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            var begun = MatrixRequest(head)
            if isPlain { begun.fields.add(name: "X-Scheme", value: "http") }
            request = begun
            tell("begun", begun)
        case .body(let buffer): request?.body += buffer.readableBytesView
        case .end:
            guard let request else { return }
            self.request = nil
            Self.respond(to: request, routes, channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) {
        if let request { tell("gone", request) }
    }

    private func tell(_ what: String, _ request: MatrixRequest) {
        guard let id = request["id"] else { return }
        let mailbox = routes.mailbox
        Task { await mailbox.put(what, under: "\(what) \(id)") }
    }

    private static func respond(to request: MatrixRequest, _ routes: MatrixRoutes, _ channel: any Channel) {
        Task {
            let answer = await routes.answer(request)
            // A client that has left needs no answer.
            try? await send(answer, to: request, on: channel)
        }
    }

    private static func send(_ answer: MatrixAnswer, to request: MatrixRequest, on channel: any Channel) async throws {
        if answer.hangsUp { return try await channel.close() }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: answer.fields)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        if request.method != "HEAD", ![204, 304].contains(answer.status) {
            let body = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: answer.body)))
            try await channel.writeAndFlush(body).get()
            if answer.breaksOff { return try await channel.close() }
            if let rest = await answer.rest?() {
                channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: rest))), promise: nil)
            }
        }
        try await channel.writeAndFlush(HTTPServerResponsePart.end(nil)).get()
    }
}

/// Sends back what it gets.
private final class SocketEcho: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        let isEnd = frame.opcode == .connectionClose
        guard frame.opcode == .text || isEnd else { return }
        let answer = WebSocketFrame(fin: frame.fin, opcode: frame.opcode, data: frame.unmaskedData)
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        if isEnd { context.close(promise: nil) }
    }
}
