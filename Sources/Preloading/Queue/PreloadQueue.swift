import CacheEngine
import CacheRules
import HTTPCacheSemantics

/// Fetches ahead of need, one queue and one budget for everything.
///
/// What is wanted comes in sets, such as a manifest, each with a name. Whatever is stored already and is what its set
/// says is not fetched again, nor are beginnings that broke off. Nothing is visible to pages before all of it has come and
/// has the hash that is expected. What is verified is pinned in the name of its set.
///
/// Pages come first: while they use the network, nothing is fetched, except what a page waits for.
package actor PreloadQueue {
    struct Entry {
        enum State {
            case queued
            case running(Task<Void, Never>)
            case waiting(PreloadWait)
            /// It is put in its place with its release.
            case staged
            case verified([CacheKey])
            case refused(PreloadRefusal)
        }

        var item: PreloadItem
        var set: String
        var host: String
        var state = State.queued
        var attempts = 0
        /// Whether a page that is about to be opened needs it.
        var isExpected = false
        /// Whether nobody wants it just now; it stays listed.
        var isSuspended = false
        /// Whether parts of it did not belong together.
        var hadOtherParts = false
        /// What was fetched, and is not visible yet. While it is being put in its place, it is ``State/queued`` or running.
        var staged: StagedResponse?
        /// Bytes of the budget that are set aside for it.
        var reserved = ByteCount.zero
        /// Bytes that have come for it.
        var transferred = ByteCount.zero
    }

    let cache: ResponseCache
    let configuration: PreloadConfiguration
    private let learner: ViewFieldsLearner
    let recorder: PreloadEvents
    var entries: [Int: Entry] = [:]
    var lastID = 0
    /// What is to be started, by host, the next one at the end.
    var lanes: [String: [Int]] = [:]
    var running: [String: Int] = [:]
    var backoffs: [String: HostBackoff] = [:]
    /// How often in a row something could not be stored.
    var storeFailures = 0
    /// Until when nothing is fetched because nothing can be stored.
    var storeIsFullUntil: WallInstant?
    /// After that, what is fetched alone to see whether something can be stored again.
    var probe: Int?
    var spending: PreloadBudget
    var transferred = ByteCount.zero
    /// The sets that have documents.
    var switches: [String: ReleaseSwitch] = [:]
    private(set) var isRunning = false
    private(set) var isStopping = false
    /// Whether ``run()`` was called again meanwhile.
    private(set) var isCalledAgain = false
    /// Whether something has ended since the last look.
    private var hasChanged = false
    private var wake: CheckedContinuation<Void, Never>?
    private var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    /// Who waits for a set, by its name.
    var settling: [String: SettlingSet] = [:]
    /// By set, and all together.
    var marks: [String: SideEffectPages] = [:]
    var avoided = SideEffectPages()
    var lastWaiter = 0
    var endedRound = 0

    /// - Parameter cache: Its clock is the queue's.
    package init(cache: ResponseCache, configuration: PreloadConfiguration = PreloadConfiguration()) {
        self.init(cache: cache, configuration: configuration, events: PreloadEvents())
    }

    /// - Parameter events: Get what happens here, and in other queues.
    package init(cache: ResponseCache, configuration: PreloadConfiguration, events: PreloadEvents) {
        recorder = events
        self.cache = cache
        self.configuration = configuration
        spending = configuration.budget
        learner = ViewFieldsLearner(configuration.viewFields, cache)
    }

    /// Everything that happens from now on. Each call makes a sequence of its own; one that is read too slowly loses the
    /// oldest events.
    package nonisolated var events: AsyncStream<PreloadEvent> { recorder.stream() }

    /// What requests look like, as learned so far.
    package nonisolated var viewFields: ViewFields { learner.current }

    /// What is spent of the budget, for the caller to keep.
    package var budget: PreloadBudget { spending }

    var now: WallInstant { cache.now }

    // MARK: Running

    /// Fetches what can be fetched now, and returns once nothing is left that can. What waits for a time, another network
    /// or another day is left: call it again then, at ``PreloadSummary/next`` or when the network changes.
    ///
    /// A second call while one runs has what waits looked at again, and returns with it. When the task is cancelled, it stops as ``stop()`` does.
    @discardableResult
    package func run() async -> PreloadSummary {
        guard !isRunning else {
            isCalledAgain = true
            await withCheckedContinuation { waitingForEnd.append($0) }
            return summary
        }
        (isRunning, isStopping) = (true, false)
        await withTaskCancellationHandler {
            repeat {
                isCalledAgain = false
                for id in entries.keys where isDue(id) { entries[id]?.state = .queued }
                fillLanes()
                await runLanes()
            } while isCalledAgain && !isStopping
            await settlePins()
        } onCancel: {
            Task { await self.stop() }
        }
        isRunning = false
        for continuation in waitingForEnd { continuation.resume() }
        waitingForEnd = []
        let summary = summary
        recorder.record(.done(summary))
        return summary
    }

    private func runLanes() async {
        while true {
            hasChanged = false
            startMore()
            if running.isEmpty { return }
            await change()
        }
    }

    /// Runs until everything is verified or refused, or only another network, another day or a long wait would help.
    ///
    /// - Parameter patience: The longest wait that is waited for; ten minutes unless set.
    @discardableResult
    package func runUntilSettled(patience: Duration? = nil) async -> PreloadSummary {
        while true {
            let summary = await run()
            let isSoon = summary.next.map { $0 - now <= patience ?? HostBackoff.longest } ?? false
            guard let next = summary.next, isSoon, !isStopping, !Task.isCancelled else { return summary }
            do { try await cache.sleep(max(.milliseconds(1), next - now)) } catch { return summary }
        }
    }

    /// Ends a run. What was under way is fetched by the next one, from where it broke off if the origin allows.
    package func stop() {
        guard isRunning else { return }
        isStopping = true
        lanes = [:]
        for entry in entries.values {
            if case .running(let task) = entry.state { task.cancel() }
        }
    }

    private func isDue(_ id: Int) -> Bool {
        guard let entry = entries[id], !entry.isSuspended, case .waiting(let wait) = entry.state else { return false }
        return wait.until.map { $0 <= now } ?? true
    }

    private func change() async {
        await withCheckedContinuation { continuation in
            if hasChanged { continuation.resume() } else { wake = continuation }
        }
    }

    func resume() {
        hasChanged = true
        wake?.resume()
        wake = nil
    }

    private func startMore() {
        while !isStopping, running.values.reduce(0, +) < configuration.atOnce, let id = takeNext() { start(id) }
    }

    private func start(_ id: Int) {
        guard let entry = entries[id] else { return }
        let (cache, fetch, holder) = (cache, fetch(id, entry), Self.holder(entry.set))
        running[entry.host, default: 0] += 1
        if entry.staged == nil { recorder.record(.started(entry.item, set: entry.set)) }
        let task = Task {
            let outcome =
                if let staged = entry.staged { await fetch.putInPlace(staged) } else { await fetch.run() }
            // What can't be pinned now is pinned when the set is settled.
            if case .verified(let keys, _) = outcome { try? await cache.pin(keys, for: holder) }
            self.ended(id, host: entry.host, outcome, received: ByteCount(fetch.terms.receivedBytes))
        }
        entries[id]?.state = .running(task)
    }

    func fetch(_ id: Int, _ entry: Entry) -> PreloadFetch {
        PreloadFetch(
            item: entry.item, cache: cache, fields: viewFields, configuration: configuration,
            terms: PreloadFetch.terms(for: entry.item.group),
            admission: { await self.admit(id, host: $0) },
            obstacle: { await self.obstacle(id, received: $0, isWanted: $1) }, hold: hold(entry),
            avoided: avoided)
    }

    private func ended(_ id: Int, host: String, _ outcome: PreloadFetch.Outcome, received: ByteCount) {
        running[host, default: 1] -= 1
        if running[host] == 0 { running[host] = nil }
        transferred += received
        entries[id]?.transferred += received
        let before = entries[id]
        settle(id, outcome, received: received)
        noteSwitch(id, before: before)
        noteEnd(of: id)
        // It was stopped, and is wanted again since.
        if !isStopping, let entry = entries[id], !entry.isSuspended, case .queued = entry.state { fillLanes() }
        resume()
    }
}
