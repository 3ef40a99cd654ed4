import HTTPCacheSemantics
import Locking

/// Lets the parts of one key be joined one after the other: each has to see what the last one left.
final class CommitQueue: Sendable {
    private let last = LockedBox<[CacheKey: Task<Void, Never>]>([:])

    /// Runs the work once everything that was queued for the key before has ended.
    func run(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) async {
        let task = last.withLock { last in
            let previous = last[key]
            let task = Task {
                await previous?.value
                await work()
            }
            last[key] = task
            return task
        }
        await task.value
        last.withLock { last in
            if last[key] == task { last[key] = nil }
        }
    }
}
