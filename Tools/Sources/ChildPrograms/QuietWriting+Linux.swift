#if os(Linux)
import Foundation
import Glibc

/// Writing to a pipe without SIGPIPE, which would end this process unless it is ignored.
enum QuietWriting {
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Result<Int, POSIXError> {
        var (pipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        guard count < 0 else { return .success(count) }
        let code = POSIXErrorCode(rawValue: errno) ?? .EIO
        if code == .EPIPE, !wasPending {
            // It was sent to this thread, so it is there to be taken.
            var now = timespec()
            while sigtimedwait(&pipe, nil, &now) < 0, errno == EINTR {}
        }
        return .failure(POSIXError(code))
    }
}
#endif
