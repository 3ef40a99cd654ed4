import HTTPCacheSemantics
import Locking

/// Runs the commits of one key one after the other: each part has to be joined with what the last one left.
final class CommitQueue: Sendable {
    private let last = LockedBox<[CacheKey: Task<Void, Never>]>([:])

    /// Returns once all the work that was queued before has ended.
    func waitForCommits() async {
        for end in last.withLock({ Array($0.values) }) { await end.value }
    }

    /// Runs the work once everything that was queued for the key before has ended.
    func run<Value: Sendable>(_ key: CacheKey, _ work: @escaping @Sendable () async -> Value) async -> Value {
        let (task, end) = last.withLock { last in
            let previous = last[key]
            let task = Task {
                await previous?.value
                return await work()
            }
            let end = Task { _ = await task.value }
            last[key] = end
            return (task, end)
        }
        let value = await task.value
        last.withLock { last in
            if last[key] == end { last[key] = nil }
        }
        return value
    }
}
