import Dispatch
import Foundation

/// Something that is done on each SIGHUP, until it is cancelled.
///
/// The kernel sends the same signal when the terminal goes away that a process was started from; then the process is
/// asked to end, as it would have been by the signal's own meaning. Dispatch sources may be cancelled from any thread.
final class HangUp: @unchecked Sendable {
    private let source: any DispatchSourceSignal

    /// Returns when no signal is lost any more.
    ///
    /// - Parameter body: Called on a queue of its own, one call at a time; signals that come meanwhile make one more.
    static func each(_ body: @escaping @Sendable () -> Void) async -> HangUp {
        signal(SIGHUP, SIG_IGN)
        let hadTerminal = hasTerminal
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "larder.hang-up"))
        source.setEventHandler {
            if hadTerminal, !hasTerminal {
                kill(getpid(), SIGTERM)
            } else {
                body()
            }
        }
        await withCheckedContinuation { continuation in
            source.setRegistrationHandler { continuation.resume() }
            source.resume()
        }
        return HangUp(source)
    }

    private init(_ source: any DispatchSourceSignal) {
        self.source = source
    }

    func cancel() {
        source.cancel()
    }

    /// Whether there is a controlling terminal, tty(4): after a hang-up there is none.
    private static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }
}
