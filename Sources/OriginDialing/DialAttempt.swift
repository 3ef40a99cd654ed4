#if Proxy
import Locking
import NIOCore

/// The channels of one attempt to connect, so that it can be given up: a name with several addresses is tried on
/// several channels.
final class DialAttempt: Sendable {
    private struct State: Sendable {
        var channels: [any Channel] = []
        var isCancelled = false
    }

    private let state = LockedBox(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// - Throws: `CancellationError` when the attempt was given up already.
    func begin(_ channel: any Channel) throws {
        let isCancelled = state.withLock { state -> Bool in
            state.channels.append(channel)
            return state.isCancelled
        }
        if isCancelled { throw CancellationError() }
    }

    /// Closes what was begun, and lets nothing more begin.
    func cancel() {
        let channels = state.withLock { state -> [any Channel] in
            state.isCancelled = true
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
#endif
