import CacheRules
import HTTPCacheSemantics

/// Which item is next, and whether it may use the network.
extension PreloadMachine {
    /// Starts what may be started. What is to be put in place comes first, and needs no network.
    mutating func startMore() {
        guard phase == .running || phase == .stopping else { return }
        let most = max(1, configuration.atOnce)
        while underWay < most, let id = nextPlacement() { start(id) }
        while phase == .running, underWay < most, let id = nextFetch() { start(id) }
    }

    private mutating func start(_ id: Int) {
        guard let entry = entries[id] else { return }
        underWay += 1
        busy[entry.url] = id
        if let staged = entry.staged {
            actions.append(.putInPlace(id, entry.item, set: entry.set, staged))
            if phase == .stopping { actions.append(.cancel(id)) }
        } else {
            running[entry.host, default: 0] += 1
            move(id, to: .fetching)
            report(.started(entry.item, set: entry.set), of: entry)
            actions.append(.fetch(id, entry.item, set: entry.set, hold: hold(entry)))
        }
    }

    private mutating func nextPlacement() -> Int? {
        while !placements.isEmpty {
            let id = placements.removeFirst()
            guard let entry = entries[id], case .placing = entry.state else { continue }
            guard let other = busy[entry.url] else { return id }
            if other != id { parked[entry.url, default: []].append(id) }
        }
        return nil
    }

    /// The first item of all hosts that have room.
    private mutating func nextFetch() -> Int? {
        if areLanesStale { fillLanes() }
        while true {
            var next: (host: String, id: Int)?
            for host in lanes.keys where running[host] ?? 0 < max(1, configuration.atOncePerHost) {
                guard let id = lanes[host]?.last else { continue }
                if next.map({ comesBefore(id, $0.id) }) ?? true { next = (host, id) }
            }
            guard let (host, id) = next, !mustWait(id) else { return nil }
            lanes[host]?.removeLast()
            if lanes[host]?.isEmpty == true { lanes[host] = nil }
            // It may have been dropped or suspended since.
            guard let entry = entries[id], !entry.isSuspended, case .queued = entry.state else { continue }
            guard busy[entry.url] != nil else { return id }
            parked[entry.url, default: []].append(id)
        }
    }

    /// Another address of a file comes after all files that a release needs: it is the same response, or a copy of it.
    private func mustWait(_ id: Int) -> Bool {
        guard entries[id]?.item.isOptional == true else { return false }
        return busy.values.contains { entries[$0].map { !$0.item.isOptional && $0.item.group != .lazy } ?? false }
    }

    private mutating func fillLanes() {
        areLanesStale = false
        parked = parked.compactMapValues { ids in
            let placing = ids.filter { entries[$0]?.staged != nil }
            return placing.isEmpty ? nil : placing
        }
        var queued: [String: [(rank: Int, id: Int)]] = [:]
        for (id, entry) in entries {
            if case .queued = entry.state, !entry.isSuspended {
                queued[entry.host, default: []].append((entry.rank, id))
            }
        }
        lanes = queued.mapValues { $0.sorted { $1 < $0 }.map(\.id) }
    }

    /// Urgent items come first, then the order of the list decides.
    private func comesBefore(_ one: Int, _ other: Int) -> Bool {
        guard let first = entries[one], let second = entries[other] else { return one < other }
        return (first.rank, one) < (second.rank, other)
    }

    // MARK: Admission

    /// The reason why an item may not use the network now; `nil` if it may. Sets bytes aside for it.
    mutating func admit(
        _ id: Int, host: String, _ connectivity: Connectivity, at now: WallInstant
    ) -> PreloadWait? {
        guard let entry = entries[id], case .fetching = entry.state else { return PreloadWait(.cancelled) }
        if let reason = Self.obstacle(entry.item.group, connectivity) { return PreloadWait(reason) }
        if let wait = waitForSpace(id, at: now) { return wait }
        if let wait = wait(for: host, at: now) { return wait }
        guard entry.reserved == .zero else { return nil }
        let needed = max(entry.item.content?.size ?? ByteCount(1), ByteCount(1))
        if let left = spending.left(at: now), needed > left {
            return PreloadWait(.budget, until: PreloadBudget.nextDay(after: now))
        }
        entries[id]?.reserved = needed
        spending.spend(needed, at: now)
        return nil
    }

    private func wait(for host: String, at now: WallInstant) -> PreloadWait? {
        guard let backoff = backoffs[host], let until = backoff.until, now < until else { return nil }
        return PreloadWait(backoff.reason, until: until)
    }

    /// While nothing can be stored, one item at a time probes whether that is over.
    private mutating func waitForSpace(_ id: Int, at now: WallInstant) -> PreloadWait? {
        guard storeFailures >= Self.mostStoreFailures else { return nil }
        if let until = storeIsFullUntil, now < until { return PreloadWait(.diskFull, until: until) }
        if let probe, probe != id, case .fetching? = entries[probe]?.state {
            return PreloadWait(.diskFull, until: now + HostBackoff.first)
        }
        probe = id
        return nil
    }

    /// The reason why a network may not be used.
    private static func obstacle(_ group: PreloadGroup, _ connectivity: Connectivity) -> PreloadRefusal.Reason? {
        if !connectivity.hasNetwork { return .offline }
        if connectivity.isConstrained { return .constrained }
        if group == .boot { return nil }
        return connectivity.isExpensive ? .expensive : connectivity.isLowPower ? .lowPower : nil
    }

    /// Counts bytes as they come; returns the reason why the rest has to wait, `nil` if it may come.
    mutating func received(
        _ count: ByteCount, by id: Int, isWanted: Bool, _ connectivity: Connectivity, at now: WallInstant
    ) -> PreloadWait? {
        guard let entry = entries[id] else { return PreloadWait(.cancelled) }
        // Bytes set aside count as spent already.
        let fromReserved = min(entry.reserved, count)
        entries[id]?.reserved -= fromReserved
        spending.spend(count - fromReserved, at: now)
        if let left = spending.left(at: now), left <= .zero, entries[id]?.reserved ?? .zero <= .zero {
            return PreloadWait(.budget, until: PreloadBudget.nextDay(after: now))
        }
        // Where a page waits, it would ask for it itself.
        return isWanted ? nil : Self.obstacle(entry.item.group, connectivity).map { PreloadWait($0) }
    }

    // MARK: Whole pages

    /// The reason why a whole page has to wait; `nil` if it may be loaded now.
    mutating func admitPage(from host: String, _ connectivity: Connectivity, at now: WallInstant) -> PreloadWait? {
        wait(for: host, at: now) ?? receivedByPage(.zero, connectivity, at: now)
    }

    /// Counts bytes that a whole page has received; returns the reason why it has to wait, `nil` if it may go on.
    mutating func receivedByPage(
        _ count: ByteCount, _ connectivity: Connectivity, at now: WallInstant
    ) -> PreloadWait? {
        spending.spend(count, at: now)
        transferred += count
        if let left = spending.left(at: now), left <= .zero {
            return PreloadWait(.budget, until: PreloadBudget.nextDay(after: now))
        }
        return Self.obstacle(.page, connectivity).map { PreloadWait($0) }
    }

    // MARK: Outcomes

    mutating func settle(
        _ id: Int, _ outcome: PreloadFetch.Outcome, received: ByteCount, at now: WallInstant
    ) {
        guard let entry = entries[id] else { return }
        spending.spend(.zero - entry.reserved, at: now)
        entries[id]?.reserved = .zero
        switch outcome {
        case .unreachable, .silent, .waiting: break
        default: backoffs[entry.host, default: HostBackoff()].hasAnswered = true
        }
        switch outcome {
        case .verified(let keys, let source):
            succeeded(entry, from: source)
            let all = received + (entry.staged?.received ?? .zero)
            report(.verified(entry.item, set: entry.set, from: source, transferred: all.bytes), of: entry)
            move(id, to: .verified(keys))
        case .staged(var staged):
            succeeded(entry, from: staged.source)
            staged.received = received
            move(id, to: .held(staged))
        case .refused(let refusal) where refusal.reason == .cancelled:
            move(id, to: .queued)
            // It was suspended, and is wanted again since.
            areLanesStale = true
        case .refused(let refusal): refuse(id, refusal)
        case .absent(let refusal, _): refuse(id, refusal, isAbsent: true)
        case .unreachable(let refusal):
            retry(id, refusal, most: backoffs[entry.host]?.hasAnswered == true ? Self.mostAttempts : 2, at: now)
        case .failed(let refusal): retry(id, refusal, at: now)
        case .retryAfter(let delay):
            backoffs[entry.host, default: HostBackoff()].fail(at: now, stated: delay, .retryAfter)
            tryAgain(
                id, PreloadWait(.retryAfter, until: backoffs[entry.host]?.until),
                or: PreloadRefusal(.retryAfter, "The server is busy each time it is asked; it may be asked too much."))
        case .silent(let refusal):
            backoffs[entry.host, default: HostBackoff()].fail(at: now, stated: HostBackoff.afterSilence, .network)
            tryAgain(id, PreloadWait(.network, until: backoffs[entry.host]?.until), or: refusal)
        case .waiting(let wait): postpone(id, wait)
        }
    }

    private mutating func succeeded(_ entry: Entry, from source: PreloadEvent.Source) {
        backoffs[entry.host]?.succeed()
        if source == .network { storeFailures = 0 }
    }

    private mutating func refuse(_ id: Int, _ refusal: PreloadRefusal, isAbsent: Bool = false) {
        guard let entry = entries[id] else { return }
        entries[id]?.isAbsent = isAbsent || refusal.isDispensable
        move(id, to: .refused(refusal))
        report(.refused(entry.item, set: entry.set, refusal), of: entry)
        guard entry.item.snapshot?.replaces == true, entries[id]?.isMissed == true else { return }
        for other in sets[entry.set]?.ids ?? [] where entries[other]?.isQueued == true {
            move(other, to: .refused(PreloadRefusal(.cancelled, "Its snapshot lacks '\(entry.url)'.")))
        }
    }

    /// Nobody is told of other addresses of files.
    private mutating func report(_ event: PreloadEvent, of entry: Entry) {
        if !entry.item.isOptional { actions.append(.report(event)) }
    }

    private mutating func postpone(_ id: Int, _ wait: PreloadWait) {
        guard let entry = entries[id] else { return }
        let size = entry.item.content?.size ?? .zero
        if wait.reason == .budget, let limit = spending.bytesPerDay, size > limit {
            return refuse(
                id, PreloadRefusal(.budget, "It is longer than the \(limit) of a whole day; raise that limit."))
        }
        move(id, to: .waiting(wait))
        report(.waiting(entry.item, set: entry.set, wait), of: entry)
    }

    private mutating func retry(_ id: Int, _ refusal: PreloadRefusal, most: Int = mostAttempts, at now: WallInstant) {
        guard let entry = entries[id] else { return }
        switch refusal.reason {
        case .diskFull:
            storeFailures += 1
            // Not this one alone: nothing can be stored.
            if storeFailures >= Self.mostStoreFailures {
                storeIsFullUntil = now + max(Self.untilSpace, HostBackoff.delay(after: storeFailures))
            }
        case .validatorChanged:
            // All of it is fetched once more. If the rest of that does not fit again, the server is to blame.
            if entry.hadOtherParts { return refuse(id, refusal) }
            entries[id]?.hadOtherParts = true
        case .network: backoffs[entry.host, default: HostBackoff()].fail(at: now, stated: nil, .network)
        default: break
        }
        var delay = HostBackoff.delay(after: entry.attempts)
        // All of it would come again, and most likely in vain.
        if refusal.reason == .diskFull { delay = max(delay, Self.untilSpace) }
        tryAgain(id, PreloadWait(refusal.reason, until: now + delay), or: refusal, most: most)
    }

    /// Consecutive store failures treated as a full disk; fewer may mean one content too long.
    private static var mostStoreFailures: Int { 3 }

    /// How often something is tried that breaks off or is put off, before it is refused.
    private static var mostAttempts: Int { 5 }

    /// How soon a full disk may have space again.
    private static var untilSpace: Duration { .seconds(60) }

    private mutating func tryAgain(
        _ id: Int, _ wait: PreloadWait, or refusal: PreloadRefusal, most: Int = mostAttempts
    ) {
        guard let attempts = entries[id]?.attempts else { return }
        entries[id]?.attempts = attempts + 1
        if attempts + 1 < most { postpone(id, wait) } else { refuse(id, refusal) }
    }
}

extension PreloadMachine.Entry {
    fileprivate var rank: Int {  // The order of fetching.
        switch item.group {
        case _ where item.isOptional: 3
        case .boot: 0
        case .page: isExpected ? 1 : 2
        case .lazy: isExpected ? 1 : 4
        }
    }
}
