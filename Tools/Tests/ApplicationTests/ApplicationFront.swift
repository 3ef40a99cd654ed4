import CacheTesting
import CachingProxy
import Foundation
import Locking
import NIOCore
import NIOPosix
import NIOSSL

/// TLS in front of an application: at one port for what comes from Larder, at another for what went past it.
final class ApplicationFront: Sendable {
    /// The application's host for those who come this way.
    static let host = "localhost"

    struct Ports: Sendable { var throughLarder, past, plain: Int }

    /// In PEM.
    let certificate: String
    /// ``Ports/plain`` is without TLS, and past Larder as well.
    let ports: Ports
    private let channels: [any Channel]
    private let heads: LockedBox<[String]>

    /// The first line of each request that went past Larder, behind `WebSocket` for one, since the last call.
    func takePast() -> [String] {
        heads.withLock { heads in
            defer { heads = [] }
            return heads
        }
    }

    /// - Parameter port: The application's.
    static func start(_ authority: CertificateAuthority, before port: Int) async throws -> ApplicationFront {
        let identity = try authority.makeIdentity(names: [host])
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem))))
        let heads = LockedBox<[String]>([])
        let note = { @Sendable (head: String) in heads.withLock { $0.append(head) } }
        let channels = try await [
            listen(context, before: port) { _ in }, listen(context, before: port, note),
            listen(nil, before: port, note),
        ]
        return ApplicationFront(channels, heads, certificate: identity.certificatePEM)
    }

    private init(_ channels: [any Channel], _ heads: LockedBox<[String]>, certificate: String) {
        (self.channels, self.heads, self.certificate) = (channels, heads, certificate)
        let ports = channels.map { $0.localAddress?.port ?? 0 }
        self.ports = Ports(throughLarder: ports[0], past: ports[1], plain: ports[2])
    }

    func stop() async {
        for channel in channels { try? await channel.close() }
    }

    private static func listen(
        _ context: NIOSSLContext?, before port: Int, _ note: @escaping @Sendable (String) -> Void
    ) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop).connect(host: "127.0.0.1", port: port)
                    .flatMapThrowing { server in
                        try server.pipeline.syncOperations.addHandler(Relay(to: client) { _ in })
                        let operations = client.pipeline.syncOperations
                        if let context { try operations.addHandler(NIOSSLServerHandler(context: context)) }
                        try operations.addHandler(Relay(to: server, note))
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }
}

/// Passes on what arrives, and an end.
private final class Relay: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let other: any Channel
    private let note: @Sendable (String) -> Void

    /// - Parameter note: Told of the first line of each request.
    init(to other: any Channel, _ note: @escaping @Sendable (String) -> Void) {
        self.other = other
        self.note = note
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let start = String(decoding: bytes.readableBytesView.prefix(2_000), as: UTF8.self)
        // Clients begin a request with a segment of its own.
        if let line = start.split(separator: "\r\n", maxSplits: 1).first, line.hasSuffix(" HTTP/1.1") {
            let isSocket = start.lowercased().contains("\r\nupgrade: websocket\r\n")
            note((isSocket ? "WebSocket " : "") + line.dropLast(" HTTP/1.1".count))
        }
        other.writeAndFlush(bytes, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
