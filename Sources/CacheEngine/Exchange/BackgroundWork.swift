import HTTPCacheSemantics
import Locking

/// The work that goes on after an answer: transfers that are stored, and validations in the background, one at a time
/// per key, not too many at once, and of one host no more than three quarters, so that a silent one keeps no other
/// waiting.
final class BackgroundWork: Sendable {
    private struct Job {
        var key: CacheKey
        var host: String
        var work: @Sendable () async -> Void
        var hasWaited = false

        init(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
            (self.key, self.work) = (key, work)
            host = TargetURI.split(key.uri)?.authority ?? ""
        }
    }

    private struct State {
        /// Keys whose work runs.
        var running: Set<CacheKey> = []
        /// The number of keys of each host whose work runs.
        var hosts: [String: Int] = [:]
        /// How much of it has waited.
        var afterWaiting = 0
        /// The work that waits for its turn, in order.
        var queue: [Job] = []
        var transfers = 0
        var idleWaiters = Waiters<Void>()

        var isIdle: Bool { running.isEmpty && queue.isEmpty && transfers == 0 }

        mutating func begin(_ job: Job) {
            running.insert(job.key)
            hosts[job.host, default: 0] += 1
            if job.hasWaited { afterWaiting += 1 }
        }

        mutating func end(_ job: Job) {
            running.remove(job.key)
            hosts[job.host] = hosts[job.host].flatMap { $0 > 1 ? $0 - 1 : nil }
            if job.hasWaited { afterWaiting -= 1 }
        }
    }

    /// How much work may wait for its turn.
    private static let mostWaiting = 512

    private let limit: Int
    /// How much may run for one host, and how much work that has waited for its turn: pages that are opened meanwhile
    /// find room for theirs.
    private var threeQuarters: Int { max(2, limit * 3 / 4) }
    /// How much work that has waited may run for one host.
    private var half: Int { max(1, limit / 2) }
    private let state = LockedBox(State())

    init(limit: Int) { self.limit = limit }

    /// Runs the work unless this key has some already; where too much runs in all or for its host, it waits.
    func start(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        let job = Job(key, work)
        let mayStart = state.withLock { state -> Bool in
            guard !state.running.contains(key) else { return false }
            guard state.running.count < limit, state.hosts[job.host] ?? 0 < threeQuarters else {
                let isDropped = state.queue.count >= Self.mostWaiting || state.queue.contains { $0.key == key }
                if !isDropped { state.queue.append(job) }
                return false
            }
            state.begin(job)
            return true
        }
        if mayStart { run(job) }
    }

    /// Runs all of the work in order, before the work that waits already.
    func enqueue(_ work: [(key: CacheKey, work: @Sendable () async -> Void)]) {
        let first = work.map { Job($0.key, $0.work) }
        let keys = Set(first.map(\.key))
        change { state in
            let others = state.queue.filter { !keys.contains($0.key) }
            state.queue = Array((first + others).prefix(Self.mostWaiting))
        }
        startWaiting()
    }

    /// Drops the work that has not begun, of the keys that are meant; of all unless set.
    func dropWaiting(where isMeant: @Sendable (CacheKey) -> Bool = { _ in true }) {
        change { state in state.queue.removeAll { isMeant($0.key) } }
    }

    private func startWaiting() {
        while true {
            let next = state.withLock { state -> Job? in
                guard state.running.count < limit, state.afterWaiting < threeQuarters else { return nil }
                // Work that runs for a key already does the same.
                let (running, hosts) = (state.running, state.hosts)
                state.queue.removeAll { running.contains($0.key) }
                guard let place = state.queue.firstIndex(where: { hosts[$0.host] ?? 0 < half }) else { return nil }
                var next = state.queue.remove(at: place)
                next.hasWaited = true
                state.begin(next)
                return next
            }
            guard let next else { return }
            run(next)
        }
    }

    private func run(_ job: Job) {
        Task {
            await job.work()
            change { $0.end(job) }
            startWaiting()
        }
    }

    /// Receives and stores a response to its end, even if nobody goes on reading it.
    func transfer(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { $0.transfers += 1 }
        Task {
            await work()
            change { $0.transfers -= 1 }
        }
    }

    /// Changes the state, and wakes those who wait for idleness where it is reached.
    private func change(_ change: @Sendable (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            if state.isIdle { state.idleWaiters.wake(()) }
        }
    }

    /// Returns early when the task is cancelled.
    func waitUntilIdle() async {
        guard let ends = state.withLock({ $0.isIdle ? nil : $0.idleWaiters.add() }) else { return }
        for await _ in ends {}
    }
}
