import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// Answers requests from a store and a transport: look up, decide, collapse, forward, freshen, store, report.
///
/// All decisions are made by `ExchangeMachine`; this type does what it says. It has no isolation of its own: exchanges
/// run at once, each in the task of its caller, and meet in the store and in this type's members, each with a lock of
/// its own.
package final class ResponseCache: Sendable {
    package let store: any ResponseStorage
    let transport: any OriginTransport
    private let transportDecodes: Bool
    let configuration: EngineConfiguration
    let flights = CollapseTable()
    let background: BackgroundWork
    let commits = CommitQueue()
    let arrivals = Arrivals()
    let unwritten = UnwrittenChanges()
    let openBodies = OpenBodies()
    let policy: RulesInForce
    /// The uptime of the last maintenance, or of the first storing before any; `nil` before both.
    let lastMaintenance = LockedBox<Duration?>(nil)
    let revalidationBacklog = RevalidationBacklog()
    let headProbes = HeadProbeHistory()
    let patience = HostPatience()
    let pageNews = PageNews()
    let workerScripts = WorkerScripts()
    let preflights = Preflights()
    /// The events that the store has been told of responses that were not stored.
    private let notStored = LockedBox<[CacheKey: PastEvent]>([:])
    let releasePages = ReleasePages()
    let pageSets = PageSets()
    /// Called at the end of every removal, see ``onRemoval(_:)``.
    private let removalListeners = LockedBox<[OwnedCall<@Sendable (EntrySelection) -> Void>]>([])
    /// The latest visits of pages whose snapshots are to be completed.
    let snapshotVisits = LockedBox<[CacheKey: EngineRequest]>([:])
    /// See ``onSnapshot(_:_:)``.
    let snapshotCompleter = LockedBox<OwnedCall<@Sendable (EngineRequest, StoreMark?) async -> Void>?>(nil)
    /// See ``onForwarding(_:_:)``.
    let forwardingListeners = LockedBox<[OwnedCall<@Sendable (HTTPRequest, ExchangeContext) -> Void>]>([])
    package let traffic: VisibleTraffic
    /// How often ``removeNeverStored(whenDone:)`` has begun.
    let purges = LockedBox(0)

    package init(
        store: any ResponseStorage, transport: any OriginTransport, configuration: EngineConfiguration = .init()
    ) {
        self.store = store
        self.transport = transport
        transportDecodes = !transport.decodedCodings.isEmpty
        self.configuration = configuration
        traffic = VisibleTraffic(clock: configuration.clock)
        background = BackgroundWork(limit: configuration.backgroundLimit)
        policy = RulesInForce(configuration.rules, distrustedHosts: store.distrustedHosts)
    }

    /// The policy; ``EngineConfiguration/rules`` unless set. A new one applies to exchanges that begin after the
    /// change. Stored responses that it never lets be stored are removed in the background, see
    /// ``removeNeverStored(whenDone:)``.
    package var rules: RuleList {
        get { policy.rules }
        set {
            policy.rules = newValue
            removeNeverStored()
        }
    }

    /// Hosts that changed the bytes behind a name with a content hash within the last day. For that day none of their
    /// names counts as hashed. The store remembers them until everything is removed from it.
    package var hostsWithBrokenHashes: Set<String> { policy.distrustedHosts(at: now) }

    /// How long a host's hashed names are distrusted after it changed the bytes behind one: a day.
    package static let distrustTime = RulesInForce.distrustTime

    /// The time on the wall clock.
    package var now: WallInstant { configuration.clock.wallTime() }

    /// The time on the clock of reports.
    package var uptime: Duration { configuration.clock.uptime() }

    /// Waits as the clock says.
    package func sleep(_ duration: Duration) async throws { try await configuration.clock.sleep(duration) }

    /// The start time for the report of an exchange that begins now; `nil` when nobody wants the report.
    var startOfReport: Duration? {
        configuration.observer?.isListening == true ? configuration.clock.uptime() : nil
    }

    /// Answers one request. Never throws: a failure becomes an error answer with its reason.
    ///
    /// Cancelling the task that waits for the answer cancels the exchange, unless others share it.
    package func respond(to request: EngineRequest) async -> EngineResponse {
        switch begin(request) {
        case .answered(let answer): answer.response
        case .underWay(let exchange): await exchange.respond()
        }
    }

    /// Works out what a request means under the policy in force. Neither reads the store nor sends anything.
    package func prepare(_ request: EngineRequest) -> PreparedRequest {
        PreparedRequest(
            request, policy: policy.snapshot(for: request.head.authority, at: now),
            settings: .init(
                kind: configuration.kind, hasPatience: configuration.limits.beforeFallback != nil,
                transportDecodes: transportDecodes))
    }

    /// Begins the exchange for one request, and ends it at once when a fresh response is stored, its content is at
    /// hand, and nothing else has to be done. Never waits.
    package func begin(_ request: EngineRequest) -> BegunExchange {
        begin(RunningExchange(request, cache: self))
    }

    /// Begins the exchange for a request that was prepared before, as ``begin(_:)-(EngineRequest)`` does.
    ///
    /// - Parameters:
    ///   - prepared: Still holds in this context, see ``holds(_:in:)``.
    ///   - context: Its destination is ignored; the prepared request's is used.
    package func begin(_ prepared: PreparedRequest, in context: ExchangeContext) -> BegunExchange {
        begin(RunningExchange(prepared, view: context.view, cache: self))
    }

    /// Whether a request that was prepared before means the same in this context.
    package func holds(_ prepared: PreparedRequest, in context: ExchangeContext) -> Bool {
        prepared.holds(in: context, generation: policy.generation)
    }

    /// Owns the exchange: a copy would cost a reference count for each of its members, with every hit.
    private func begin(_ begun: consuming RunningExchange) -> BegunExchange {
        var exchange = begun
        if case .serve(let entry, .fresh)? = exchange.decideAtHand(),
            case .atOnce(let answer)? = exchange.answer(with: entry, .fresh, at: now)
        {
            return .answered(answer)
        }
        return .underWay(exchange)
    }

    /// The entries under a key; if there are none, those under keys that differ in the query only.
    ///
    /// - Parameter andVariants: Whether those are wanted in any case.
    func lookUp(_ key: CacheKey, andVariants: Bool = false) async -> [StoredEntry] {
        // A store that can't be read counts as empty; the exchange goes on.
        let entries = (try? await store.entries(for: key)) ?? []
        guard entries.isEmpty || andVariants else { return entries }
        let variants = (try? await store.searchVariants(of: key)) ?? []
        return entries + variants.filter { $0.key != key }
    }

    /// Remembers why a response was not stored, once for each key and reason.
    func noteNotStored(_ event: PastEvent, _ key: CacheKey) {
        let isNew = notStored.withLock { known -> Bool in
            if known.count >= 1_000 { known = [:] }
            return known.updateValue(event, forKey: key) != event
        }
        if isNew { background.transfer { [store] in await store.note(event, of: key) } }
    }

    /// The key under which responses to a request are stored: its URI's, or the one that a key rule makes of it. `nil`
    /// for a request without an address.
    package func key(for request: EngineRequest) -> CacheKey? { prepare(request).key }

    /// Returns once every response that had wholly arrived under a key is stored, or can't be stored.
    package func waitForCommits(_ key: CacheKey) async {
        await arrivals.waitForCommits(key)
    }

    /// Returns once every response that had wholly arrived is stored and its exchange reported, or can't be stored.
    /// Does not wait for responses that are still arriving.
    package func waitForCommits() async {
        await arrivals.waitForCommits()
        await keepNews()
    }

    /// Calls a listener at the end of every ``remove(_:)``, so that it can forget the requests in memory that are
    /// meant. It is called while its owner lives, and must not hold that.
    package func onRemoval(
        _ owner: some AnyObject & Sendable, _ listener: @escaping @Sendable (EntrySelection) -> Void
    ) {
        removalListeners.withLock { $0.add(owner, listener) }
    }

    func noteRemoval(of selection: EntrySelection) {
        notStored.withLock { $0 = $0.filter { !selection.contains($0.key) } }
        for listener in removalListeners.withLock({ $0 }) where listener.owner != nil { listener.call(selection) }
    }

    // MARK: In the background

    /// Validates the stored response for a request, whatever its age. No client waits for the answer.
    ///
    /// A page that opens from its snapshot is asked about with all that belongs to that.
    ///
    /// - Parameter late: The answer to the request that the stored response has answered, which goes on.
    func validate(_ request: EngineRequest, _ late: LateAnswer? = nil) async {
        if await completeSnapshot(of: request) { return }
        var head = request.head
        head.method = .get
        ConditionalRequest.remove(from: &head.headerFields)
        var context = request.context
        context.mode = .revalidate
        context.isBackground = true
        var again = EngineRequest(head: head, context: context)
        again.late = late
        let answer = await respond(to: again)
        let source = answer.body.makeSource()
        do {
            while answer.cacheStatus.isStored, try await source.next() != nil {}
        } catch {
            // The stored response stays as it is, and the next request validates it.
        }
        source.cancel()
    }

    /// Returns once no validation runs in the background and every response that was to be stored is stored, or has
    /// failed. A response whose reader has stalled keeps it waiting.
    package func waitForBackgroundWork() async { await background.waitUntilIdle() }

    /// Returns as ``waitForBackgroundWork()`` does, or when the time is up.
    package func waitForBackgroundWork(within limit: Duration) async {
        let work = Task<Void, any Error> { await waitForBackgroundWork() }
        _ = try? await work.result(within: limit, configuration.clock)
        work.cancel()
    }
}

/// A closure that is called while its owner lives; it must not hold that.
package struct OwnedCall<Call: Sendable>: Sendable {
    package weak var owner: (any AnyObject & Sendable)?
    package let call: Call
}

extension Array {
    /// Adds a call, and lets go of those whose owners are gone.
    package mutating func add<Call: Sendable>(
        _ owner: some AnyObject & Sendable, _ call: Call
    ) where Element == OwnedCall<Call> {
        removeAll { $0.owner == nil }
        append(OwnedCall(owner: owner, call: call))
    }
}
