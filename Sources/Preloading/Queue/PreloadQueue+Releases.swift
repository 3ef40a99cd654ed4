/// How far a release with documents is from being switched to.
struct ReleaseSwitch: Sendable {
    /// By label, how many files are not verified.
    var missing: [String: Int] = [:]
    /// How many documents, and files that are not `lazy`, are neither fetched nor refused.
    var pending = 0
    /// Whether nothing can be done before the set is added again.
    var isDecided = false
    /// Whether the release is in force.
    var isOver = false
}

/// A release with documents is switched as a whole.
///
/// Until all its files have come, but for those of ``PreloadGroup/lazy``, the release before stays in force, so that a page
/// that is opened offline finds the files that its document names. What takes the place of another response is staged, and
/// put in its place once all of it is there: files first, then documents. If something is refused, nothing is replaced.
///
/// A document where there is none yet hides nothing: it is put in its place as soon as its own files are verified, or when
/// nothing more can be had.
extension PreloadQueue {
    func hold(_ entry: Entry) -> StagedResponse.Hold {
        guard let release = switches[entry.set], !release.isOver else { return .never }
        return entry.item.needs == nil ? .whereItReplaces : .always
    }

    /// Looks at all of a set.
    func recountSwitch(_ set: String) {
        let listed = entries.values.filter { $0.set == set }
        guard listed.contains(where: { $0.item.needs != nil }) else { return switches[set] = nil }
        var release = ReleaseSwitch()
        for entry in listed { Self.count(entry, 1, in: &release) }
        switches[set] = release
        for (id, entry) in entries where entry.set == set { seeEarly(id, entry) }
        decide(set)
    }

    private static func count(_ entry: Entry?, _ number: Int, in release: inout ReleaseSwitch) {
        guard let entry else { return }
        if entry.isAwaited { release.pending += number }
        if case .verified = entry.state { return }
        if entry.item.needs == nil { release.missing[entry.item.label, default: 0] += number }
    }

    /// To be called when the state of an item has changed.
    func noteSwitch(_ id: Int, before: Entry?) {
        guard let entry = entries[id], var release = switches[entry.set] else { return }
        Self.count(before, -1, in: &release)
        Self.count(entry, 1, in: &release)
        switches[entry.set] = release
        guard release.isDecided else {
            seeEarly(id, entry)
            if entry.item.needs == nil, release.missing[entry.item.label] == 0 {
                for (id, entry) in entries where entry.item.needs != nil { seeEarly(id, entry) }
            }
            return decide(entry.set)
        }
        guard case .staged = entry.state else { return }
        if release.isOver || entry.mayBeSeen { putInPlace(id) } else { noteWaiting(id) }
    }

    /// Has a document put in its place that hides no other one, and whose files are there.
    private func seeEarly(_ id: Int, _ entry: Entry) {
        guard case .staged = entry.state, entry.mayBeSeen, case .labels(let labels)? = entry.item.needs,
            let missing = switches[entry.set]?.missing, labels.allSatisfy({ missing[$0] ?? 0 == 0 })
        else { return }
        putInPlace(id)
    }

    private func decide(_ set: String) {
        guard switches[set]?.pending == 0, switches[set]?.isDecided == false else { return }
        let listed = entries.filter { $0.value.set == set }
        guard !listed.values.contains(where: { $0.isAwaited }) else { return }
        let isComplete = !listed.values.contains { $0.isMissed }
        switches[set]?.isDecided = true
        switches[set]?.isOver = isComplete
        for (id, entry) in listed {
            guard case .staged = entry.state else { continue }
            if isComplete || entry.mayBeSeen { putInPlace(id) } else { noteWaiting(id) }
        }
        if isRunning, !isStopping { fillLanes() }
    }

    private func putInPlace(_ id: Int) {
        guard let host = entries[id]?.host else { return }
        entries[id]?.state = .queued
        // Nothing is more urgent.
        if isRunning, !isStopping { lanes[host, default: []].append(id) }
    }

    private func noteWaiting(_ id: Int) {
        guard let entry = entries[id] else { return }
        recorder.record(.waiting(entry.item, set: entry.set, PreloadWait(.incompleteRelease)))
    }
}

extension PreloadQueue.Entry {
    private var isOfRelease: Bool { item.group != .lazy || item.needs != nil }

    /// Whether its release waits for it.
    fileprivate var isAwaited: Bool {
        guard isOfRelease, staged == nil else { return false }
        switch state {
        case .queued, .running, .waiting: return true
        case .staged, .verified, .refused: return false
        }
    }

    /// Whether its release is incomplete without it.
    fileprivate var isMissed: Bool {
        if case .refused = state { isOfRelease } else { false }
    }

    /// Whether it is a document that hides no other one.
    fileprivate var mayBeSeen: Bool { item.needs != nil && staged?.replaces == false }
}
