import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Process {
    /// Starts the program with no signal blocked.
    ///
    /// A child inherits the calling thread's signal mask, and Dispatch blocks nearly all signals on its threads: a
    /// child that was started there would never hear SIGTERM.
    package func runWithOpenSignals() throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
