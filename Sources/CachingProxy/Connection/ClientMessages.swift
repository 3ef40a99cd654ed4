#if Proxy
import HTTPTypes
import NIOCore

/// The messages of a client's connection: octets to request parts, response parts to octets, one exchange at a time.
///
/// The next request is read when the answer to the one before is out (RFC 9112 §9.3.2 lets a server do so); until then
/// nothing is read from the socket, so that a client that sends on is slowed down. What is no request is answered
/// once, and the connection closed (§9.6).
final class ClientMessages: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = RequestPart
    typealias OutboundIn = ResponsePart
    typealias OutboundOut = ByteBuffer

    private enum Request {
        case awaited, arriving, complete
    }

    /// Asked first for an answer to each request.
    private let connection: ClientConnection?
    private var reader = MessageReader(.request)
    private var request = Request.awaited
    private var exchange = 0
    /// The answer's framing once its head is out.
    private var answer: AnswerWriter?
    /// Whether the whole answer is out, though the request may still be arriving.
    private var isAnswered = true
    private var isReading = false
    private var readIsWaiting = false
    /// Set when nothing more is read or written: what still comes belongs to nobody.
    private var isOver = false
    private var linger: Scheduled<Void>?
    private var needsFlush = false

    init(_ connection: ClientConnection? = nil) {
        self.connection = connection
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        reader.append(unwrapInboundIn(data))
        readOn(context)
    }

    private func readOn(_ context: ChannelHandlerContext) {
        // A part that is handed on may have its answer written at once.
        guard !isReading else { return }
        isReading = true
        defer { isReading = false }
        do throws(MessageFault) {
            repeat {
                while !isOver, let part = try nextPart(context) { context.fireChannelRead(wrapInboundOut(part)) }
            } while flushReadyAnswers(context)
        } catch {
            _ = flushReadyAnswers(context)
            refuse(error, context)
        }
    }

    /// Whether the socket takes what is written. While it does not, no request is read: a client that asks and does not
    /// read would have its answers pile up here.
    private func isTaken(_ context: ChannelHandlerContext) -> Bool { context.channel.isWritable }

    private func nextPart(_ context: ChannelHandlerContext) throws(MessageFault) -> RequestPart? {
        switch request {
        case .complete: return nil
        case .awaited:
            while !isOver, isTaken(context), let bytes = try reader.head() {
                if let answer = connection?.answerAgain(to: bytes) {
                    exchange += 1
                    write(answer, context)
                    continue
                }
                let head = try RequestHead(bytes)
                let framing = try MessageFraming(of: head)
                exchange += 1
                if let answer = connection?.readyAnswer(
                    to: head, framing, exchange: exchange, octets: bytes)
                {
                    write(answer, context)
                    continue
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

    private func refuse(_ fault: MessageFault, _ context: ChannelHandlerContext) {
        isOver = true
        if request == .arriving { context.fireErrorCaught(fault) }
        guard answer == nil else {
            // The answer has begun; a broken end is all that can still be said.
            context.close(promise: nil)
            return
        }
        let (head, content) = RequestRefusal(fault).answer
        var fields = head.headerFields
        fields[.connection] = "close"
        let bytes = MessageWriter.head(head.status, fields, .length(Int64(content.readableBytes)))
        context.write(wrapOutboundOut(bytes), promise: nil)
        writeLast(content, context, nil)
    }

    func read(context: ChannelHandlerContext) {
        let mustWait = request == .complete || (request == .awaited && !isTaken(context))
        if mustWait, !isOver {
            readIsWaiting = true
        } else {
            context.read()
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .interim(let head, let number):
            guard (number ?? exchange) == exchange, answer == nil, !isAnswered else {
                promise?.succeed()
                return
            }
            let bytes = MessageWriter.head(head.status, head.headerFields, .none)
            context.write(wrapOutboundOut(bytes), promise: promise)
        case .head(let head, let framing, let closes): begin(context, head, framing, closes, promise)
        case .content(let bytes): write(bytes, context, promise)
        case .end(let trailers): end(context, trailers, promise)
        case .whole(let head, let framing, let closes, let bytes):
            begin(context, head, framing, closes, nil)
            write(bytes, context, nil)
            end(context, [:], promise)
        case .stored(let head, let closes, let part):
            let copy = copied(part, behind: ByteBuffer(), context)
            let region = copy == nil ? try? BodyRegion(part) : nil
            guard copy != nil || region != nil else {
                promise?.fail(BodyRegion.Fault.cutShort)
                return
            }
            begin(context, head, .length(Int64(part.range.count)), closes, nil)
            answer?.skip(part.range.count)
            if let copy { context.write(wrapOutboundOut(copy.bytes), promise: copy.written) }
            if let region { write(region, context) }
            end(context, [:], promise)
        }
    }

    /// Writes the whole answer to a request that came without content. Not more than the socket takes waits here: what
    /// is in memory already, and regions of files.
    private func write(_ answer: ReadyAnswer, _ context: ChannelHandlerContext) {
        needsFlush = true
        var last = answer.head
        var written: EventLoopPromise<Void>?
        switch answer.content {
        case .none: break
        case .bytes(let bytes, let part):
            bytes.withUnsafeBytes { bytes in
                last = context.channel.allocator.buffer(capacity: answer.head.readableBytes + part.count)
                last.writeImmutableBuffer(answer.head)
                last.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[part]))
            }
        case .stored(let part):
            if let copy = copied(part, behind: answer.head, context) {
                (last, written) = (copy.bytes, copy.written)
                break
            }
            guard let region = try? BodyRegion(part) else {
                // Nothing of the answer is out; the end without one tells the client (RFC 9112 §9.6).
                isOver = true
                context.close(promise: nil)
                return
            }
            context.write(wrapOutboundOut(answer.head), promise: nil)
            write(region, context)
            guard answer.closes else { return }
            last = ByteBuffer()
        }
        if answer.closes {
            writeLast(last, context, written)
        } else {
            context.write(wrapOutboundOut(last), promise: written)
        }
    }

    /// The head and the part of the body in one buffer, as far as there may be such buffers.
    private func copied(
        _ part: StoredPart, behind head: ByteBuffer, _ context: ChannelHandlerContext
    ) -> (bytes: ByteBuffer, written: EventLoopPromise<Void>)? {
        let count = part.range.count
        guard let copies = connection?.proxy.copies, copies.take(count) else { return nil }
        var bytes = context.channel.allocator.buffer(capacity: head.readableBytes + count)
        bytes.writeImmutableBuffer(head)
        guard part.copy(into: &bytes) else {
            copies.give(count)
            return nil
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in copies.give(count) }
        return (bytes, written)
    }

    private func write(_ region: BodyRegion, _ context: ChannelHandlerContext) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in region.release() }
        context.write(NIOAny(region.region), promise: promise)
    }

    /// Sends what ``write(_:_:)-(ReadyAnswer,_)`` has written.
    ///
    /// - Returns: Whether there may be another request to be read.
    private func flushReadyAnswers(_ context: ChannelHandlerContext) -> Bool {
        guard needsFlush else { return false }
        needsFlush = false
        context.flush()
        return request == .awaited && !isOver && isTaken(context)
    }

    private func begin(
        _ context: ChannelHandlerContext, _ head: HTTPResponse, _ framing: MessageFraming, _ closes: Bool,
        _ promise: EventLoopPromise<Void>?
    ) {
        var fields = head.headerFields
        if closes { fields[.connection] = "close" }
        answer = AnswerWriter(framing, closes: closes)
        context.write(wrapOutboundOut(MessageWriter.head(head.status, fields, framing)), promise: promise)
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        switch answer?.content(bytes) {
        case nil: promise?.fail(ChannelError.ioOnClosedChannel)
        case .nothing: promise?.succeed()
        case .plain(let bytes): context.write(wrapOutboundOut(bytes), promise: promise)
        case .chunk(let bytes):
            context.write(wrapOutboundOut(MessageWriter.chunkHead(bytes.readableBytes)), promise: nil)
            context.write(wrapOutboundOut(bytes), promise: nil)
            context.write(wrapOutboundOut(MessageWriter.chunkEnd), promise: promise)
        }
    }

    private func end(_ context: ChannelHandlerContext, _ trailers: HTTPFields, _ promise: EventLoopPromise<Void>?) {
        guard let answer, let last = answer.end(trailers) else {
            // Less content than was announced: the client must see that it is not the whole (RFC 9112 §8).
            isOver = true
            promise?.fail(ChannelError.ioOnClosedChannel)
            context.close(promise: nil)
            return
        }
        self.answer = nil
        isAnswered = true
        if answer.closes {
            writeLast(last, context, promise)
        } else {
            // Even when it is nothing: the promise must not come before what was written.
            context.write(wrapOutboundOut(last), promise: promise)
            if request == .complete { request = .awaited }
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        goOn(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        goOn(context)
        context.fireChannelWritabilityChanged()
    }

    /// Reads the next request, when the last answer is out and the socket takes another one.
    private func goOn(_ context: ChannelHandlerContext) {
        guard answer == nil, request == .awaited, !isOver, !isReading, isTaken(context) else { return }
        readOn(context)
        if readIsWaiting, request != .complete, request != .awaited || isTaken(context) {
            readIsWaiting = false
            context.read()
        }
    }

    // MARK: The end

    /// Writes the last that will be written.
    private func writeLast(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        isOver = true
        let bound = context.loopBound
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.closeGently(bound.value) }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
    }

    /// RFC 9112 §9.6: with an immediate close "there is a significant risk that the client will not be able to read the
    /// last HTTP response". So only the output is closed, and what the client still sends is taken in for a while.
    private func closeGently(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        let bound = context.loopBound
        linger = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(2)) {
            bound.value.close(promise: nil)
        }
        context.close(mode: .output, promise: nil)
        context.channel.setOption(ChannelOptions.autoRead, value: true).whenFailure { _ in }
        context.read()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard linger == nil || mode != .all else {
            promise?.succeed()
            return
        }
        context.close(mode: mode, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        linger?.cancel()
        isOver = true
        context.fireChannelInactive()
    }

    /// What was received but not read goes on to the next handler.
    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        isOver = true
        let rest = reader.takeRest()
        if rest.readableBytes > 0 {
            context.fireChannelRead(NIOAny(rest))
            context.fireChannelReadComplete()
        }
        context.leavePipeline(removalToken: removalToken)
    }
}
#endif
