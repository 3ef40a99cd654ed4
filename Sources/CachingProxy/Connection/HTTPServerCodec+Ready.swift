#if Proxy
import NIOCore

/// Answers from the store that can be written at once.
extension HTTPServerCodec {
    /// Writes the whole answer to a request that came without content. What the socket does not take waits here: only
    /// bytes that are in memory already, and regions of files.
    func write(_ answer: ReadyAnswer, _ context: ChannelHandlerContext) {
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
                // No byte of the answer has been sent; the close without one tells the client (RFC 9112 §9.6).
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

    /// The head and the part of the body in one buffer, if the budget allows one more. Reads at most
    /// ``CopyBudget/longest``.
    func copied(
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

    func write(_ region: BodyRegion, _ context: ChannelHandlerContext) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in region.release() }
        context.write(NIOAny(region.region), promise: promise)
    }

    /// Flushes what ``write(_:_:)-(ReadyAnswer,_)`` has written.
    ///
    /// - Returns: Whether another request may be read.
    func flushReadyAnswers(_ context: ChannelHandlerContext) -> Bool {
        guard needsFlush else { return false }
        needsFlush = false
        context.flush()
        return request == .awaited && !isOver && isTaken(context)
    }
}
#endif
