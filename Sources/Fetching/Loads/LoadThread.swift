import Locking

/// The place where a ``LoadClient`` is called.
package protocol LoadThread: Sendable {
    /// Does one piece of work after the other, in order.
    func perform(_ work: @escaping @Sendable () -> Void)
    /// Does a piece of work, and waits for it.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value
}

extension LoadThread {
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            perform { continuation.resume(returning: work()) }
        }
    }
}

/// The main actor, where web views start and stop their loads.
package struct MainThread: LoadThread {
    package init() {}

    package func perform(_ work: @escaping @Sendable () -> Void) {
        Task { @MainActor in work() }
    }

    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await MainActor.run { work() }
    }
}

/// No thread in particular, for a client that may be called from any: on the caller's, one piece of work after the
/// other.
package final class SerialThread: LoadThread {
    private struct State: Sendable {
        var queue: [@Sendable () -> Void] = []
        var isBusy = false
    }

    private let state = LockedBox(State())

    package init() {}

    package func perform(_ work: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.queue.append(work)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard isFirst else { return }
        while let next = next() { next() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.queue.removeFirst()
        }
    }
}
