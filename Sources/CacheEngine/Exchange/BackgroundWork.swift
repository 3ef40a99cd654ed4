import HTTPCacheSemantics
import Locking

/// What goes on after an answer was given: transfers that are stored, and validations that nobody waits for, one at a
/// time per key and not too many at once.
final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [CacheKey: Task<Void, Never>] = [:]
        /// Begun, but its task is not noted yet.
        var starting: Set<CacheKey> = []
        var transfers = 0
        var waiting: [CheckedContinuation<Void, Never>] = []

        var isIdle: Bool { tasks.isEmpty && starting.isEmpty && transfers == 0 }
    }

    private let limit: Int
    private let state = LockedBox(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Runs the work unless there is some for this key, or too much altogether.
    func start(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        let mayStart = state.withLock { state -> Bool in
            let isKnown = state.tasks[key] != nil || state.starting.contains(key)
            guard !isKnown, state.tasks.count + state.starting.count < limit else { return false }
            state.starting.insert(key)
            return true
        }
        guard mayStart else { return }
        let task = Task {
            await work()
            finish(key)
        }
        state.withLock { state in
            // The work may have ended before it was noted.
            if state.starting.remove(key) != nil { state.tasks[key] = task }
        }
    }

    /// Receives and stores a response to its end, whoever goes on reading it.
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
