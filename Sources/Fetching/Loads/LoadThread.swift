import CacheEngine
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

/// Says when work has stood still for too long. Each time that something moves, it gets the whole time again.
package final class ProgressTimer: Sendable {
    private let clock: EngineClock
    private let limit: Duration
    /// On the clock's uptime.
    private let deadline: LockedBox<Duration>

    /// - Parameter limit: The longest that the work may stand still.
    package init(_ limit: Duration, clock: EngineClock) {
        self.clock = clock
        self.limit = limit
        deadline = LockedBox(clock.uptime() + limit)
    }

    /// Something has moved.
    ///
    /// - Parameter grace: How much longer than usual the next step may take.
    package func restart(grace: Duration = .zero) {
        let next = clock.uptime() + limit + grace
        deadline.withLock { $0 = next }
    }

    /// Whether it has stood still for that long.
    package var isUp: Bool { deadline.withLock { $0 } <= clock.uptime() }

    /// Returns once the time is up.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    package func wait() async throws {
        while true {
            let left = deadline.withLock { $0 } - clock.uptime()
            guard left > .zero else { return }
            try await clock.sleep(left)
        }
    }
}
