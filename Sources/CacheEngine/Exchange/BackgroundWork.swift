import HTTPCacheSemantics
import Locking

/// The work that goes on after an answer: transfers that are stored, and validations in the background, one at a time
/// per key, not too many at once, and of one host no more than three quarters, so that a silent one keeps no other
/// waiting.
final class BackgroundWork: Sendable {
    private struct Waiting {
        var key: CacheKey
        var host: String
        var work: @Sendable () async -> Void

        init(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
            (self.key, self.work) = (key, work)
            host = TargetURI.split(key.uri)?.authority ?? ""
        }
    }

    private struct State {
        var tasks: [CacheKey: Task<Void, Never>] = [:]
        /// Keys whose work has begun, but whose task is not noted yet.
        var starting: Set<CacheKey> = []
        /// The number of keys of each host whose work runs.
        var hosts: [String: Int] = [:]
        /// The work that waits for its turn, in order.
        var waitingWork: [Waiting] = []
        var transfers = 0
        var waiting: [CheckedContinuation<Void, Never>] = []

        var running: Int { tasks.count + starting.count }
        var isIdle: Bool { running == 0 && waitingWork.isEmpty && transfers == 0 }

        func isRunning(_ key: CacheKey) -> Bool { tasks[key] != nil || starting.contains(key) }

        mutating func begin(_ work: Waiting) {
            starting.insert(work.key)
            hosts[work.host, default: 0] += 1
        }

        mutating func end(_ work: Waiting) {
            starting.remove(work.key)
            tasks[work.key] = nil
            hosts[work.host] = hosts[work.host].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }

    /// How much work may wait for its turn.
    private static let mostWaiting = 512

    private let limit: Int
    /// For what has to wait; what comes while others wait may have half as much again.
    private var limitOfHost: Int { max(1, limit / 2) }
    private let state = LockedBox(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Runs the work unless this key has some already; where too much runs in all, it waits.
    func start(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        let work = Waiting(key, work)
        let mayStart = state.withLock { state -> Bool in
            guard !state.isRunning(key) else { return false }
            guard state.running < limit, state.hosts[work.host] ?? 0 < max(2, limitOfHost * 3 / 2) else {
                let isKnown =
                    state.waitingWork.count >= Self.mostWaiting || state.waitingWork.contains { $0.key == key }
                if !isKnown { state.waitingWork.append(work) }
                return false
            }
            state.begin(work)
            return true
        }
        if mayStart { run(work) }
    }

    /// Runs all of the work in order, before the work that waits already, with at most half of the limit for a host.
    func enqueue(_ work: [(key: CacheKey, work: @Sendable () async -> Void)]) {
        let first = work.map { Waiting($0.key, $0.work) }
        let keys = Set(first.map(\.key))
        end { state in
            let others = state.waitingWork.filter { !keys.contains($0.key) }
            state.waitingWork = Array((first + others).prefix(Self.mostWaiting))
        }
        startWaiting()
    }

    /// Drops the work that has not begun.
    func dropWaiting() {
        end { $0.waitingWork = [] }
    }

    private func startWaiting() {
        while true {
            let next = state.withLock { state -> Waiting? in
                guard state.running < limit else { return nil }
                // Work that runs for a key already does the same.
                let running = state
                state.waitingWork.removeAll { running.isRunning($0.key) }
                guard let place = state.waitingWork.firstIndex(where: { running.hosts[$0.host] ?? 0 < limitOfHost })
                else { return nil }
                let next = state.waitingWork.remove(at: place)
                state.begin(next)
                return next
            }
            guard let next else { return }
            run(next)
        }
    }

    private func run(_ work: Waiting) {
        let task = Task {
            await work.work()
            end { $0.end(work) }
            startWaiting()
        }
        state.withLock { state in
            // The work may have ended before it was noted.
            if state.starting.remove(work.key) != nil { state.tasks[work.key] = task }
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
