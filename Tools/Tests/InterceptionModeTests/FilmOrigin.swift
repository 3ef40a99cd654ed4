import CachingProxy
import Foundation
import Locking
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

@testable import DemoSite

/// An origin with one long film, which counts what is read of it.
final class FilmOrigin: Sendable {
    /// What was asked and read since the last ``take()``.
    struct Reading: Sendable {
        /// The `Range` of each request for the film; `-` for one without.
        var ranges: [String] = []
        /// Octets of the film that were written to sockets.
        var octets = 0
    }

    /// 45 seconds at 8 pictures a second, 60 MB: pictures of one grey each, without a codec.
    static let film: [UInt8] = {
        let writer = QuickTimeWriter(width: 320, height: 180, rate: 8, coding: "raw ")
        return writer.bytes(frames: (0..<360).map { [UInt8](repeating: UInt8($0 % 256), count: 320 * 180 * 3) })
    }()

    let port: Int
    let certificatePEM: String
    private let channel: any Channel
    private let reading: LockedBox<Reading>
    private let connections: LockedBox<[any Channel]>

    /// - Parameter limit: How many octets of the film an answer has at once; the rest never comes, like that of a
    ///   network that is too slow to be waited for. `nil` for all.
    static func start(_ authority: CertificateAuthority, limit: Int?) async throws -> FilmOrigin {
        let identity = try authority.makeIdentity(names: ["127.0.0.1"])
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem))))
        let (reading, connections) = (LockedBox(Reading()), LockedBox<[any Channel]>([]))
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    connections.withLock { $0.append(channel) }
                    let operations = channel.pipeline.syncOperations
                    try operations.addHandler(NIOSSLServerHandler(context: context))
                    try operations.configureHTTPServerPipeline()
                    try operations.addHandler(FilmHandler(channel, reading, limit: limit ?? .max))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return FilmOrigin(channel, identity.certificatePEM, reading, connections)
    }

    private init(
        _ channel: any Channel, _ certificatePEM: String, _ reading: LockedBox<Reading>,
        _ connections: LockedBox<[any Channel]>
    ) {
        self.channel = channel
        self.certificatePEM = certificatePEM
        self.reading = reading
        self.connections = connections
        port = channel.localAddress?.port ?? 0
    }

    func take() -> Reading {
        reading.withLock { reading in
            defer { reading = Reading() }
            return reading
        }
    }

    func stop() async {
        try? await channel.close()
        for connection in connections.withLock({ $0 }) { try? await connection.close() }
    }
}

private final class FilmHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let channel: any Channel
    private let reading: LockedBox<FilmOrigin.Reading>
    private let limit: Int
    private var head: HTTPRequestHead?

    init(_ channel: any Channel, _ reading: LockedBox<FilmOrigin.Reading>, limit: Int) {
        self.channel = channel
        self.limit = limit
        self.reading = reading
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            Self.respond(to: head, on: channel, reading, limit)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private static func respond(
        to head: HTTPRequestHead, on channel: any Channel, _ reading: LockedBox<FilmOrigin.Reading>, _ limit: Int
    ) {
        // A client that has left needs no more.
        Task {
            if head.uri.hasPrefix("/film") {
                try? await sendFilm(head, on: channel, reading, limit)
            } else {
                try? await sendPage(on: channel)
            }
        }
    }

    private static func sendPage(on channel: any Channel) async throws {
        let page = "<!doctype html><title>film</title><video muted preload=metadata width=320 src=/film.mov></video>"
        let fields: HTTPHeaders = ["Content-Type": "text/html", "Content-Length": String(page.utf8.count)]
        channel.write(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok, headers: fields)), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: page))), promise: nil)
        try await channel.writeAndFlush(HTTPServerResponsePart.end(nil)).get()
    }

    /// The film or one range of it, in pieces of 64 KiB, each when the one before it has left.
    private static func sendFilm(
        _ request: HTTPRequestHead, on channel: any Channel, _ reading: LockedBox<FilmOrigin.Reading>, _ limit: Int
    ) async throws {
        let range = request.headers.first(name: "Range")
        reading.withLock { $0.ranges.append(range ?? "-") }
        let length = FilmOrigin.film.count
        let ends = (range ?? "bytes=0-").dropFirst("bytes=".count)
            .split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        let first = min(max(0, ends.first?.flatMap(\.self) ?? 0), length - 1)
        let last = min(max(first, ends.last?.flatMap(\.self) ?? length - 1), length - 1)
        var fields: HTTPHeaders = [
            "Content-Type": "video/quicktime", "Content-Length": String(last - first + 1), "Accept-Ranges": "bytes",
            "ETag": "\"film\"", "Cache-Control": "max-age=600",
        ]
        if range != nil { fields.add(name: "Content-Range", value: "bytes \(first)-\(last)/\(length)") }
        let status: HTTPResponseStatus = range == nil ? .ok : .partialContent
        channel.write(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: status, headers: fields)), promise: nil)
        var next = first
        while next <= last {
            let end = min(next + 65_536, last + 1)
            let piece = ByteBuffer(bytes: FilmOrigin.film[next..<end])
            try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(piece))).get()
            reading.withLock { $0.octets += end - next }
            next = end
            if next - first >= limit, next <= last { return try await channel.closeFuture.get() }
        }
        try await channel.writeAndFlush(HTTPServerResponsePart.end(nil)).get()
    }
}
