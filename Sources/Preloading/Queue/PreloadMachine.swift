import HTTPCacheSemantics

/// The decisions of a ``PreloadQueue``: events in, actions out. No clock, no store, no network and no task inside.
///
/// Each event returns the actions that follow from it, in their order. One task at a time works on a URL for all sets.
///
/// While a release is *being put in place*, a new list, a cancel and a removal of its set wait for the end, and so does
/// a stop. A process that is killed leaves all of it in place, or all of it staged.
struct PreloadMachine {
    enum Phase: Hashable {
        /// Nothing is started. Leads to `running` and `closed`.
        case resting
        /// Everything that may be fetched is fetched. Leads to `pinning` and `stopping`.
        case running
        /// The pins of settled sets follow their lists. Leads to `resting`, `running` and `closed`.
        case pinning(afterStop: Bool)
        /// Tasks that are under way end. Leads to `pinning`.
        case stopping
        /// Nothing is started any more.
        case closed
    }

    enum Action {
        /// Leads to ``ended(_:_:received:at:)``.
        case fetch(Int, PreloadItem, set: String, hold: StagedResponse.Hold)
        /// Leads to ``ended(_:_:received:at:)``.
        case putInPlace(Int, PreloadItem, set: String, StagedResponse)
        /// Puts all of a release in place. Leads to ``switched(_:_:at:)``.
        case switchRelease(String, [(id: Int, item: PreloadItem, staged: StagedResponse)])
        /// Ends a fetch. What is being put in place stops waiting for pages, and is put in place all the same.
        case cancel(Int)
        /// Removes what has arrived of an item that is not listed any more. Leads to ``discarded(_:at:)``.
        case discard(Int, PreloadItem, StagedResponse?)
        /// Leads to ``pinsSettled(_:at:)``.
        case settlePins([PinPlan])
        /// Calls ``look(at:)`` at this time; `nil` ends an earlier request.
        case wake(at: WallInstant?)
        case keep(PreloadBudget)
        /// Pages see all of a release.
        case note(ReleaseNote)
        case report(PreloadEvent)
        /// The summary is that of the set for a caller who waits for one; empty for a change and for the end.
        case tell(caller: Int, PreloadSummary)
    }

    /// The pins that a settled set has to have.
    struct PinPlan {
        var set: String
        var verified: [CacheKey] = []
        /// Their earlier versions stay pinned.
        var refused: [PreloadItem] = []
    }

    struct Entry {
        enum State {
            case queued
            case fetching
            case waiting(PreloadWait)
            /// Verified, and not visible before its release is complete.
            case held(StagedResponse)
            /// Being put in place, or about to be.
            case placing(StagedResponse)
            case verified([CacheKey])
            case refused(PreloadRefusal)
        }

        let item: PreloadItem
        let set: String
        let host: String
        /// The normalized URL.
        let url: String
        var state = State.queued
        var attempts = 0
        /// Whether it is refused, and its release does without it.
        var isAbsent = false
        /// Whether a page that is about to be opened needs it.
        var isExpected = false
        /// Whether its set rests until it is added again.
        var isSuspended = false
        /// Whether parts of it did not belong together.
        var hadOtherParts = false
        /// Bytes of the budget that are set aside for it.
        var reserved = ByteCount.zero
        /// Content bytes that came from the network.
        var transferred = ByteCount.zero

        /// Whether it is neither verified nor refused.
        var isOpen: Bool {
            switch state {
            case .queued, .fetching, .waiting, .held, .placing: true
            case .verified, .refused: false
            }
        }

        var isQueued: Bool { if case .queued = state { true } else { false } }

        var isVerified: Bool { if case .verified = state { true } else { false } }

        /// The verified content that is not visible yet.
        var staged: StagedResponse? {
            switch state {
            case .held(let staged), .placing(let staged): staged
            case .queued, .fetching, .waiting, .verified, .refused: nil
            }
        }
    }

    /// One set of items, such as the release of a manifest.
    struct ItemSet {
        var ids: Set<Int> = []
        /// Items that are neither verified nor refused.
        var open = 0
        /// `nil` for sets without documents.
        var release: ReleaseState?
        var note: ReleaseNote?
        /// Changes that wait until its release is in place.
        var changes: [(change: Change, caller: Int)] = []
        var hasUnsettledPins = true
    }

    /// A change of a set's list.
    enum Change {
        /// The new list, and whether a listed item that is settled is looked up again.
        case list([PreloadItem], again: @Sendable (PreloadItem) -> Bool, note: ReleaseNote? = nil)
        /// Verified items stay.
        case cancel
        case remove
    }

    enum Wish: Hashable {
        /// All sets, as long as the next wait is not longer than this.
        case everything(patience: Duration)
        case set(String, patience: Duration)
        /// A changed list, once nothing of the dropped items is left.
        case change(dropped: Set<Int>)
        /// The end of all work.
        case end
    }

    let configuration: PreloadConfiguration
    var phase = Phase.resting
    var entries: [Int: Entry] = [:]
    var sets: [String: ItemSet] = [:]
    private var lastID = 0

    /// Dropped items on which a fetch, a placement or a removal still works.
    var leaving: [Int: Entry] = [:]
    /// How many fetches, placements and switches are under way.
    var underWay = 0
    /// The item whose task works on a URL, by normalized URL.
    var busy: [String: Int] = [:]
    /// Items whose URL is busy.
    var parked: [String: [Int]] = [:]
    /// All items, by normalized URL.
    var listed: [String: [Int]] = [:]
    /// The items to be fetched, by host; the next one is last.
    var lanes: [String: [Int]] = [:]
    var areLanesStale = false
    /// How many fetches are under way, by host.
    var running: [String: Int] = [:]
    /// Items to be put in place, the next one first.
    var placements: [Int] = []
    /// Sets of which the last awaited item may have come.
    var undecided: Set<String> = []

    var backoffs: [String: HostBackoff] = [:]
    /// Consecutive failures to store something.
    var storeFailures = 0
    /// When storing is tried again.
    var storeIsFullUntil: WallInstant?
    /// The item that probes whether storing works again.
    var probe: Int?
    var spending: PreloadBudget
    var transferred = ByteCount.zero
    var unkept = ByteCount.zero

    var callers: [Int: Wish] = [:]
    private var lastCaller = 0
    /// Whether it goes on by itself, without a caller.
    var goesOn = false
    /// Whether what waits is to be looked at again after this pass.
    var isWantedAgain = false
    var isClosing = false
    var wakeTime: WallInstant?
    var actions: [Action] = []

    init(_ configuration: PreloadConfiguration) {
        self.configuration = configuration
        spending = configuration.budget
    }

    mutating func newCaller() -> Int {
        lastCaller += 1
        return lastCaller
    }

    // MARK: Lists

    /// Changes what a set lists, at once or when its release is in place.
    mutating func change(_ set: String, _ change: Change, caller: Int, at now: WallInstant) -> [Action] {
        if case .switching? = sets[set]?.release {
            sets[set]?.changes.append((change, caller))
        } else {
            apply(change, to: set, for: caller, at: now)
        }
        return finish(at: now)
    }

    mutating func apply(_ change: Change, to set: String, for caller: Int, at now: WallInstant) {
        var dropped = sets[set]?.ids ?? []
        let isSeen = sets[set]?.release.map { if case .inForce = $0 { true } else { false } } ?? true
        sets[set]?.note = nil
        switch change {
        case .list(let items, let again, let note):
            dropped = list(items, in: set, again: again)
            sets[set]?.note = note
            actions.append(.report(.queued(set: set, count: items.count { !$0.isOptional })))
            // Something to be fetched has come while the pins were being settled.
            if case .pinning(afterStop: false) = phase { isWantedAgain = true }
        case .cancel: dropped = dropped.filter { !(entries[$0]?.isVerified ?? true) }
        case .remove: break
        }
        for id in dropped.sorted() { drop(id, at: now) }
        recountRelease(set)
        areLanesStale = true
        // Where the release before is in force, it needs its files; so where nothing has changed.
        switch change {
        case .cancel where !isSeen: sets[set]?.hasUnsettledPins = false
        case .cancel where dropped.isEmpty: break
        case .list, .cancel, .remove: sets[set]?.hasUnsettledPins = true
        }
        // An empty list ends the pins of the one before; other changes may wait behind a removal.
        if case .list = change {
        } else if let left = sets[set], left.ids.isEmpty, left.changes.isEmpty {
            sets[set] = nil
        }
        callers[caller] = .change(dropped: dropped.filter { leaving[$0] != nil })
    }

    /// - Returns: Items that are not listed any more.
    private mutating func list(
        _ items: [PreloadItem], in set: String, again: @Sendable (PreloadItem) -> Bool
    ) -> Set<Int> {
        var known: [PreloadItem: Int] = [:]
        for id in sets[set]?.ids ?? [] { if let entry = entries[id] { known[entry.item] = id } }
        for item in items {
            if let id = known.removeValue(forKey: item) {
                entries[id]?.isSuspended = false
                guard entries[id]?.isOpen == false, again(item) else { continue }
                entries[id]?.attempts = 0
                move(id, to: .queued)
            } else {
                insert(item, in: set)
            }
        }
        return Set(known.values)
    }

    private mutating func insert(_ item: PreloadItem, in set: String) {
        lastID += 1
        let url = TargetURI.resolve(item.url, against: item.url).map(TargetURI.comparable)
        let host = url.flatMap { TargetURI.split($0) }?.authority ?? ""
        entries[lastID] = Entry(item: item, set: set, host: host, url: url ?? item.url)
        listed[url ?? item.url, default: []].append(lastID)
        sets[set, default: ItemSet()].ids.insert(lastID)
        sets[set]?.open += 1
    }

    /// Adds the files that an item of a set names, each once, before that item is settled.
    mutating func grow(_ set: String, _ items: [PreloadItem]) {
        guard !items.isEmpty, let release = sets[set]?.release else { return }
        var known = Set((sets[set]?.ids ?? []).compactMap { entries[$0]?.url })
        for var item in items where known.count < Self.mostFilesNamed {
            // A file that the page shows itself without has named it.
            if case .inForce = release { item.group = .lazy }
            if known.insert(TargetURI.comparable(item.url)).inserted { insert(item, in: set) }
        }
        if case .arriving = release { recountRelease(set) }
        areLanesStale = true
    }

    /// As many as a page remembers.
    private static let mostFilesNamed = 1_000

    private mutating func drop(_ id: Int, at now: WallInstant) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        sets[entry.set]?.ids.remove(id)
        if entry.isOpen { sets[entry.set]?.open -= 1 }
        listed[entry.url]?.removeAll { $0 == id }
        if listed[entry.url]?.isEmpty == true { listed[entry.url] = nil }
        spending.spend(.zero - entry.reserved, at: now)
        if busy[entry.url] == id {
            leaving[id] = entry
            actions.append(.cancel(id))
        } else if !entry.isVerified {
            discard(id, entry)
        }
    }

    /// Removes what has arrived of a dropped item, unless that is another item's too.
    private mutating func discard(_ id: Int, _ entry: Entry) {
        let isOthers = listed[entry.url, default: []].contains { other in
            entries[other].map { $0.isOpen && $0.item.content == entry.item.content } ?? false
        }
        guard busy[entry.url] == nil, !isOthers else { return left(id) }
        busy[entry.url] = id
        leaving[id] = entry
        actions.append(.discard(id, entry.item, entry.staged))
    }

    /// Takes the end of a ``Action/discard(_:_:_:)``.
    mutating func discarded(_ id: Int, at now: WallInstant) -> [Action] {
        if let entry = leaving[id] { free(entry.url) }
        left(id)
        return finish(at: now)
    }

    private mutating func left(_ id: Int) {
        leaving[id] = nil
        for (caller, wish) in callers {
            guard case .change(var dropped) = wish, dropped.remove(id) != nil else { continue }
            callers[caller] = .change(dropped: dropped)
        }
    }

    // MARK: Items

    /// Takes the end of a fetch or a placement.
    mutating func ended(
        _ id: Int, _ outcome: PreloadFetch.Outcome, received: ByteCount, at now: WallInstant
    ) -> [Action] {
        guard let entry = entries[id] ?? leaving[id], busy[entry.url] == id else { return [] }
        underWay -= 1
        if case .fetching = entry.state { running[entry.host] = running[entry.host].flatMap { $0 > 1 ? $0 - 1 : nil } }
        transferred += received
        unkept += received
        busy[entry.url] = nil
        if leaving[id] != nil {
            discard(id, entry)
        } else {
            entries[id]?.transferred += received
            settle(id, outcome, received: received, at: now)
        }
        if busy[entry.url] == nil { free(entry.url) }
        if unkept >= Self.keptEvery { keep() }
        return finish(at: now)
    }

    /// Lets the items go on that wait for a URL.
    private mutating func free(_ url: String) {
        busy[url] = nil
        for id in parked.removeValue(forKey: url) ?? [] {
            guard let entry = entries[id] else { continue }
            if entry.staged == nil { lanes[entry.host, default: []].append(id) } else { placements.append(id) }
        }
    }

    mutating func move(_ id: Int, to state: Entry.State) {
        guard let before = entries[id] else { return }
        entries[id]?.state = state
        guard let after = entries[id] else { return }
        if before.isOpen != after.isOpen {
            sets[after.set]?.open += after.isOpen ? 1 : -1
            sets[after.set]?.hasUnsettledPins = true
        }
        noteRelease(id, before, after)
    }

    /// Bytes are written down this often in a long pass.
    private static let keptEvery = ByteCount.mebibytes(4)

    mutating func keep() {
        unkept = .zero
        actions.append(.keep(spending))
    }
}
