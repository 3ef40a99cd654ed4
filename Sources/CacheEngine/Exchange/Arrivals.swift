import HTTPCacheSemantics
import Locking
import ResponseStore

/// Responses that are on their way into the store.
///
/// A client that has received a whole response and repeats its request must find it. So a look-up waits for a response
/// that has wholly arrived, or was confirmed, but is not committed yet, though not for one that is still arriving.
final class Arrivals: Sendable {
    private struct Arrival {
        var number: Int
        /// `nil` for what is stored and changes.
        var spool: SpooledBody?
        var waiting = Waiters<Void>()

        var hasAll: Bool { spool?.hasAll ?? true }
    }

    private struct State {
        var arrivals: [CacheKey: [Arrival]] = [:]
        var last = 0
    }

    private let state = LockedBox(State())

    /// - Returns: A number for ``end(_:_:)``.
    func begin(_ key: CacheKey, _ spool: SpooledBody? = nil) -> Int {
        state.withLock { state in
            state.last += 1
            state.arrivals[key, default: []].append(Arrival(number: state.last, spool: spool))
            return state.last
        }
    }

    /// Notes that the response is committed, or never will be.
    func end(_ key: CacheKey, _ number: Int) {
        state.withLock { state in
            guard let place = state.arrivals[key]?.firstIndex(where: { $0.number == number }) else { return }
            state.arrivals[key]?[place].waiting.wake(())
            state.arrivals[key]?.remove(at: place)
            if state.arrivals[key]?.isEmpty == true { state.arrivals[key] = nil }
        }
    }

    /// Whether a response that has wholly arrived under a key waits to be committed.
    func hasPendingCommit(_ key: CacheKey) -> Bool {
        state.withLock { state in
            !state.arrivals.isEmpty && state.arrivals[key]?.contains(where: \.hasAll) ?? false
        }
    }

    /// Returns once every response that had wholly arrived is committed.
    func waitForCommits() async {
        for key in state.withLock({ Array($0.arrivals.keys) }) { await waitForCommits(key) }
    }

    /// Returns once every response that had wholly arrived under a key is committed.
    func waitForCommits(_ key: CacheKey) async {
        let arrived = state.withLock { state in
            state.arrivals[key]?.filter(\.hasAll).map(\.number) ?? []
        }
        for number in arrived {
            let ends = state.withLock { state -> AsyncStream<Void>? in
                guard let place = state.arrivals[key]?.firstIndex(where: { $0.number == number }) else { return nil }
                return state.arrivals[key]?[place].waiting.add()
            }
            // In a task of its own: one that is cancelled must find the response as well, to remove it.
            if let ends { await Task { for await _ in ends {} }.value }
        }
    }
}

/// Keys whose stored responses are not as they should be, since a change of the store failed: a full disk, or an index
/// that another process keeps locked. What is stored under them is validated before each use (RFC 9111 §4.3.4, §4.4),
/// until a change succeeds or this process ends.
final class UnwrittenChanges: Sendable {
    /// Beyond so many keys all are doubted.
    static let most = 10_000

    private struct State {
        var keys: Set<CacheKey> = []
        var isAll = false
    }

    private let state = LockedBox(State())
    private let hasAny = AtomicFlag(false)

    /// Notes whether a change of a key has been made.
    func note(_ key: CacheKey, isWritten: Bool) {
        guard !isWritten || hasAny.value else { return }
        state.withLock { state in
            if isWritten { state.keys.remove(key) } else { state.keys.insert(key) }
            if state.keys.count > Self.most { state.isAll = true }
            hasAny.value = state.isAll || !state.keys.isEmpty
        }
    }

    /// A removal of many keys has failed.
    func noteAll() {
        state.withLock { state in
            state.isAll = true
            hasAny.value = true
        }
    }

    /// Stored responses as they may be used: those that are doubted need validation.
    func doubted(_ found: [StoredEntry]) -> [StoredEntry] {
        guard hasAny.value else { return found }
        return state.withLock { state in
            found.map { entry in
                var entry = entry
                if state.isAll || state.keys.contains(entry.key) { entry.response.needsValidation = true }
                return entry
            }
        }
    }
}

/// Runs the commits of one key one after the other: each part has to be joined with what the last one left.
final class CommitQueue: Sendable {
    private let last = LockedBox<[CacheKey: Task<Void, Never>]>([:])

    /// Returns once all the work that was queued before has ended.
    func waitForCommits() async {
        for end in last.withLock({ Array($0.values) }) { await end.value }
    }

    /// Runs the work once everything that was queued for one of the keys before has ended.
    func run<Value: Sendable>(
        _ keys: [CacheKey], _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (task, end) = last.withLock { last in
            let previous = keys.compactMap { last[$0] }
            let task = Task {
                for end in previous { await end.value }
                return try await work()
            }
            let end = Task { _ = await task.result }
            for key in keys { last[key] = end }
            return (task, end)
        }
        defer {
            last.withLock { last in
                for key in keys where last[key] == end { last[key] = nil }
            }
        }
        return try await task.value
    }
}
