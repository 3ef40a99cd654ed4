/// Is told when the release of a set begins to be put in its place, and when pages see all of it.
package typealias ReleaseNote = @Sendable (_ isShown: Bool) -> Void

/// How far a release with documents is from being in force.
enum ReleaseState {
    /// Files are awaited.
    case arriving(Progress)
    /// Everything has come. Files are put in place first, then documents.
    case placing(Step, left: Int, hasFailed: Bool)
    case inForce
    /// A file is refused: the release before stays in force until the set is added again.
    case incomplete

    enum Step { case files, documents }

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
/// Until all its files have come, but for those of ``PreloadGroup/lazy``, the release before stays in force, so that a
/// page that is opened offline finds the files that its document names. Responses that would replace others are staged
/// until all of the release is there. Then its files are put in place, and after the last of them its documents. If
/// something is refused, nothing is replaced; if a file can't be put in place, it is fetched again, and the documents
/// wait for it.
///
/// A document of a first release, where there is none yet, hides nothing: it is put in place as soon as its own files are
/// verified, or when nothing more can be had.
extension PreloadMachine {
    func hold(_ entry: Entry) -> StagedResponse.Hold {
        switch sets[entry.set]?.release {
        case .arriving?, .incomplete?: entry.isDocument ? .always : .replacementsOnly
        case .placing?, .inForce?, nil: .never
        }
    }

    /// Looks at all of a set.
    mutating func recountRelease(_ set: String) {
        let ids = sets[set]?.ids.sorted() ?? []
        let all = ids.compactMap { entries[$0] }
        guard all.contains(where: \.isDocument) else {
            sets[set]?.release = nil
            // Files without documents are seen one by one, as they come.
            note(set, isShown: true)
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
        case .placing(let step, let left, let hasFailed)?:
            let isCounted = after.isDocument == (step == .documents)
            if case .held = after.state, isCounted || !after.isDocument {
                if isCounted { sets[set]?.release = .placing(step, left: left + 1, hasFailed: hasFailed) }
                place(id)
            } else if case .placing = before.state, isCounted {
                sets[set]?.release = .placing(step, left: left - 1, hasFailed: hasFailed || !after.isVerified)
                if left == 1 { advance(set) }
            }
        case .inForce?: placeIfHeld(id)
        case .incomplete?:
            guard case .held = after.state else { return }
            placeOrReport(id, after, mayPlace: after.hidesNothing && !isFileHeld(in: set))
        }
    }

    /// Begins to put a release in place once nothing more is awaited, or gives it up.
    mutating func decide(_ set: String) {
        guard case .arriving(let progress)? = sets[set]?.release, progress.pending == 0 else { return }
        let ids = sets[set]?.ids.sorted() ?? []
        if ids.contains(where: { entries[$0]?.isMissed == true }) {
            sets[set]?.release = .incomplete
            let mayPlace = !isFileHeld(in: set)
            for id in ids {
                guard let entry = entries[id], case .held = entry.state else { continue }
                placeOrReport(id, entry, mayPlace: mayPlace && entry.hidesNothing)
            }
        } else {
            begin(.files, of: set)
        }
    }

    private mutating func begin(_ step: ReleaseState.Step, of set: String) {
        // Some documents may be on their way already.
        let ids = (sets[set]?.ids.sorted() ?? []).filter { id in
            entries[id].map { $0.staged != nil && $0.isDocument == (step == .documents) } ?? false
        }
        sets[set]?.release = .placing(step, left: ids.count, hasFailed: false)
        if !ids.isEmpty { note(set, isShown: false) }
        for id in ids { if case .held? = entries[id]?.state { place(id) } }
        if ids.isEmpty { advance(set) }
    }

    private mutating func advance(_ set: String) {
        guard case .placing(let step, _, let hasFailed)? = sets[set]?.release else { return }
        switch step {
        case .files where hasFailed: recountRelease(set)
        case .files: begin(.documents, of: set)
        case .documents:
            sets[set]?.release = .inForce
            note(set, isShown: true)
        }
    }

    /// Before what follows from it: a process that ends then has the next one finish.
    mutating func note(_ set: String, isShown: Bool) {
        if let note = sets[set]?.note { actions.append(.note(note, isShown: isShown)) }
    }

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

    /// Whether a file of the release before is in the place of one of this release: a new page would get that one.
    private func isFileHeld(in set: String) -> Bool {
        sets[set]?.ids.contains { id in
            entries[id].map { !$0.isDocument && $0.staged?.replaces == true } ?? false
        } ?? false
    }

    private mutating func placeIfHeld(_ id: Int) { if case .held? = entries[id]?.state { place(id) } }

    private mutating func place(_ id: Int) {
        guard let staged = entries[id]?.staged else { return }
        move(id, to: .placing(staged))
        placements.append(id)
    }
}

extension PreloadMachine.Entry {
    var isDocument: Bool { item.needs != nil }

    private var isOfRelease: Bool { item.group != .lazy || isDocument }

    /// Whether its release waits for it.
    fileprivate var isAwaited: Bool {
        guard isOfRelease else { return false }
        switch state {
        case .queued, .fetching, .waiting: return true
        case .held, .placing, .verified, .refused: return false
        }
    }

    /// Whether its release is incomplete without it.
    fileprivate var isMissed: Bool {
        if case .refused = state { isOfRelease && !item.isOptional && !isAbsent } else { false }
    }

    /// Whether it is a document that hides no other one, and need not wait for its whole release.
    fileprivate var hidesNothing: Bool { isDocument && item.needs != .releaseInForce && staged?.replaces == false }
}
