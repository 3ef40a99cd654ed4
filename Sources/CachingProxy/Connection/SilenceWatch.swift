#if Proxy
import NIOCore

/// Notices that nothing has moved on a connection for a time. Lives on its event loop.
///
/// One task is scheduled for the whole of a connection, not one for each thing that moves; so silence is noticed after
/// one to two times the limit.
final class SilenceWatch<Progress: Equatable> {
    private let loop: any EventLoop
    private let limit: TimeAmount
    private let progress: () -> Progress?
    private let whenSilent: () -> Void
    private var task: Scheduled<Void>?

    /// Watches until ``stop()``, or until it was silent.
    ///
    /// - Parameters:
    ///   - progress: A value that changes when something moves; `nil` while silence does not count.
    ///   - whenSilent: Called once.
    init(
        _ limit: TimeAmount, on loop: any EventLoop, progress: @escaping () -> Progress?,
        whenSilent: @escaping () -> Void
    ) {
        (self.limit, self.loop, self.progress, self.whenSilent) = (limit, loop, progress, whenSilent)
        schedule(after: progress())
    }

    private func schedule(after last: Progress?) {
        task = loop.assumeIsolated().scheduleTask(in: limit) {
            let now = self.progress()
            if let now, now == last { self.whenSilent() } else { self.schedule(after: now) }
        }
    }

    func stop() {
        task?.cancel()
        task = nil
    }
}

extension ChannelHandlerContext {
    /// How many bytes that were written wait for the socket; falls while a slow reader takes them.
    var waitingBytes: Int { (try? channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0 }

    /// Closes the output and takes in what still comes for a time, then closes.
    ///
    /// RFC 9112 §9.6: with an immediate close "there is a significant risk that the client will not be able to read the
    /// last HTTP response": the system discards what the other side has not read when it has sent more meanwhile.
    func closeGently(within limit: TimeAmount) -> Scheduled<Void> {
        let bound = loopBound
        let linger = eventLoop.assumeIsolated().scheduleTask(in: limit) { bound.value.close(promise: nil) }
        close(mode: .output, promise: nil)
        channel.setOption(ChannelOptions.autoRead, value: true).whenFailure { _ in }
        read()
        return linger
    }
}
#endif
