#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes
import NIOCore
import OriginDialing

/// Protocol upgrades, RFC 9110 §7.8.
extension TunnelSetup {
    /// Passes an upgrade request on. Where the origin switches protocols, bytes pass both ways from then on; otherwise
    /// the client gets the origin's answer, and both connections are closed.
    func upgrade(_ endpoint: OriginDialer.Endpoint) async throws {
        let request = HTTPRequest(
            method: head.method, scheme: target.scheme, authority: target.authority, path: target.path,
            headerFields: head.fields)
        let origin = try await dial(endpoint, for: NameAsker(of: request))
        do {
            try await withTaskCancellationHandler {
                try await upgrade(on: origin)
            } onCancel: {
                origin.close(promise: nil)
            }
        } catch {
            origin.close(promise: nil)
            throw error
        }
    }

    private func upgrade(on origin: any Channel) async throws {
        let request = UpgradeRequest(head, target, of: proxy.identity)
        var reader = try await AnswerReader(origin)
        reader.expect(within: proxy.configuration.limits.answer)
        origin.writeAndFlush(MessageWriter.head(request.head, .none), promise: nil)
        let answer: FinalHead
        do {
            answer = try await finalHead(to: request, from: &reader)
        } catch ChannelError.eof {
            throw TransportError(code: .timedOut, message: "'\(target.authority)' did not answer in time.")
        } catch {
            throw EngineError(code: .originBroken, message: "The origin sent no valid HTTP response.", cause: error)
        }
        if answer.head.status == .switchingProtocols {
            try await reader.putBack()
            try await join(origin, greeting: MessageWriter.head(answer.head.status, answer.head.fields, .none))
        } else {
            try await pass(answer, from: &reader)
            origin.close(promise: nil)
        }
    }

    private struct FinalHead {
        var head: ResponseHead
        var framing: MessageFraming
        /// The `Connection` options that it came with.
        var options: Set<String>
    }

    /// The first head that is no interim response; those are passed on.
    private func finalHead(to request: UpgradeRequest, from reader: inout AnswerReader) async throws -> FinalHead {
        for _ in 0...TransportRequest.interimLimit {
            var head = try await reader.head()
            let (framing, _) = try MessageFraming.of(&head, to: request.head.method)
            let options = head.fields.connectionOptions
            if head.status == .switchingProtocols {
                // "A server MUST NOT switch to a protocol that was not indicated by the client".
                guard UpgradeRequest.protocols(in: head.fields) == [UpgradeRequest.webSocket] else {
                    throw MessageFault.malformed("It switched to a protocol that nobody asked for.")
                }
            } else {
                // Fields about a new protocol are for the client; here there is none.
                HopByHopFields.remove(from: &head.fields)
            }
            proxy.identity.origin?.translate(&head.fields)
            head.fields.append(request.via)
            if head.status.code >= 200 || head.status == .switchingProtocols {
                return FinalHead(head: head, framing: framing, options: options)
            }
            let interim = HTTPResponse(status: head.status, headerFields: head.fields)
            try await channel.writeAndFlush(ResponsePart.interim(interim, exchange: nil))
        }
        throw MessageFault.malformed("There are too many interim responses.")
    }

    /// Passes the origin's answer on as fast as the client takes it. Once it has begun, an error closes the client's
    /// connection (RFC 9112 §8).
    private func pass(_ answer: FinalHead, from reader: inout AnswerReader) async throws {
        var served = UncachedRequest(.upgrade, head, target, status: answer.head.status.code)
        served.isComplete = false
        defer { proxy.report(served, since: start) }
        var response = HTTPResponse(status: answer.head.status, headerFields: answer.head.fields)
        if let cacheStatus = cacheStatus("fwd=bypass") { response.headerFields.append(cacheStatus) }
        let framing = answer.framing == .untilClose ? .chunked : answer.framing
        try await channel.writeAndFlush(ResponsePart.head(response, framing, closes: true))
        reader.begin(answer.framing)
        while true {
            reader.expect(within: proxy.configuration.limits.answer)
            switch try await reader.content() {
            case .bytes(let bytes):
                try await channel.writeAndFlush(ResponsePart.content(bytes))
                served.bytes += Int64(bytes.readableBytes)
                // A client that has all of the announced length may leave before the end is told (RFC 9112 §6.3).
                if case .length(let length) = framing { served.isComplete = served.bytes >= length }
            case .end(let trailers):
                let forwardable = TrailerFields.forwardable(trailers, connection: answer.options)
                try await channel.writeAndFlush(ResponsePart.end(trailers: forwardable))
                served.isComplete = true
                return
            }
        }
    }
}

/// Reads an answer piece by piece from a connection that is read on demand.
private struct AnswerReader {
    private var messages = MessageReader(.response)
    private let holder: NIOLoopBound<ByteHoldingHandler>
    private let eventLoop: any EventLoop
    /// When what is read has to be there.
    private var deadline = NIODeadline.distantFuture

    init(_ origin: any Channel) async throws {
        eventLoop = origin.eventLoop
        holder = try await eventLoop.submit {
            NIOLoopBound(try ByteHoldingHandler.find(on: origin), eventLoop: origin.eventLoop)
        }.get()
    }

    /// Limits the wait for what is read next, however it trickles; after it reading throws `ChannelError.eof`.
    mutating func expect(within limit: TimeAmount) { deadline = .now() + limit }

    mutating func head() async throws -> ResponseHead {
        while true {
            if let bytes = try messages.head() { return try ResponseHead(bytes) }
            guard try await readMore() else { throw MessageFault(code: .endedEarly, message: "There was no answer.") }
        }
    }

    mutating func begin(_ framing: MessageFraming) { messages.begin(framing) }

    mutating func content() async throws -> MessageReader.Content {
        while true {
            if let content = try messages.content() { return content }
            if try await readMore() { continue }
            guard let end = try messages.endOfInput() else { throw ChannelError.eof }
            return end
        }
    }

    private mutating func readMore() async throws -> Bool {
        let next = eventLoop.flatSubmit { [holder, deadline] in holder.value.next(within: deadline - .now()) }
        guard let bytes = try await next.get() else { return false }
        messages.append(bytes)
        return true
    }

    /// Gives back what was not read.
    mutating func putBack() async throws {
        let rest = messages.takeRest()
        try await eventLoop.submit { [holder] in holder.value.putBack(rest) }.get()
    }
}

/// A request to switch protocols as it goes to the origin, RFC 9110 §7.8.
struct UpgradeRequest: Sendable {
    let head: RequestHead
    /// Added to every answer of the origin.
    let via: HTTPField

    /// Only end-to-end fields pass, as in every request; `Connection` and `Upgrade` are said anew for our connection.
    init(_ received: RequestHead, _ target: RequestTarget, of identity: ProxyServer.Identity) {
        var rest = received.fields
        rest[.proxyAuthorization] = nil
        HopByHopFields.remove(from: &rest)
        var fields: HTTPFields = [.connection: "Upgrade"]
        fields[.upgrade] = Self.webSocket
        identity.complete(&rest, of: received, for: target)
        fields.append(contentsOf: rest)
        if !identity.isPartOfClient { fields.append(identity.via) }
        head = RequestHead(method: received.method, target: target.path, host: target.authority, fields: fields)
        via = identity.via
    }

    /// The only protocol that is switched to, RFC 6455 §4.1.
    static let webSocket = "websocket"

    /// Whether a request asks for a protocol that is passed on. "A server MAY ignore a received Upgrade header field";
    /// we ignore all but WebSocket, asked for by GET: the bytes of another protocol, above all of `h2c` (which RFC 9113
    /// §3.1 has made obsolete), could be requests that pass the cache and its checks unseen.
    ///
    /// A request with `only-if-cached` (RFC 9111 §5.2.1.7) must not reach the origin this way either.
    static func isWanted(by head: RequestHead, _ framing: MessageFraming) -> Bool {
        // "A server MUST ignore an Upgrade header field that is received in an HTTP/1.0 request."
        guard head.fields.connectionOptions.contains("upgrade"), !head.isHTTP10, framing.statedLength == 0 else {
            return false
        }
        return head.method == .get && protocols(in: head.fields).contains(webSocket)
            && !CacheControl(head.fields).has("only-if-cached")
    }

    /// In lower case: "Recipients SHOULD use case-insensitive comparison".
    static func protocols(in fields: HTTPFields) -> [String] {
        fields[values: .upgrade].flatMap { $0.split(separator: ",") }.map { String($0).trimmingWhitespace.lowercased() }
    }
}
#endif
