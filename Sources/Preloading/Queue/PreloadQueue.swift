import CacheEngine
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// Fetches ahead of need, one queue and one budget for everything.
///
/// Items come in sets, such as a manifest, each with a name. Items that are stored already, and are what their set
/// says, are not fetched again, nor are beginnings that broke off. Nothing is visible to pages before all of it has
/// come and has the expected hash. Verified items are pinned in the name of their set.
///
/// Pages come first: while they use the network, nothing is fetched, except what a page waits for.
///
/// The actor does what its ``PreloadMachine`` decides: fetches, pins, removals and timers are tasks that report to the
/// machine when they end. No method waits while the machine is being changed.
package actor PreloadQueue {
    let cache: ResponseCache
    let configuration: PreloadConfiguration
    let recorder: Broadcast<PreloadEvent>
    private let learner: ViewFieldsLearner
    private let storage: PreloadStateFiles?
    private(set) var machine: PreloadMachine
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var timer: Task<Void, any Error>?
    private var waiting: [Int: CheckedContinuation<PreloadSummary, Never>] = [:]
    /// The pages that are never asked for ahead of need, by set.
    private var marks: [String: SideEffectPages] = [:]
    /// The snapshots that are being completed, by the URLs of their pages.
    var snapshots: [String: SnapshotProgress] = [:]
    private var keptBudget: PreloadBudget
    private var keptFields: ViewFields

    /// - Parameters:
    ///   - cache: Its clock is the queue's.
    ///   - events: Get what happens here, and in other queues.
    ///   - storage: Keeps the budget and the learned fields. What can't be kept is counted or learned again.
    package init(
        cache: ResponseCache, configuration: PreloadConfiguration = PreloadConfiguration(),
        events: Broadcast<PreloadEvent> = Broadcast(), storage: PreloadStateFiles? = nil
    ) {
        (self.cache, self.configuration, recorder, self.storage) = (cache, configuration, events, storage)
        machine = PreloadMachine(configuration)
        learner = ViewFieldsLearner(configuration.viewFields, cache)
        (keptBudget, keptFields) = (configuration.budget, configuration.viewFields)
    }

    /// Everything that happens from now on, for one reader; one that reads too slowly loses the oldest events.
    package nonisolated var events: AsyncStream<PreloadEvent> { recorder.stream(.bufferingNewest(4_096)) }

    /// The fields of pages' requests, as learned so far.
    package nonisolated var viewFields: ViewFields { learner.current }

    /// Learns from hidden pages as well, which have a cache of their own over the store.
    package nonisolated func learnFields(from cache: ResponseCache) { learner.learn(from: cache) }

    /// The bytes spent of the budget, for the caller to keep.
    package var budget: PreloadBudget { machine.spending }

    private var now: WallInstant { cache.now }

    // MARK: Running

    /// Runs until everything is verified or refused, or only another network, another day or a long wait would help:
    /// call it again then, at ``PreloadSummary/next`` or when the network changes.
    ///
    /// A second call while one runs looks at the waiting items again. A cancelled task stops it as ``stop()`` does.
    ///
    /// - Parameter patience: The longest wait that is waited for; ten minutes unless set.
    @discardableResult
    package func runUntilSettled(patience: Duration? = nil) async -> PreloadSummary {
        await wait { $0.call($1, .everything(patience: patience ?? HostBackoff.longest), at: $2) }
    }

    /// Fetches by itself from now on, until ``close()``, and returns once each item of a set is verified or refused, or
    /// when nothing more can be done within the patience.
    ///
    /// When the last caller who waits for the set is cancelled, it rests as it is until it is added again.
    ///
    /// - Parameter patience: The longest wait that is waited for; ten minutes unless set.
    @discardableResult
    package func runUntilSettled(set: String, patience: Duration = HostBackoff.longest) async -> PreloadSummary {
        await wait { $0.call($1, .set(set, patience: patience), at: $2) }
    }

    /// Ends a run. What was under way is fetched by the next one, from where it broke off if the origin allows; a
    /// release that is being put in place is finished first.
    package func stop() { perform(machine.stop(at: now)) }

    /// Fetches by itself what is listed, and what will be, until ``close()``.
    package func goOn() { perform(machine.goOn(at: now)) }

    /// Looks again at what waits, as the network has changed.
    package func lookAgain() { perform(machine.look(at: now)) }

    /// Ends as ``stop()`` does, and for good. Returns once nothing is under way.
    package func close() async { _ = await wait { $0.call($1, .end, at: $2) } }

    // MARK: Sets

    /// Replaces the list of a set. What was refused is tried again, and what was verified is looked up again: it may
    /// have been removed. Pins of what is not listed any more go once the new list is settled; no fetch begins.
    ///
    /// While a release of the set is being put in place, the new list waits for the end.
    ///
    /// - Parameters:
    ///   - isLookedAt: Whether an item that was listed before and is settled is looked up again; each unless set.
    ///   - note: Is told once pages see all of this list.
    package func add(
        _ items: [PreloadItem], set: String,
        again isLookedAt: @escaping @Sendable (PreloadItem) -> Bool = { _ in true }, note: ReleaseNote? = nil
    ) async {
        // A page that was held for its files names them anew once it is fetched.
        if items.contains(where: { $0.namedBy != nil }) {
            _ = await wait { $0.change(set, .remove, caller: $1, at: $2) }
        }
        _ = await wait { $0.change(set, .list(items, again: isLookedAt, note: note), caller: $1, at: $2) }
    }

    /// Sets which pages a set marks. None is asked for from now on, whoever lists it, nor by a redirect.
    package func avoid(_ marked: SideEffectPages, set: String) { marks[set] = marked }

    /// Stops fetching a set, once a release that is being put in place is there. Verified items stay pinned.
    package func cancel(set: String) async { _ = await wait { $0.change(set, .cancel, caller: $1, at: $2) } }

    /// Stops fetching a set as ``cancel(set:)`` does, and ends its pins. The content stays until space is needed.
    ///
    /// - Throws: `StoreError` when the store can't be written.
    package func remove(set: String) async throws {
        _ = await wait { $0.change(set, .remove, caller: $1, at: $2) }
        try await cache.store.unpin(Array(ownPins(of: set)), for: Self.holder(set))
    }

    /// Has items fetched directly after those of ``PreloadGroup/boot``: a page that needs them is about to be opened.
    package func expect(set: String, _ isNeeded: @Sendable (PreloadItem) -> Bool) {
        perform(machine.expect(set: set, isNeeded, at: now))
    }

    private static let holderPrefix = "preload:"

    static func holder(_ set: String) -> String { holderPrefix + set }

    /// The set whose pins a holder has; `nil` for another holder.
    package static func set(of holder: String) -> String? {
        holder.hasPrefix(holderPrefix) ? String(holder.dropFirst(holderPrefix.count)) : nil
    }

    // MARK: Actions

    /// Brings a caller's event to the machine, and returns once the machine tells the caller.
    private func wait(
        _ event: (inout PreloadMachine, Int, WallInstant) -> [PreloadMachine.Action]
    ) async -> PreloadSummary {
        let caller = machine.newCaller()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[caller] = continuation
                perform(event(&machine, caller, now))
                if Task.isCancelled { perform(machine.cancelled(caller, at: now)) }
            }
        } onCancel: {
            Task { await self.cancelled(caller) }
        }
    }

    private func cancelled(_ caller: Int) { perform(machine.cancelled(caller, at: now)) }

    private func perform(_ actions: [PreloadMachine.Action]) {
        for action in actions {
            switch action {
            case .fetch(let id, let item, let set, let hold): start(id, item, set, hold) { await $0.run() }
            case .putInPlace(let id, let item, let set, let staged):
                start(id, item, set, .never) { await $0.putInPlace(staged) }
            case .switchRelease(let set, let staged):
                let fetches = staged.map { (fetch: fetch($0.id, $0.item, .never), staged: $0.staged) }
                let cache = cache
                let ids = machine.sets[set]?.ids ?? []
                let lacks = ids.contains { machine.entries[$0]?.lacksAnew == true }
                Task {
                    let outcomes = await PreloadFetch.publishIfCurrent(
                        fetches, hasFiles: ids.count > 1, lacksFiles: lacks, in: cache)
                    // A pin that fails now is set when the set is settled.
                    try? await cache.store.pin(outcomes.flatMap(\.keys), for: Self.holder(set))
                    let all = zip(staged, outcomes).map { (id: $0.id, outcome: $1) }
                    self.perform(self.machine.switched(set, all, at: self.now))
                }
            case .cancel(let id): tasks[id]?.cancel()
            case .discard(let id, let item, let staged):
                let fetch = fetch(id, item, .never)
                tasks[id] = Task {
                    await fetch.discardBeginning(staged)
                    self.tasks[id] = nil
                    self.perform(self.machine.discarded(id, at: self.now))
                }
            case .settlePins(let plans):
                Task {
                    let settled = await self.settlePins(plans)
                    self.perform(self.machine.pinsSettled(settled, at: self.now))
                }
            case .wake(let time): wake(at: time)
            case .keep(let budget): keep(budget)
            case .note(let note): note()
            case .report(let event): recorder.yield(event)
            case .tell(let caller, let summary): waiting.removeValue(forKey: caller)?.resume(returning: summary)
            }
        }
    }

    private func start(
        _ id: Int, _ item: PreloadItem, _ set: String, _ hold: StagedResponse.Hold,
        _ work: @escaping @Sendable (PreloadFetch) async -> PreloadFetch.Outcome
    ) {
        let (cache, fetch) = (cache, fetch(id, item, hold))
        tasks[id] = Task {
            let outcome = await work(fetch)
            let (files, content) = await fetch.namedFiles(outcome)
            // A pin that fails now is set when the set is settled.
            try? await cache.store.pin(outcome.keys, for: Self.holder(set))
            self.tasks[id] = nil
            let page = fetch.item.snapshot?.page
            // Files that its server did not have the last time are asked for first.
            let lacked = page.flatMap { self.snapshots[$0]?.lacked }
            self.machine.grow(set, files.filter { lacked?.contains($0.url) == true } + files)
            if let page { self.snapshots[page]?.contents[fetch.item.url] = content }
            let received = ByteCount(fetch.terms.receivedBytes)
            self.perform(self.machine.ended(id, outcome, received: received, at: self.now))
        }
    }

    func fetch(_ id: Int, _ item: PreloadItem, _ hold: StagedResponse.Hold) -> PreloadFetch {
        let host = TargetURI.split(item.url)?.authority ?? ""
        return PreloadFetch(
            item: item, cache: cache, fields: viewFields, configuration: configuration,
            terms: PreloadFetch.terms(for: item.group, item.content, login: configuration.viewFields.login(at: host)),
            admission: { await self.admit(id, host: $0) },
            obstacle: { await self.received($0, by: id, isWanted: $1) }, hold: hold,
            avoided: marks.values.reduce(into: SideEffectPages()) { $0.add($1) },
            since: item.snapshot.flatMap { snapshots[$0.page]?.mark })
    }

    private func admit(_ id: Int, host: String) -> PreloadWait? {
        machine.admit(id, host: host, configuration.connectivity(), at: now)
    }

    private func received(_ count: Int64, by id: Int, isWanted: Bool) -> PreloadWait? {
        machine.received(ByteCount(count), by: id, isWanted: isWanted, configuration.connectivity(), at: now)
    }

    private func wake(at time: WallInstant?) {
        timer?.cancel()
        timer = time.map { [cache] time in
            let duration = max(.milliseconds(1), time - now)
            return Task {
                try await cache.sleep(duration)
                self.lookAgain()
            }
        }
    }

    private func keep(_ budget: PreloadBudget) {
        if budget != keptBudget {
            keptBudget = budget
            try? storage?.keep(budget)
        }
        let fields = viewFields
        guard fields != keptFields, fields != ViewFields() else { return }
        keptFields = fields
        try? storage?.keep(fields)
    }

    // MARK: Pins

    /// Gives each set exactly the pins of what it lists; returns those that have them. Others are settled again later.
    private func settlePins(_ plans: [PreloadMachine.PinPlan]) async -> [String] {
        var settled: [String] = []
        for plan in plans {
            let holder = Self.holder(plan.set)
            let kept = Set(plan.verified + plan.refused.compactMap { fetch(0, $0, .never).hop(to: $0.url)?.key })
            guard let pinned = try? await ownPins(of: plan.set), case let dropped = pinned.subtracting(kept),
                (try? await cache.store.unpin(Array(dropped), for: holder)) != nil,
                (try? await cache.store.pin(plan.verified.filter { !pinned.contains($0) }, for: holder)) != nil
            else { continue }
            await keepNamedFiles(of: plan.set)
            await leaveRelease(dropped)
            settled.append(plan.set)
        }
        return settled
    }

    /// A page that no list has any more is of no release, and keeps the files that it was shown with.
    private func leaveRelease(_ dropped: Set<CacheKey>) async {
        guard !dropped.isEmpty else { return }
        var dropped = dropped
        for set in machine.sets.keys { dropped.subtract((try? await ownPins(of: set)) ?? []) }
        for key in dropped { await cache.leaveRelease(key) }
    }

    /// Has each page of a set remember the files that came with it, those of the other pages among them.
    private func keepNamedFiles(of set: String) async {
        let entries = (machine.sets[set]?.ids ?? []).compactMap { machine.entries[$0] }.filter(\.isVerified)
        let pages = entries.filter { $0.item.destination == .document && $0.item.namedBy == $0.item.url }
        guard !pages.isEmpty else { return }
        var files: [StoredEntry] = []
        for file in entries where file.item.destination != .document { files += await inPlace(file) }
        for page in pages {
            if let stored = await inPlace(page).last { await cache.keepFiles(files, of: stored) }
        }
    }

    /// A set's pins for this queue's account: another one's set may have the same name.
    private func ownPins(of set: String) async throws -> Set<CacheKey> {
        try await Self.pins(of: set, in: configuration.partition, cache)
    }

    static func pins(of set: String, in partition: String, _ cache: ResponseCache) async throws -> Set<CacheKey> {
        try await cache.store.pins(of: holder(set)).filter { $0.partition == partition }
    }

    /// Whether anything of a set is kept for this account; `true` also where the store can't be read.
    func keepsAny(of set: String) async -> Bool { (try? await ownPins(of: set))?.isEmpty != true }

    /// Fetches no more of a set until it is added again. What has come stays.
    func suspend(set: String) { perform(machine.suspend(set: set, at: now)) }

    // MARK: Whole pages

    /// Whether the document of a page could be opened without a network now.
    func isAvailableOffline(_ url: String) async -> Bool {
        guard let parts = TargetURI.split(url) else { return false }
        await cache.waitForCommits()
        let head = HTTPRequest(method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path)
        var context = ExchangeContext(partition: configuration.partition, destination: .document)
        context.document = url
        return await cache.isAvailableOffline(EngineRequest(head: head, context: context))
    }

    /// The reason why a whole page has to wait; `nil` if it may be loaded now.
    func admitPage(at url: String) -> PreloadWait? {
        machine.admitPage(from: TargetURI.split(url)?.authority ?? "", configuration.connectivity(), at: now)
    }

    /// Counts bytes that a whole page has received; returns the reason why it has to wait, `nil` if it may go on.
    func receivedByPage(_ count: ByteCount) -> PreloadWait? {
        machine.receivedByPage(count, configuration.connectivity(), at: now)
    }
}
