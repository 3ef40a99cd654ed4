#if Proxy
import Locking
import NIOCore

/// Work that is cancelled when it takes too long.
enum Deadline {
    private enum State {
        case open, done, passed
    }

    /// - Parameters:
    ///   - loop: Keeps the time.
    ///   - late: The error when the time was up before the work was done.
    /// - Throws: What the work throws, or `late`.
    static func run<Result: Sendable>(
        within limit: TimeAmount, on loop: any EventLoop, _ work: @escaping @Sendable () async throws -> Result,
        late: () -> any Error
    ) async throws -> Result {
        let state = LockedBox(State.open)
        let task = Task { try await work() }
        let alarm = loop.scheduleTask(in: limit) {
            let isLate = state.withLock { state -> Bool in
                if state == .open { state = .passed }
                return state == .passed
            }
            if isLate { task.cancel() }
        }
        defer { alarm.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        let isLate = state.withLock { state -> Bool in
            if state == .open { state = .done }
            return state == .passed
        }
        // A response that came in the same moment is dropped, and with it its connection.
        if isLate { throw late() }
        return try result.get()
    }
}
#endif
