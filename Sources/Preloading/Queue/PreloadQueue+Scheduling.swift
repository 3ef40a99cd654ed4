import CacheEngine
import CacheRules
import HTTPCacheSemantics

/// What is fetched next, and whether.
extension PreloadQueue {
    /// Puts everything that is queued into its host's lane.
    func fillLanes() {
        lanes = [:]
        for (id, entry) in entries {
            if case .queued = entry.state, !entry.isSuspended { lanes[entry.host, default: []].append(id) }
        }
        for host in lanes.keys { sortLane(host) }
    }

    private func sortLane(_ host: String) {
        lanes[host]?.sort { comesBefore($1, $0) }
    }

    /// By urgency, then as listed.
    private func comesBefore(_ one: Int, _ other: Int) -> Bool {
        guard let first = entries[one], let second = entries[other] else { return one < other }
        return (first.rank, one) < (second.rank, other)
    }

    /// Of the hosts that have room, the one whose next item comes first.
    func takeNext() -> Int? {
        while true {
            var next: (host: String, id: Int)?
            for host in lanes.keys where running[host] ?? 0 < configuration.atOncePerHost {
                guard let id = lanes[host]?.last else { continue }
                if next.map({ comesBefore(id, $0.id) }) ?? true { next = (host, id) }
            }
            guard let (host, id) = next else { return nil }
            lanes[host]?.removeLast()
            if lanes[host]?.isEmpty == true { lanes[host] = nil }
            // It may have been cancelled since.
            if let entry = entries[id], !entry.isSuspended, case .queued = entry.state { return id }
        }
    }

    // MARK: Admission

    /// Whether an item may use the network now. Sets bytes aside for it.
    ///
    /// - Returns: What it has to wait for; `nil` if it may.
    func admit(_ id: Int, host: String) -> PreloadWait? {
        guard let entry = entries[id] else { return PreloadWait(.cancelled) }
        if let reason = Self.obstacle(entry.item.group, configuration.connectivity()) { return PreloadWait(reason) }
        if let wait = waitForSpace(id) { return wait }
        if let backoff = backoffs[host], backoff.isActive(at: now) {
            return PreloadWait(backoff.reason, until: backoff.until)
        }
        guard entry.reserved == .zero else { return nil }
        let needed = max(entry.item.content?.size ?? ByteCount(1), ByteCount(1))
        if let left = spending.left(at: now), needed > left {
            return PreloadWait(.budget, until: PreloadBudget.nextDay(after: now))
        }
        entries[id]?.reserved = needed
        spending.spend(needed, at: now)
        return nil
    }

    /// While nothing can be stored, one item at a time finds out whether that is over.
    private func waitForSpace(_ id: Int) -> PreloadWait? {
        guard storeFailures >= Self.mostStoreFailures else { return nil }
        if let until = storeIsFullUntil, now < until { return PreloadWait(.diskFull, until: until) }
        if let probe, probe != id, case .running? = entries[probe]?.state {
            return PreloadWait(.diskFull, until: now + HostBackoff.first)
        }
        probe = id
        return nil
    }

    /// What a network does not allow.
    static func obstacle(_ group: PreloadGroup, _ connectivity: Connectivity) -> PreloadRefusal.Reason? {
        if !connectivity.hasNetwork { return .offline }
        if connectivity.isConstrained { return .constrained }
        if group == .boot { return nil }
        return connectivity.isExpensive ? .expensive : connectivity.isLowPower ? .lowPower : nil
    }

    /// Counts bytes as they come.
    ///
    /// - Returns: What the rest has to wait for; `nil` if it may come.
    func obstacle(_ id: Int, received: Int64, isWanted: Bool) -> PreloadWait? {
        guard let entry = entries[id] else { return PreloadWait(.cancelled) }
        // What is set aside is spent already.
        let fromReserved = min(entry.reserved, ByteCount(received))
        entries[id]?.reserved -= fromReserved
        spending.spend(ByteCount(received) - fromReserved, at: now)
        if let left = spending.left(at: now), left <= .zero, entries[id]?.reserved ?? .zero <= .zero {
            return PreloadWait(.budget, until: PreloadBudget.nextDay(after: now))
        }
        // Where a page waits, it would ask for it itself.
        return isWanted ? nil : Self.obstacle(entry.item.group, configuration.connectivity()).map { PreloadWait($0) }
    }

    // MARK: The end of an item

    func settle(_ id: Int, _ outcome: PreloadFetch.Outcome, received: ByteCount) {
        guard let entry = entries[id] else { return }
        spending.spend(.zero - entry.reserved, at: now)
        entries[id]?.reserved = .zero
        switch outcome {
        case .verified(let keys, let source):
            backoffs[entry.host]?.succeed()
            if source == .network { storeFailures = 0 }
            let all = received + (entry.staged?.received ?? .zero)
            entries[id]?.staged = nil
            entries[id]?.state = .verified(keys)
            recorder.record(.verified(entry.item, set: entry.set, from: source, transferred: all.bytes))
        case .staged(var staged):
            backoffs[entry.host]?.succeed()
            if staged.source == .network { storeFailures = 0 }
            staged.received = received
            entries[id]?.staged = staged
            entries[id]?.state = .staged
        case .refused(let refusal) where refusal.reason == .cancelled: entries[id]?.state = .queued
        case .refused(let refusal): refuse(id, refusal)
        case .failed(let refusal): retry(id, refusal)
        case .putOff(let delay):
            backoffs[entry.host, default: HostBackoff()].fail(at: now, stated: delay, .retryAfter)
            let until = backoffs[entry.host]?.until
            tryAgain(
                id, PreloadWait(.retryAfter, until: until),
                or: PreloadRefusal(.retryAfter, "The server is busy each time it is asked; it may be asked too much."))
        case .silent(let refusal):
            backoffs[entry.host, default: HostBackoff()].fail(at: now, stated: HostBackoff.afterSilence, .network)
            tryAgain(id, PreloadWait(.network, until: backoffs[entry.host]?.until), or: refusal)
        case .waiting(let wait): postpone(id, wait)
        }
    }

    private func refuse(_ id: Int, _ refusal: PreloadRefusal) {
        guard let entry = entries[id] else { return }
        entries[id]?.staged = nil
        entries[id]?.state = .refused(refusal)
        recorder.record(.refused(entry.item, set: entry.set, refusal))
    }

    private func postpone(_ id: Int, _ wait: PreloadWait) {
        guard let entry = entries[id] else { return }
        let size = entry.item.content?.size ?? .zero
        if wait.reason == .budget, let limit = spending.bytesPerDay, size > limit {
            return refuse(
                id, PreloadRefusal(.budget, "It is longer than the \(limit) of a whole day; raise that limit."))
        }
        entries[id]?.staged = nil
        entries[id]?.state = .waiting(wait)
        recorder.record(.waiting(entry.item, set: entry.set, wait))
    }

    private func retry(_ id: Int, _ refusal: PreloadRefusal) {
        guard let entry = entries[id] else { return }
        switch refusal.reason {
        case .diskFull:
            storeFailures += 1
            // Not this one alone: nothing can be stored.
            if storeFailures >= Self.mostStoreFailures {
                storeIsFullUntil = now + max(Self.untilSpace, HostBackoff.delay(after: storeFailures))
            }
        case .validatorChanged:
            // All of it is fetched once more. If that breaks off, and its rest does not fit again, the server is to blame.
            if entry.hadOtherParts { return refuse(id, refusal) }
            entries[id]?.hadOtherParts = true
        case .network: backoffs[entry.host, default: HostBackoff()].fail(at: now, stated: nil, .network)
        default: break
        }
        var delay = HostBackoff.delay(after: entry.attempts)
        // All of it would come again, and most likely in vain.
        if refusal.reason == .diskFull { delay = max(delay, Self.untilSpace) }
        tryAgain(id, PreloadWait(refusal.reason, until: now + delay), or: refusal)
    }

    /// So many failures in a row mean that the disk is full, and not one content too long.
    private static var mostStoreFailures: Int { 3 }

    /// How soon a full disk may have space again.
    private static var untilSpace: Duration { .seconds(60) }

    private func tryAgain(_ id: Int, _ wait: PreloadWait, or refusal: PreloadRefusal) {
        guard var entry = entries[id] else { return }
        entry.attempts += 1
        entries[id] = entry
        if entry.attempts < configuration.attempts { postpone(id, wait) } else { refuse(id, refusal) }
    }

    // MARK: Pins

    /// Gives each settled set exactly the pins of what it lists.
    func settlePins() async {
        for (set, listed) in Dictionary(grouping: entries, by: \.value.set) {
            var keys: Set<CacheKey> = []
            var isSettled = true
            for (id, entry) in listed {
                switch entry.state {
                case .verified(let found): keys.formUnion(found)
                // What is stored under its key may be the last good version.
                case .refused: keys.formUnion(fetch(id, entry).key.map { [$0] } ?? [])
                case .queued, .running, .waiting, .staged: isSettled = false
                }
            }
            // The release before is in force, and needs its files.
            if switches[set]?.isOver == false { isSettled = false }
            guard isSettled, let pinned = try? await ownPins(of: set) else { continue }
            // What fails now is done when the set is settled again.
            try? await cache.unpin(Array(pinned.subtracting(keys)), for: Self.holder(set))
            let missing = listed.flatMap { _, entry -> [CacheKey] in
                if case .verified(let found) = entry.state { found } else { [] }
            }
            try? await cache.pin(missing.filter { !pinned.contains($0) }, for: Self.holder(set))
        }
    }

    // MARK: Progress

    /// How far the queue has come.
    package var summary: PreloadSummary {
        var summary = Self.summary(of: entries.values)
        summary.transferred = transferred
        return summary
    }

    /// How far one set has come; without items for a name that no set has.
    package func summary(of set: String) -> PreloadSummary {
        Self.summary(of: entries.values.filter { $0.set == set })
    }

    private static func summary(of entries: some Sequence<Entry>) -> PreloadSummary {
        var summary = PreloadSummary()
        for entry in entries {
            summary.items += 1
            summary.transferred += entry.transferred
            switch entry.state {
            case .verified: summary.verified += 1
            case .refused(let refusal): summary.refused[refusal.reason, default: 0] += 1
            case .waiting(let wait):
                summary.waiting[wait.reason, default: 0] += 1
                if let until = wait.until { summary.next = min(summary.next ?? until, until) }
            case .staged: summary.waiting[.incompleteRelease, default: 0] += 1
            case .queued, .running: break
            }
        }
        return summary
    }
}
