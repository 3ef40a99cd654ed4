import HTTPCacheSemantics
import Locking

/// The work that goes on after an answer: transfers that are stored, and validations in the background, one at a time
/// per key and not too many at once.
final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [CacheKey: Task<Void, Never>] = [:]
        /// Keys whose work has begun, but whose task is not noted yet.
        var starting: Set<CacheKey> = []
        /// The work that waits for its turn, in order.
        var waitingWork: [(key: CacheKey, work: @Sendable () async -> Void)] = []
        var transfers = 0
        var waiting: [CheckedContinuation<Void, Never>] = []

        var running: Int { tasks.count + starting.count }
        var isIdle: Bool { running == 0 && waitingWork.isEmpty && transfers == 0 }
    }

    private let limit: Int
    private let state = LockedBox(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Runs the work unless this key has some already, or too much runs in all.
    func start(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        let mayStart = state.withLock { state -> Bool in
            let isKnown = state.tasks[key] != nil || state.starting.contains(key)
            guard !isKnown, state.running < limit else { return false }
            state.starting.insert(key)
            return true
        }
        if mayStart { run(key, work) }
    }

    /// Runs all of the work in order, using at most half of the limit; replaces the work that still waits.
    func enqueue(_ work: [(key: CacheKey, work: @Sendable () async -> Void)]) {
        end { $0.waitingWork = work }
        startWaiting()
    }

    /// Drops the work that has not begun.
    func dropWaiting() {
        end { $0.waitingWork = [] }
    }

    private func startWaiting() {
        while true {
            let next = state.withLock { state -> (key: CacheKey, work: @Sendable () async -> Void)? in
                // Work that runs for a key already does the same.
                state.waitingWork.removeAll { state.tasks[$0.key] != nil || state.starting.contains($0.key) }
                guard state.running < max(1, limit / 2), !state.waitingWork.isEmpty else { return nil }
                let next = state.waitingWork.removeFirst()
                state.starting.insert(next.key)
                return next
            }
            guard let next else { return }
            run(next.key, next.work)
        }
    }

    private func run(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        let task = Task {
            await work()
            finish(key)
        }
        state.withLock { state in
            // The work may have ended before it was noted.
            if state.starting.remove(key) != nil { state.tasks[key] = task }
        }
    }

    /// Receives and stores a response to its end, even if nobody goes on reading it.
    func transfer(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { $0.transfers += 1 }
        Task {
            await work()
            end { $0.transfers -= 1 }
        }
    }

    private func finish(_ key: CacheKey) {
        end { state in
            state.starting.remove(key)
            state.tasks[key] = nil
        }
        startWaiting()
    }

    private func end(_ change: @Sendable (inout State) -> Void) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            change(&state)
            guard state.isIdle else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func cancelAll() {
        dropWaiting()
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state -> Bool in
                if !state.isIdle { state.waiting.append(continuation) }
                return state.isIdle
            }
            if isIdle { continuation.resume() }
        }
    }
}
