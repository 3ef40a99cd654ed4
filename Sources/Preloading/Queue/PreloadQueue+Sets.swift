import CacheEngine
import CacheRules
import HTTPCacheSemantics

/// What is wanted, set by set.
extension PreloadQueue {
    /// Replaces the list of a set. What was refused is tried again, and what was verified is looked up again: it may have
    /// been removed. Pins of what is not listed any more go once the new list is settled. Nothing is fetched before
    /// ``run()``.
    package func add(_ items: [PreloadItem], set: String) async {
        await add(items, set: set) { _ in true }
    }

    /// - Parameter isLookedAt: Whether an item that was listed before and is settled is looked up again.
    package func add(
        _ items: [PreloadItem], set: String, again isLookedAt: @Sendable (PreloadItem) -> Bool
    ) async {
        var known: [PreloadItem: Int] = [:]
        for (id, entry) in entries where entry.set == set { known[entry.item] = id }
        for item in items {
            if let id = known.removeValue(forKey: item) {
                entries[id]?.isSuspended = false
                switch entries[id]?.state {
                case .refused, .verified: if isLookedAt(item) { requeue(id) }
                case .queued, .running, .waiting, .staged, nil: break
                }
                continue
            }
            lastID += 1
            let host = TargetURI.resolve(item.url, against: item.url).flatMap { TargetURI.split($0) }?.authority ?? ""
            entries[lastID] = Entry(item: item, set: set, host: host)
        }
        let dropped = drop(Array(known.values))
        recountSwitch(set)
        if isRunning { fillLanes() }
        recorder.record(.queued(set: set, count: items.count))
        await forget(dropped)
        recount(set)
        resume()
    }

    /// Sets which pages a set marks. None of them is asked for from now on, whoever lists it, and no redirect to it is followed.
    package func avoid(_ marked: SideEffectPages, set: String) {
        marks[set] = marked
        avoided = marks.values.reduce(into: SideEffectPages()) { $0.add($1) }
    }

    /// Stops fetching a set. What is verified stays, pinned in its name.
    package func cancel(set: String) async {
        let open = entries.filter { entry in
            guard entry.value.set == set else { return false }
            if case .verified = entry.value.state { return false }
            return true
        }
        let dropped = drop(Array(open.keys))
        recountSwitch(set)
        await forget(dropped)
        recount(set)
    }

    /// Stops fetching a set and ends its pins. What is stored stays until the space is needed.
    ///
    /// - Throws: `StoreError` when the store can't be written.
    package func remove(set: String) async throws {
        let dropped = drop(entries.filter { $0.value.set == set }.map(\.key))
        recountSwitch(set)
        await forget(dropped)
        recount(set)
        try await cache.unpin(Array(ownPins(of: set)), for: Self.holder(set))
    }

    /// Those of this queue's account: another one's set may have the same name.
    func ownPins(of set: String) async throws -> Set<CacheKey> {
        try await cache.pins(of: Self.holder(set)).filter { $0.partition == configuration.partition }
    }

    static func holder(_ set: String) -> String { "preload:" + set }

    private func requeue(_ id: Int) {
        entries[id]?.state = .queued
        entries[id]?.attempts = 0
    }

    private func drop(_ ids: [Int]) -> [(id: Int, entry: Entry)] {
        ids.compactMap { id in entries.removeValue(forKey: id).map { (id, $0) } }
    }

    /// Ends what was dropped, and removes what has arrived of it so far.
    private func forget(_ dropped: [(id: Int, entry: Entry)]) async {
        for (id, entry) in dropped {
            spending.spend(.zero - entry.reserved, at: now)
            if case .running(let task) = entry.state {
                task.cancel()
                await task.value
            }
            if case .verified = entry.state { continue }
            await fetch(id, entry).discardBeginning(entry.staged)
        }
    }
}
