import Locking

/// The exchanges of a session, by the numbers of their tasks, from before a task starts until it has ended.
package final class TaskRegistry: Sendable {
    private let exchanges = LockedBox<[Int: TaskExchange]>([:])

    package init() {}

    package func add(_ exchange: TaskExchange, for number: Int) {
        exchanges.withLock { $0[number] = exchange }
    }

    package func exchange(_ number: Int) -> TaskExchange? {
        exchanges.withLock { $0[number] }
    }

    /// The exchange of a task that has ended.
    package func remove(_ number: Int) -> TaskExchange? {
        exchanges.withLock { $0.removeValue(forKey: number) }
    }

    /// How many tasks have not ended.
    package var count: Int { exchanges.withLock { $0.count } }
}
