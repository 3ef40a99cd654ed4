import HTTPCacheSemantics

/// Passes over everything that is listed, and the callers who wait for their ends.
extension PreloadMachine {
    /// Takes a caller who wants something fetched, or waits for the end.
    mutating func call(_ caller: Int, _ wish: Wish, at now: WallInstant) -> [Action] {
        callers[caller] = wish
        switch wish {
        case .set:
            goesOn = phase != .closed
            wantPass(at: now)
        case .everything: wantPass(at: now)
        case .end:
            isClosing = true
            endPass(at: now)
        case .change: break
        }
        return finish(at: now)
    }

    /// Takes the cancellation of a caller's task.
    mutating func cancelled(_ caller: Int, at now: WallInstant) -> [Action] {
        switch callers[caller] {
        case .everything?: endPass(at: now)
        case .set(let set, _)?:
            tell(caller)
            if !callers.values.contains(where: { $0.set == set }) { suspend(set) }
        case .change?, .end?, nil: break
        }
        return finish(at: now)
    }

    /// Takes a change of the network, or the time that ``Action/wake(at:)`` named.
    mutating func look(at now: WallInstant) -> [Action] {
        if isWanted { wantPass(at: now) }
        return finish(at: now)
    }

    /// Fetches by itself from now on what is listed.
    mutating func goOn(at now: WallInstant) -> [Action] {
        goesOn = phase != .closed
        return look(at: now)
    }

    /// Ends the pass. What is under way is fetched by the next one, from where it broke off if the origin allows.
    mutating func stop(at now: WallInstant) -> [Action] {
        endPass(at: now)
        return finish(at: now)
    }

    /// Moves items to the front: a page that needs them is about to be opened.
    mutating func expect(
        set: String, _ isNeeded: (PreloadItem) -> Bool, at now: WallInstant
    ) -> [Action] {
        for id in sets[set]?.ids ?? [] {
            guard let entry = entries[id], entry.isOpen, !entry.isExpected, isNeeded(entry.item) else { continue }
            entries[id]?.isExpected = true
            areLanesStale = true
        }
        return finish(at: now)
    }

    /// Takes the sets whose pins are as planned.
    mutating func pinsSettled(_ pinned: [String], at now: WallInstant) -> [Action] {
        for set in pinned {
            sets[set]?.hasUnsettledPins = false
            if sets[set]?.ids.isEmpty == true, sets[set]?.changes.isEmpty == true { sets[set] = nil }
        }
        rest(at: now)
        return finish(at: now)
    }

    // MARK: Passes

    private mutating func wantPass(at now: WallInstant) {
        switch phase {
        case .resting: beginPass(at: now)
        case .running, .pinning, .stopping: isWantedAgain = true
        case .closed: break
        }
    }

    private mutating func beginPass(at now: WallInstant) {
        phase = .running
        isWantedAgain = false
        areLanesStale = true
        wake(at: nil)
        for (id, entry) in entries {
            guard !entry.isSuspended, case .waiting(let wait) = entry.state else { continue }
            if wait.until.map({ $0 <= now }) ?? true { move(id, to: .queued) }
        }
        undecided.formUnion(sets.keys)
    }

    private mutating func endPass(at now: WallInstant) {
        isWantedAgain = false
        goesOn = false
        switch phase {
        case .running:
            phase = .stopping
            lanes = [:]
            for (id, entry) in entries where busy[entry.url] == id { actions.append(.cancel(id)) }
        case .pinning: phase = .pinning(afterStop: true)
        case .resting:
            if isClosing {
                phase = .closed
                keep()
            }
            wake(at: nil)
            tellPasses(afterStop: true, at: now)
        case .stopping, .closed: break
        }
    }

    /// Takes the wish to fetch no more of a set until it is added again.
    mutating func suspend(set: String, at now: WallInstant) -> [Action] {
        suspend(set)
        return finish(at: now)
    }

    /// Items that have arrived stay, and so do their pins.
    private mutating func suspend(_ set: String) {
        for id in sets[set]?.ids ?? [] {
            guard let entry = entries[id], entry.isOpen else { continue }
            entries[id]?.isSuspended = true
            if case .fetching = entry.state { actions.append(.cancel(id)) }
        }
    }

    /// Does what follows from an event.
    mutating func finish(at now: WallInstant) -> [Action] {
        repeat {
            applyChanges(at: now)
            if phase == .running {
                for set in undecided.sorted() { decide(set) }
                undecided = []
            }
            startMore()
        } while mayGoOn(at: now)
        tellSettled(at: now)
        defer { actions = [] }
        return actions
    }

    /// Ends a pass in which nothing is left to do; returns whether there is something to do by then.
    private mutating func mayGoOn(at now: WallInstant) -> Bool {
        guard phase == .running || phase == .stopping, underWay == 0, leaving.isEmpty, placements.isEmpty else {
            return false
        }
        if phase == .running {
            if areLanesStale || !undecided.isEmpty { return true }
            if isWantedAgain {
                beginPass(at: now)
                return true
            }
        }
        let plans = pinPlans()
        phase = .pinning(afterStop: phase == .stopping)
        if plans.isEmpty { rest(at: now) } else { actions.append(.settlePins(plans)) }
        return phase == .running
    }

    private mutating func rest(at now: WallInstant) {
        guard case .pinning(let afterStop) = phase else { return }
        if isWantedAgain, !afterStop { return beginPass(at: now) }
        phase = isClosing ? .closed : .resting
        isWantedAgain = false
        keep()
        let summary = summary
        actions.append(.report(.done(summary)))
        tellPasses(afterStop: afterStop || isClosing, at: now)
        if isWanted { wake(at: summary.next) }
    }

    private var isWanted: Bool { goesOn || callers.values.contains { $0.isForItems } }

    private mutating func wake(at time: WallInstant?) {
        guard time != wakeTime else { return }
        wakeTime = time
        actions.append(.wake(at: time))
    }

    private mutating func applyChanges(at now: WallInstant) {
        for set in sets.keys.sorted() {
            while let (change, caller) = sets[set]?.changes.first {
                if case .switching? = sets[set]?.release { break }
                sets[set]?.changes.removeFirst()
                apply(change, to: set, for: caller, at: now)
            }
        }
    }

    private func pinPlans() -> [PinPlan] {
        sets.compactMap { name, set in
            guard set.hasUnsettledPins, set.open == 0 else { return nil }
            switch set.release {
            case nil, .inForce?: break
            // The release before is in force, and needs its files.
            case .arriving?, .switching?, .incomplete?: return nil
            }
            var plan = PinPlan(set: name)
            for id in set.ids {
                switch entries[id]?.state {
                case .verified(let keys)?: plan.verified += keys
                case .refused?: if let item = entries[id]?.item, !item.isOptional { plan.refused.append(item) }
                default: break
                }
            }
            return plan
        }
    }

    // MARK: Telling

    private mutating func tellSettled(at now: WallInstant) {
        for (caller, wish) in callers.sorted(by: { $0.key < $1.key }) {
            switch wish {
            case .change(let dropped) where dropped.isEmpty: tell(caller)
            case .set(let set, _) where isSettled(set): tell(caller)
            case .everything, .set: if phase == .closed { tell(caller) }
            case .end: if phase == .closed, leaving.isEmpty { tell(caller) }
            case .change: break
            }
        }
    }

    private func isSettled(_ set: String) -> Bool { sets[set].map { $0.open == 0 && $0.changes.isEmpty } ?? true }

    /// Tells callers that nothing more can be done soon.
    private mutating func tellPasses(afterStop: Bool, at now: WallInstant) {
        func isLate(_ next: WallInstant?, _ patience: Duration) -> Bool {
            afterStop || next.map { $0 - now > patience } ?? true
        }
        for (caller, wish) in callers.sorted(by: { $0.key < $1.key }) {
            switch wish {
            case .everything(let patience): if isLate(summary.next, patience) { tell(caller) }
            case .set(let set, let patience): if isLate(summary(of: set).next, patience) { tell(caller) }
            case .change, .end: break
            }
        }
    }

    private mutating func tell(_ caller: Int) {
        guard let wish = callers.removeValue(forKey: caller) else { return }
        switch wish {
        case .everything: actions.append(.tell(caller: caller, summary))
        case .set(let set, _): actions.append(.tell(caller: caller, summary(of: set)))
        case .change, .end: actions.append(.tell(caller: caller, PreloadSummary()))
        }
    }
}

extension PreloadMachine.Wish {
    fileprivate var set: String? { if case .set(let set, _) = self { set } else { nil } }

    fileprivate var isForItems: Bool {
        switch self {
        case .everything, .set: true
        case .change, .end: false
        }
    }
}
