import Locking

/// Holds work back while a store is suspended.
final class SuspensionGate: Sendable {
    private struct State: Sendable {
        var isSuspended = false
        /// In the order in which it came.
        var held: [@Sendable () -> Void] = []
    }

    private let state = LockedBox(State())

    func suspend() { state.withLock { $0.isSuspended = true } }

    /// Runs what was held back, on this thread.
    func resume() {
        let held = state.withLock { state in
            defer { state = State() }
            return state.held
        }
        for work in held { work() }
    }

    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// Keeps the work for ``resume()`` if the store is suspended.
    ///
    /// - Returns: Whether it is held back. If not, the caller goes on itself.
    func holdBack(_ work: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.isSuspended { state.held.append(work) }
            return state.isSuspended
        }
    }

    /// Returns once the store is not suspended.
    func wait() async {
        await withCheckedContinuation { continuation in
            if !holdBack({ continuation.resume() }) { continuation.resume() }
        }
    }
}
