import HTTPCacheSemantics

/// Those who wait for one set of a queue.
struct SettlingSet {
    var waiters: [Int: (round: Int, continuation: CheckedContinuation<PreloadSummary, Never>)] = [:]
    /// Items that are neither verified nor refused; counted anew when it is 0.
    var open = 0
}

/// One set among others: waiting for it, resting it, and having some of it sooner.
extension PreloadQueue {
    /// Returns once each item of a set is verified or refused, when the task is cancelled, or once ``endWaiting(upTo:)`` says
    /// that nothing more can be done soon.
    ///
    /// - Parameter round: A number that grows with each list that is added.
    /// - Returns: How far the set has come then.
    package func waitUntilSettled(_ set: String, round: Int) async -> PreloadSummary {
        let open = openItems(set)
        guard open > 0, round > endedRound else { return summary(of: set) }
        lastWaiter += 1
        let number = lastWaiter
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: summary(of: set)) }
                settling[set, default: SettlingSet()].waiters[number] = (round, continuation)
                settling[set]?.open = open
            }
        } onCancel: {
            Task { await self.endWaiting(number, for: set) }
        }
    }

    private func endWaiting(_ number: Int, for set: String) {
        settling[set]?.waiters.removeValue(forKey: number)?.continuation.resume(returning: summary(of: set))
    }

    /// Ends ``waitUntilSettled(_:round:)`` for what was added up to a round, now and later.
    package func endWaiting(upTo round: Int) {
        endedRound = max(endedRound, round)
        for (set, waiting) in settling {
            let summary = summary(of: set)
            for (number, waiter) in waiting.waiters where waiter.round <= round {
                settling[set]?.waiters[number] = nil
                waiter.continuation.resume(returning: summary)
            }
            if settling[set]?.waiters.isEmpty == true { settling[set] = nil }
        }
    }

    /// Stops fetching a set until it is added again. What has arrived stays, and so do its pins.
    package func suspend(set: String) {
        for (id, entry) in entries where entry.set == set && entry.isOpen {
            entries[id]?.isSuspended = true
            if case .running(let task) = entry.state { task.cancel() }
        }
        endWaiting(for: set)
    }

    /// Has items fetched directly after those of ``PreloadGroup/boot``: a page that needs them is about to be opened.
    package func expect(set: String, _ isNeeded: @Sendable (PreloadItem) -> Bool) {
        var hasChanged = false
        for (id, entry) in entries where entry.set == set && entry.isOpen && !entry.isExpected && isNeeded(entry.item) {
            entries[id]?.isExpected = true
            hasChanged = true
        }
        if hasChanged { fillLanes() }
    }

    // MARK: Counting

    func noteEnd(of id: Int) {
        guard let entry = entries[id], !entry.isOpen, settling[entry.set] != nil else { return }
        settling[entry.set]?.open -= 1
        if settling[entry.set]?.open ?? 0 <= 0 { recount(entry.set) }
    }

    func recount(_ set: String) {
        guard settling[set] != nil else { return }
        let open = openItems(set)
        settling[set]?.open = open
        guard open == 0 else { return }
        endWaiting(for: set)
    }

    private func endWaiting(for set: String) {
        let summary = summary(of: set)
        for (_, waiter) in settling.removeValue(forKey: set)?.waiters ?? [:] {
            waiter.continuation.resume(returning: summary)
        }
    }

    private func openItems(_ set: String) -> Int {
        entries.values.reduce(into: 0) { $0 += $1.set == set && $1.isOpen ? 1 : 0 }
    }
}

extension PreloadQueue.Entry {
    /// Whether it is neither verified nor refused.
    var isOpen: Bool {
        switch state {
        case .queued, .running, .waiting, .staged: true
        case .verified, .refused: false
        }
    }

    /// The order of fetching.
    var rank: Int {
        if staged != nil { return item.needs == nil ? -2 : -1 }
        return switch item.group {
        case .boot: 0
        case .page: isExpected ? 1 : 2
        case .lazy: isExpected ? 1 : 3
        }
    }
}
