import HTTPCacheSemantics

/// Is told that pages see all of a set's release.
package typealias ReleaseNote = @Sendable () -> Void

/// How far a release with documents is from being in force.
enum ReleaseState {
    /// Files are awaited.
    case arriving(Progress)
    /// Everything has come, and takes its place.
    case switching
    case inForce
    /// A file is refused: the release before stays in force until the set is added again.
    case incomplete

    struct Progress {
        /// How many files are not verified, by label.
        var missing: [String: Int] = [:]
        /// How many documents, and files that are not `lazy`, are neither fetched nor refused.
        var pending = 0

        mutating func count(_ entry: PreloadMachine.Entry, _ number: Int) {
            if entry.isAwaited { pending += number }
            if !entry.isVerified, !entry.isDocument, !entry.item.isOptional {
                missing[entry.item.label, default: 0] += number
            }
        }
    }
}

/// A release with documents is switched as a whole.
///
/// Until all its files have come, but for media and data of ``PreloadGroup/lazy``, the release before stays in force,
/// so that a page that is opened offline finds the files that its document names. Responses that would replace others
/// are staged until all of the release is there, and take their places in one change of the store. If something is
/// refused, nothing is replaced; if a file can't take its place, it is fetched again, and all wait for it.
///
/// A document of a first release, where there is none yet, hides nothing: it is put in place as soon as its own files
/// are verified, or when nothing more can be had.
extension PreloadMachine {
    func hold(_ entry: Entry) -> StagedResponse.Hold {
        switch sets[entry.set]?.release {
        case .arriving?, .switching?, .incomplete?: entry.isDocument ? .always : .replacementsOnly
        case .inForce?, nil: .never
        }
    }

    /// Looks at all of a set.
    mutating func recountRelease(_ set: String) {
        let ids = sets[set]?.ids.sorted() ?? []
        let all = ids.compactMap { entries[$0] }
        guard all.contains(where: \.isDocument) else {
            sets[set]?.release = nil
            // Files without documents are seen one by one, as they come.
            note(set)
            // The documents of the release that they waited for are gone.
            for id in ids { placeIfHeld(id) }
            return
        }
        var progress = ReleaseState.Progress()
        for entry in all { progress.count(entry, 1) }
        sets[set]?.release = .arriving(progress)
        for id in ids { placeEarly(id, progress) }
        undecided.insert(set)
    }

    /// Follows the changed state of an item.
    mutating func noteRelease(_ id: Int, _ before: Entry, _ after: Entry) {
        let set = after.set
        switch sets[set]?.release {
        case nil: placeIfHeld(id)
        case .arriving(var progress)?:
            progress.count(before, -1)
            progress.count(after, 1)
            sets[set]?.release = .arriving(progress)
            if after.isDocument {
                placeEarly(id, progress)
            } else if after.isVerified, progress.missing[after.item.label] == 0 {
                for id in sets[set]?.ids.sorted() ?? [] { placeEarly(id, progress) }
            }
            if progress.pending == 0 { undecided.insert(set) }
        case .switching?: break
        case .inForce?: placeIfHeld(id)
        case .incomplete?:
            guard case .held = after.state else { return }
            placeOrReport(id, after, mayPlace: after.hidesNothing && !isFileHeld(in: set))
        }
    }

    /// Puts a release in place once nothing more is awaited, or gives it up.
    mutating func decide(_ set: String) {
        guard case .arriving(let progress)? = sets[set]?.release, progress.pending == 0 else { return }
        let ids = sets[set]?.ids.sorted() ?? []
        // Documents that hide nothing may be on their way to their places.
        if ids.contains(where: { entries[$0]?.isPlacing == true }) { return }
        if ids.contains(where: { entries[$0]?.isMissed == true }) {
            sets[set]?.release = .incomplete
            let mayPlace = !isFileHeld(in: set)
            for id in ids {
                guard let entry = entries[id], case .held = entry.state else { continue }
                placeOrReport(id, entry, mayPlace: mayPlace && entry.hidesNothing)
            }
        } else {
            let staged = ids.compactMap { id in
                entries[id].flatMap { entry in entry.staged.map { (id: id, item: entry.item, staged: $0) } }
            }
            sets[set]?.release = .switching
            guard !staged.isEmpty else { return putInForce(set) }
            for (id, _, staged) in staged { move(id, to: .placing(staged)) }
            underWay += 1
            actions.append(.switchRelease(set, staged))
        }
    }

    /// Takes the end of an ``Action/switchRelease(_:_:)``: everything is verified, or nothing has changed.
    mutating func switched(
        _ set: String, _ outcomes: [(id: Int, outcome: PreloadFetch.Outcome)], at now: WallInstant
    ) -> [Action] {
        underWay -= 1
        for (id, outcome) in outcomes {
            if case .staged(let staged) = outcome {
                move(id, to: .held(staged))
            } else {
                settle(id, outcome, received: .zero, at: now)
            }
        }
        if outcomes.allSatisfy({ entries[$0.id]?.isVerified ?? true }) { putInForce(set) } else { recountRelease(set) }
        return finish(at: now)
    }

    private mutating func putInForce(_ set: String) {
        sets[set]?.release = .inForce
        note(set)
        // Some may have come since.
        for id in sets[set]?.ids.sorted() ?? [] { placeIfHeld(id) }
    }

    private mutating func note(_ set: String) { if let note = sets[set]?.note { actions.append(.note(note)) } }

    /// Puts a document in place that hides no other one, and whose files are there.
    private mutating func placeEarly(_ id: Int, _ progress: ReleaseState.Progress) {
        guard let entry = entries[id], case .held = entry.state, entry.hidesNothing,
            case .labels(let labels)? = entry.item.needs,
            labels.allSatisfy({ progress.missing[$0] ?? 0 == 0 })
        else { return }
        place(id)
    }

    private mutating func placeOrReport(_ id: Int, _ entry: Entry, mayPlace: Bool) {
        if mayPlace { return place(id) }
        actions.append(.report(.waiting(entry.item, set: entry.set, PreloadWait(.incompleteRelease))))
    }

    /// Whether a file of the release before is in the place of one of this release: a new page would get that one. The
    /// same file, as its server has confirmed, is in its place.
    private func isFileHeld(in set: String) -> Bool {
        sets[set]?.ids.contains { id in
            entries[id].map { entry in
                !entry.isDocument && entry.staged.map { $0.replaces && $0.source != .validated } == true
            } ?? false
        } ?? false
    }

    private mutating func placeIfHeld(_ id: Int) { if case .held? = entries[id]?.state { place(id) } }

    private mutating func place(_ id: Int) {
        guard let staged = entries[id]?.staged else { return }
        move(id, to: .placing(staged))
        placements.append(id)
    }

    var summary: PreloadSummary {
        var summary = Self.summary(of: entries.values)
        summary.transferred = transferred
        return summary
    }

    /// Without items for a name that no set has.
    func summary(of set: String) -> PreloadSummary {
        Self.summary(of: (sets[set]?.ids ?? []).compactMap { entries[$0] })
    }

    private static func summary(of entries: some Sequence<Entry>) -> PreloadSummary {
        var summary = PreloadSummary()
        for entry in entries {
            summary.transferred += entry.transferred
            summary.items += entry.item.isOptional ? 0 : 1
            switch entry.state {
            case .verified where !entry.item.isOptional: summary.verified += 1
            case .refused(let refusal) where !entry.item.isOptional: summary.refused[refusal.reason, default: 0] += 1
            case .waiting(let wait):
                summary.waiting[wait.reason, default: 0] += 1
                guard let until = wait.until, !entry.isSuspended else { continue }
                summary.next = min(summary.next ?? until, until)
            case .held where !entry.item.isOptional: summary.waiting[.incompleteRelease, default: 0] += 1
            case .queued, .fetching, .placing, .verified, .refused, .held: break
            }
        }
        return summary
    }
}

extension PreloadMachine.Entry {
    var isDocument: Bool { item.needs != nil }

    fileprivate var isPlacing: Bool { if case .placing = state { true } else { false } }

    private var isOfRelease: Bool { item.group != .lazy || isDocument }

    /// Whether its release waits for it. Scripts may ask for `lazy` code too; that of another site may never come.
    fileprivate var isAwaited: Bool {
        guard isOfRelease || item.destination.isCode && item.namedBy == nil else { return false }
        switch state {
        case .queued, .fetching, .waiting: return true
        case .held, .placing, .verified, .refused: return false
        }
    }

    /// Whether a snapshot is whole without it that the one before was not known to lack.
    var lacksAnew: Bool { isAbsent && item.snapshot.map { !$0.absent.contains(item.url) } ?? false }

    /// Whether its release is incomplete without it.
    var isMissed: Bool {
        if case .refused = state { isOfRelease && !item.isOptional && !isAbsent } else { false }
    }

    /// Whether it is a document that hides no other one, and need not wait for its whole release.
    fileprivate var hidesNothing: Bool { isDocument && item.needs != .releaseInForce && staged?.replaces == false }
}
