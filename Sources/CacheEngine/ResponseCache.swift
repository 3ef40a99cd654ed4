import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// Answers requests from a store and a transport: look up, decide, collapse, forward, freshen, store, report.
///
/// All decisions are made by `ExchangeMachine`; this type does what it says. It has no isolation of its own: exchanges
/// run at once, each in the task of its caller, and meet only in the store and in the table of requests in flight.
public final class ResponseCache: Sendable {
    let store: any ResponseStorage
    let transport: any OriginTransport
    let configuration: EngineConfiguration
    let flights = CollapseTable()
    let background: BackgroundWork
    let commits = CommitQueue()
    let arrivals = Arrivals()
    let openBodies = OpenBodies()
    let policy: PolicyInForce
    /// On the uptime clock; `nil` before the first.
    let lastMaintenance = LockedBox<Duration?>(nil)
    let revalidationBacklog = RevalidationBacklog()
    let headProbes = HeadProbeHistory()
    /// Those who keep requests in memory, see ``onRemoval(_:)``.
    private let removalListeners = LockedBox<[@Sendable (EntrySelection) -> Void]>([])
    /// Counts the times that ``removeNeverStored(whenDone:)`` has begun.
    let purges = LockedBox(0)

    public init(
        store: any ResponseStorage, transport: any OriginTransport, configuration: EngineConfiguration = .init()
    ) {
        self.store = store
        self.transport = transport
        self.configuration = configuration
        background = BackgroundWork(limit: configuration.backgroundLimit)
        policy = PolicyInForce(configuration.rules, distrustedHosts: store.distrustedHosts)
    }

    /// The policy; a new one counts for the exchanges that begin from then on. As configured unless set. What it says is
    /// never to be stored is removed in the background, see ``removeNeverStored(whenDone:)``.
    public var rules: RuleList {
        get { policy.rules }
        set {
            policy.rules = newValue
            removeNeverStored()
        }
    }

    /// Hosts that sent other bytes under a name with a content hash than before, within the last day: for so long no name
    /// of theirs counts as hashed. The store remembers them, until everything is removed from it.
    public var hostsWithBrokenHashes: Set<String> { policy.distrustedHosts(at: now) }

    /// For how long a host's hashed names are not believed once it was caught: a day.
    public static let distrustTime = PolicyInForce.distrustTime

    var now: WallInstant { configuration.clock.wallTime() }

    /// When an exchange that begins now will be said to have begun; `nil` where nobody wants its report.
    var startOfReport: Duration? {
        configuration.observer?.isListening == true ? configuration.clock.uptime() : nil
    }

    /// Answers one request. Never throws: what went wrong is an error answer with its reason.
    ///
    /// Cancelling the task that waits for the answer cancels the exchange, unless others share it.
    public func respond(to request: EngineRequest) async -> EngineResponse {
        switch begin(request) {
        case .answered(let answer): answer.response
        case .underWay(let exchange): await exchange.respond()
        }
    }

    /// Begins the exchange for one request, and ends it at once where a fresh response is stored, its content is at
    /// hand, and nothing else has to be done. Never waits.
    ///
    /// - Parameter remembers: Whether an answer is to come with what ``answer(_:again:)`` needs.
    public func begin(_ request: EngineRequest, remembers: Bool = false) -> BegunExchange {
        var exchange = RunningExchange(request, cache: self)
        var action = exchange.machine.start()
        if case .lookUp(let key) = action, let found = entriesAtHand(for: key), !found.isEmpty {
            let now = now
            let decided = exchange.machine.lookedUp(found, at: now)
            if case .serve(let entry, let use) = decided {
                if use == .fresh, var answer = exchange.immediateAnswer(with: entry, at: now) {
                    if remembers {
                        answer.standing = StandingAnswer(answer, from: entry, of: found, by: exchange)
                    }
                    return .answered(answer)
                }
                // What was served stale without a network has to be validated first.
                if use != .staleWhileRevalidating || !revalidationBacklog.contains(key) { action = decided }
            }
            // What has to leave is decided again, by a look-up that is known to be newer than the requests that have ended.
        }
        return .underWay(BegunExchange.Rest(exchange, next: action))
    }

    /// What is stored under a key, where that is known at once: not while a response that has wholly arrived is on its way
    /// into the store, which a client that asks again must find (see ``Arrivals``).
    func entriesAtHand(for key: CacheKey) -> [StoredEntry]? {
        arrivals.isSettled(key) ? store.cachedEntries(for: key) : nil
    }

    /// Goes on until there is an answer.
    func respond(_ begun: RunningExchange, next: ExchangeMachine.Action) async -> EngineResponse {
        var (exchange, action) = (begun, next)
        while true {
            switch action {
            case .lookUp(let key):
                await arrivals.waitForCommits(key)
                exchange.willLookUp(key)
                action = exchange.machine.lookedUp(await exchange.lookUp(key), at: now)
            case .serve(let entry, let use):
                if let answer = await exchange.answer(with: entry, use) {
                    // After a failed validation others may still wait for it.
                    exchange.endFlight(.notShareable)
                    await exchange.clearOriginWhereAsked()
                    return answer
                }
                action = exchange.contentWasGone()
            case .freshen(let freshened):
                let entry = await exchange.freshen(freshened)
                if let answer = await exchange.answer(with: entry, .validated) {
                    await exchange.clearOriginWhereAsked()
                    return answer
                }
                action = exchange.contentWasGone()
            case .forward(let head, let mayCollapse):
                switch mayCollapse ? await exchange.joinOthers() : .goOn {
                case .answer(let answer): return answer
                case .lookAgain(let key): action = .lookUp(key)
                case .goOn: action = await exchange.forward(head)
                }
            case .relay(let relay): return await exchange.relay(relay)
            case .fail(let error):
                return exchange.failure(error)
            }
        }
    }

    /// Under which key responses to a request are stored: that of its URI, or the one that a rule for keys makes of it.
    /// `nil` for what names no address.
    public func key(for request: EngineRequest) -> CacheKey? {
        RunningExchange(request, cache: self).key
    }

    /// Returns once everything that had wholly arrived under a key is stored, or can't be.
    public func waitForCommits(_ key: CacheKey) async {
        await arrivals.waitForCommits(key)
    }

    /// Returns once everything that had wholly arrived is stored and its exchange reported, or can't be stored. What is
    /// still arriving is not waited for.
    public func waitForCommits() async {
        await arrivals.waitForCommits()
    }

    /// Calls a listener at the end of every ``remove(_:)``: whoever keeps requests in memory forgets those that are meant.
    public func onRemoval(_ listener: @escaping @Sendable (EntrySelection) -> Void) {
        removalListeners.withLock { $0.append(listener) }
    }

    func noteRemoval(of selection: EntrySelection) {
        for listener in removalListeners.withLock({ $0 }) { listener(selection) }
    }

    // MARK: In the background

    /// Validates the stored response for a request while that request was answered with it (RFC 5861 §3), one
    /// validation at a time per key.
    func revalidateInBackground(_ request: EngineRequest, _ key: CacheKey?) {
        guard let key else { return }
        background.start(key) { await self.validate(request) }
    }

    /// Asks the origin about the stored response for a request, whatever its age; nobody waits for the answer.
    func validate(_ request: EngineRequest) async {
        var head = request.head
        head.method = .get
        for name in [.ifNoneMatch, .ifModifiedSince, .ifRange, .range] as [HTTPField.Name] {
            head.headerFields[name] = nil
        }
        var context = request.context
        context.mode = .revalidate
        context.isBackground = true
        let source = await respond(to: EngineRequest(head: head, context: context)).body.makeSource()
        do {
            while try await source.next() != nil {}
        } catch {
            // The stored response stays as it is, and the next request validates it.
            source.cancel()
        }
    }

    /// Returns once no validation runs in the background and every response that was to be stored is stored, or has
    /// failed. A response whose reader stands still keeps it waiting.
    public func waitForBackgroundWork() async {
        await background.waitUntilIdle()
    }

    /// Ends the validations that run in the background. What they were to validate stays stored.
    public func cancelBackgroundWork() {
        background.cancelAll()
    }
}
