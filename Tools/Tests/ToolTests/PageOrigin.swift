import Foundation
import Locking
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import WireSupport

/// An origin for all hosts of a test, which answers as a function says and remembers what it was asked.
final class PageOrigin: Sendable {
    struct Request: Sendable {
        var method: String
        /// Without a port.
        var host: String
        var path: String
        /// Without the question mark; empty where there is none.
        var query: String
        var fields: HTTPHeaders

        /// The value of a cookie, RFC 6265 §4.2.1.
        func cookie(_ name: String) -> String? {
            fields["Cookie"].flatMap { $0.split(separator: ";") }
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }

        /// The decoded value of a query parameter.
        func parameter(_ name: String) -> String? {
            URLComponents(string: "?" + query)?.queryItems?.first { $0.name == name }?.value
        }
    }

    struct Answer: Sendable {
        var status = 200
        var fields: HTTPHeaders = [:]
        var body = ""
        /// Sent instead of ``body``; for what is no text.
        var content: [UInt8]?
        /// Waited for after ``body`` is out; what it returns ends the body.
        var rest: (@Sendable () async -> String)?

        static func page(_ title: String, _ content: String = "", _ fields: HTTPHeaders = [:]) -> Answer {
            var fields = fields
            fields.add(name: "Content-Type", value: "text/html; charset=utf-8")
            let text = content.isEmpty ? title : content
            return Answer(
                fields: fields,
                body: "<!DOCTYPE html><html><head><title>\(title)</title></head><body><h1>\(text)</h1></body></html>")
        }

        static func redirect(_ status: Int, to target: String, _ fields: HTTPHeaders = [:]) -> Answer {
            var fields = fields
            fields.add(name: "Location", value: target)
            return Answer(status: status, fields: fields)
        }

        static let notFound = Answer(status: 404, fields: ["Cache-Control": "no-store"])
    }

    typealias Script = @Sendable (Request) async -> Answer

    var port: Int { reserved.number }
    /// Also once this has stopped.
    private let reserved: ReservedPort
    private let channel: any Channel
    private let log: LockedBox<[Request]>
    private let connections: LockedBox<[any Channel]>

    /// All that was asked so far.
    var requests: [Request] { log.withLock { $0 } }
    /// `host/path` of all that was asked so far.
    var asked: [String] { requests.map { $0.host + $0.path } }

    static func start(
        tls: (certificatePEM: String, keyPEM: String)? = nil, _ script: @escaping Script
    ) async throws -> PageOrigin {
        let context = try tls.map { identity in
            try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8)).map {
                        .certificate($0)
                    },
                    privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem))))
        }
        let log = LockedBox<[Request]>([])
        let connections = LockedBox<[any Channel]>([])
        let reserved = try ReservedPort()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    connections.withLock { $0.append(channel) }
                    let operations = channel.pipeline.syncOperations
                    if let context { try operations.addHandler(NIOSSLServerHandler(context: context)) }
                    try operations.configureHTTPServerPipeline()
                    let handler = Handler(channel) { request in
                        log.withLock { $0.append(request) }
                        return await script(request)
                    }
                    try operations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: reserved.number).get()
        return PageOrigin(channel, reserved, log, connections)
    }

    private init(
        _ channel: any Channel, _ reserved: ReservedPort, _ log: LockedBox<[Request]>,
        _ connections: LockedBox<[any Channel]>
    ) {
        self.channel = channel
        self.reserved = reserved
        self.log = log
        self.connections = connections
    }

    deinit { channel.close(promise: nil) }

    /// From now on nobody can connect, and who is connected is no more.
    func stop() async {
        try? await channel.close()
        for connection in connections.withLock({ $0 }) { try? await connection.close() }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        private let channel: any Channel
        private let script: Script
        private var request: Request?

        init(_ channel: any Channel, _ script: @escaping Script) {
            self.channel = channel
            self.script = script
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                let target = head.uri.split(separator: "?", maxSplits: 1).map(String.init)
                let host = head.headers.first(name: "Host") ?? ""
                request = Request(
                    method: head.method.rawValue, host: String(host.prefix { $0 != ":" }), path: target.first ?? "/",
                    query: target.count > 1 ? target[1] : "", fields: head.headers)
            case .body: break
            case .end:
                guard let request else { return }
                Self.respond(to: request, by: script, on: channel)
            }
        }

        private static func respond(to request: Request, by script: @escaping Script, on channel: any Channel) {
            Task {
                let answer = await script(request)
                // A client that has left needs no answer.
                try? await send(answer, to: request, on: channel)
            }
        }

        private static func send(_ answer: Answer, to request: Request, on channel: any Channel) async throws {
            var fields = answer.fields
            if answer.rest == nil {
                fields.add(name: "Content-Length", value: String(answer.content?.count ?? answer.body.utf8.count))
            }
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: fields)
            channel.write(HTTPServerResponsePart.head(head), promise: nil)
            if request.method != "HEAD" {
                let body = HTTPServerResponsePart.body(
                    .byteBuffer(answer.content.map { ByteBuffer(bytes: $0) } ?? ByteBuffer(string: answer.body)))
                try await channel.writeAndFlush(body).get()
                if let rest = await answer.rest?() {
                    channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: rest))), promise: nil)
                }
            }
            try await channel.writeAndFlush(HTTPServerResponsePart.end(nil)).get()
        }
    }
}

/// Something that tasks wait for until it is opened; then nobody waits any more.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = LockedBox(State())

    /// Returns when the latch is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.arrivals += 1
                let arrivals = state.arrivals
                let watchers = state.watchers.filter { $0.count <= arrivals }.map(\.continuation)
                state.watchers.removeAll { $0.count <= arrivals }
                if state.isOpen { return watchers + [continuation] }
                state.waiting.append(continuation)
                return watchers
            }
            for continuation in ready { continuation.resume() }
        }
    }

    /// Returns when so many have come here, open or not.
    func arrived(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state -> Bool in
                if state.arrivals >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
