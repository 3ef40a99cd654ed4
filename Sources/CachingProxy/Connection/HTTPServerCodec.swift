#if Proxy
import HTTPMessages
import HTTPTypes
import NIOCore

/// Reads request parts from a client's octets and writes response parts as octets, one exchange at a time.
///
/// The next request is read when the answer to the previous one is sent (RFC 9112 §9.3.2 lets a server do so); until
/// then nothing is read from the socket, so that a client that goes on sending is slowed down. An invalid request is
/// answered once, and the connection is closed (§9.6). A client that has ended its side gets the answers to the
/// requests it had sent.
final class HTTPServerCodec: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = RequestPart
    typealias OutboundIn = ResponsePart
    typealias OutboundOut = ByteBuffer

    enum Request {
        case awaited, arriving, complete
    }

    /// Asked first for an answer to each request.
    let handler: ProxyRequestHandler?
    var reader = MessageReader(.request)
    var request = Request.awaited
    var exchange = 0
    /// Counts the writes of answers.
    var writes = 0
    /// The answer's framing once its head is sent.
    var answer: AnswerWriter?
    /// Whether the whole answer is sent, though the request may still be arriving.
    var isAnswered = true
    var isReading = false
    var readIsWaiting = false
    /// Set when nothing more is read or written; bytes that still arrive are ignored.
    var isOver = false
    var linger: Scheduled<Void>?
    var needsFlush = false
    /// Whether the client has ended its side.
    var inputHasEnded = false
    /// Whether no more requests are accepted.
    var isStopping = false
    let limits: ProxyConfiguration.Limits
    /// Runs while a part of a head has arrived.
    var headLimit: Scheduled<Void>?
    var watch: SilenceWatch<[Int]>?

    init(_ handler: ProxyRequestHandler? = nil, limits: ProxyConfiguration.Limits = .init()) {
        self.handler = handler
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = context.loopBound
        watch = SilenceWatch(limits.idle, on: context.eventLoop) { [weak self] in
            guard let self, isAnswered, !isOver, bound.value.waitingBytes == 0 else { return nil }
            return [exchange]
        } whenSilent: { [weak self] in
            self?.writeLast(ByteBuffer(), bound.value, nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        headLimit?.cancel()
        watch?.stop()
        watch = nil
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        reader.append(unwrapInboundIn(data))
        readOn(context)
    }

    func readOn(_ context: ChannelHandlerContext) {
        // A part that is passed on may be answered at once, which comes back here.
        guard !isReading else { return }
        isReading = true
        defer { isReading = false }
        do throws(MessageFault) {
            repeat {
                while !isOver, let part = try nextPart(context) { context.fireChannelRead(wrapInboundOut(part)) }
            } while flushReadyAnswers(context)
            watchHead(context)
            if inputHasEnded || isStopping { try finish(context) }
        } catch {
            _ = flushReadyAnswers(context)
            refuse(error, context)
        }
    }

    /// Whether the socket takes more bytes. While it does not, no request is read: answers to a client that does not
    /// read them would pile up here.
    func socketHasRoom(_ context: ChannelHandlerContext) -> Bool { context.channel.isWritable }

    func nextPart(_ context: ChannelHandlerContext) throws(MessageFault) -> RequestPart? {
        switch request {
        case .complete: return nil
        case .awaited:
            while !isOver, socketHasRoom(context), !isStopping, let bytes = try reader.head() {
                if headLimit != nil { headIsThere() }
                exchange += 1
                let (head, framing): (RequestHead, MessageFraming)
                switch try handler?.read(bytes, exchange: exchange) {
                case .answered(let answer)?:
                    write(answer, context)
                    continue
                case .begun(let framing)?:
                    reader.begin(framing)
                    _ = try reader.content()
                    request = .complete
                    isAnswered = false
                    return nil
                case .read(let read, let found)?: (head, framing) = (read, found)
                case nil:
                    head = try RequestHead(bytes)
                    framing = try MessageFraming(of: head)
                }
                reader.begin(framing)
                request = .arriving
                isAnswered = false
                return .head(head, framing, exchange: exchange)
            }
            return nil
        case .arriving:
            switch try reader.content() {
            case .bytes(let bytes): return .content(bytes)
            case .end(let trailers):
                request = isAnswered ? .awaited : .complete
                return .end(trailers: trailers)
            case nil: return nil
            }
        }
    }

    /// Limits the time for a head: one that never ends would hold its connection for ever.
    func watchHead(_ context: ChannelHandlerContext) {
        guard request == .awaited, !isOver, !reader.isEmpty, socketHasRoom(context) else { return headIsThere() }
        guard headLimit == nil else { return }
        let bound = context.loopBound
        headLimit = context.eventLoop.assumeIsolated().scheduleTask(in: limits.head) {
            self.refuse(.late, bound.value)
        }
    }

    func headIsThere() {
        headLimit?.cancel()
        headLimit = nil
    }

    func refuse(_ fault: MessageFault, _ context: ChannelHandlerContext) {
        isOver = true
        if request == .arriving { context.fireErrorCaught(fault) }
        // A second answer would be taken for that to the next request (RFC 9112 §9.2).
        if request == .arriving, isAnswered { return writeLast(ByteBuffer(), context, nil) }
        refuse(.notHTTP(fault), context)
    }

    func refuse(_ refusal: RequestRefusal, _ context: ChannelHandlerContext) {
        isOver = true
        headIsThere()
        guard answer == nil else {
            // The answer has begun; only a broken end can still tell the client.
            context.close(promise: nil)
            return
        }
        if request != .arriving || handler?.hasExchange != true { handler?.proxy.report(refusal) }
        let (head, content) = refusal.answer
        var fields = head.headerFields
        fields[.connection] = "close"
        let bytes = MessageWriter.head(head.status, fields, .length(Int64(content.readableBytes)))
        context.write(wrapOutboundOut(bytes), promise: nil)
        writeLast(content, context, nil)
    }

    func read(context: ChannelHandlerContext) {
        let mustWait = request == .complete || (request == .awaited && !socketHasRoom(context))
        if mustWait, !isOver {
            readIsWaiting = true
        } else {
            context.read()
        }
    }

    // MARK: Answers from the store that can be written at once

    /// Writes the whole answer to a request that came without content. What the socket does not take waits here: only
    /// bytes that are in memory already.
    func write(_ answer: ReadyAnswer, _ context: ChannelHandlerContext) {
        needsFlush = true
        var last = answer.head
        if !answer.content.isEmpty {
            last = context.channel.allocator.buffer(capacity: answer.head.readableBytes + answer.content.count)
            last.writeImmutableBuffer(answer.head)
            last.writeBytes(answer.content)
        }
        if answer.closes {
            writeLast(last, context, nil)
        } else {
            context.write(wrapOutboundOut(last), promise: nil)
        }
    }

    /// Flushes what ``write(_:_:)-(ReadyAnswer,_)`` has written.
    ///
    /// - Returns: Whether another request may be read.
    func flushReadyAnswers(_ context: ChannelHandlerContext) -> Bool {
        guard needsFlush else { return false }
        needsFlush = false
        context.flush()
        return request == .awaited && !isOver && socketHasRoom(context)
    }

    // MARK: The way back to the socket

    func flush(context: ChannelHandlerContext) {
        context.flush()
        goOn(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        goOn(context)
        context.fireChannelWritabilityChanged()
    }

    /// Reads the next request if the last answer is sent and the socket takes another one.
    func goOn(_ context: ChannelHandlerContext) {
        guard answer == nil, request == .awaited, !isOver, !isReading, socketHasRoom(context) else { return }
        readOn(context)
        if readIsWaiting, request != .complete, request != .awaited || socketHasRoom(context) {
            readIsWaiting = false
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            inputHasEnded = true
            watchHalfClosed(context)
            readOn(context)
        } else if event is EndOfService {
            isStopping = true
            readOn(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard linger == nil || mode != .all else {
            promise?.succeed()
            return
        }
        context.close(mode: mode, promise: promise)
    }
}
#endif
