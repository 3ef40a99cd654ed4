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

        func isRunning(_ key: CacheKey) -> Bool { tasks[key] != nil || starting.contains(key) }
    }

    /// How much work may wait for its turn.
    private static let mostWaiting = 512

    private let limit: Int
    private let state = LockedBox(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Runs the work unless this key has some already; where too much runs in all, it waits.
    func start(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        let mayStart = state.withLock { state -> Bool in
            guard !state.isRunning(key) else { return false }
            guard state.running < limit else {
                let isKnown =
                    state.waitingWork.count >= Self.mostWaiting || state.waitingWork.contains { $0.key == key }
                if !isKnown { state.waitingWork.append((key, work)) }
                return false
            }
            state.starting.insert(key)
            return true
        }
        if mayStart { run(key, work) }
    }

    /// Runs all of the work in order, before the work that waits already, using at most half of the limit.
    func enqueue(_ work: [(key: CacheKey, work: @Sendable () async -> Void)]) {
        let keys = Set(work.map(\.key))
        end { state in
            let others = state.waitingWork.filter { !keys.contains($0.key) }
            state.waitingWork = Array((work + others).prefix(Self.mostWaiting))
        }
        startWaiting()
    }

    /// Drops the work that has not begun.
    func dropWaiting() {
        end { $0.waitingWork = [] }
    }

    private func startWaiting() {
        while true {
            let next = state.withLock { state -> (key: CacheKey, work: @Sendable () async -> Void)? in
                guard state.running < max(1, limit / 2) else { return nil }
                while !state.waitingWork.isEmpty {
                    let next = state.waitingWork.removeFirst()
                    // Work that runs for a key already does the same.
                    guard !state.isRunning(next.key) else { continue }
                    state.starting.insert(next.key)
                    return next
                }
                return nil
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
