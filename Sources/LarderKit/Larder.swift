#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import CacheEngine
import CacheRules
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ViewCare
import Locking
import class Preloading.SetTurn
import struct Preloading.PreloadStateFiles
import ResponseStore
import WKWebViewAdapter

/// A cache for the web pages inside an app: a store on disk, a policy, and a way to the network.
///
/// Nothing is global: two of these with two directories know nothing of each other.
public final class Larder: Sendable {
    let store: DiskResponseStore
    let cache: ResponseCache
    let transport: any OriginTransport
    let clock: EngineClock
    /// The path of the store's folder.
    let directory: String
    let connectivityMonitor: ConnectivityMonitor
    private let reports: ReportStream
    private let user: LockedBox<String?>
    let preloads: PreloadSessions
    private let memoryWarnings: MemoryWarnings
    let suspension: BackgroundSuspension
    /// Called when it goes on; each must return at once.
    let resumptionListeners = LockedBox<[OwnedCall<@Sendable () -> Void>]>([])
    /// The proxies of web views, one for all that want the same.
    let webViewProxies = SharedUse.Places<WebViewProxyOptions>()
    let webViewCaches = WebViewCaches()
    /// The visits of web views, for reports.
    let visits = ViewVisits()
    /// The self-test's last objections to modes of web views, by their names, each in a sentence: such a mode is not
    /// used.
    let modeFaults: LockedBox<[String: String]>
    let policy: PolicyInForce
    private let backgroundObservation: BackgroundObservation

    /// Opens the store.
    ///
    /// - Parameter transport: The network. On Apple's platforms, and elsewhere with the trait `Proxy`, there is an
    ///   initialiser without it.
    /// - Throws: `StoreError` when the directory can't be used or holds a newer format.
    public init(_ configuration: LarderConfiguration, transport: any OriginTransport) throws {
        directory = configuration.directory.path
        clock = configuration.clock
        let transport = configuration.simulatedNetwork.transport(over: transport, clock: configuration.clock)
        self.transport = transport
        store = try DiskResponseStore(
            directory: directory, memoryBudget: configuration.memoryBudget,
            budget: configuration.budget, wallTime: configuration.clock.wallTime)
        reports = ReportStream(next: configuration.observer) { [visits] in visits.completed($0) }
        let files = PreloadStateFiles(
            folder: configuration.preloadStateDirectory?.path
                ?? PreloadStateFolder.path(besideStore: configuration.directory))
        let turnedOff = TurnedOff(files.turnedOff)
        modeFaults = LockedBox(files.modeFaults())
        var engine = EngineConfiguration(
            rules: turnedOff.before(configuration.rules), clock: configuration.clock, observer: reports)
        engine.offlinePage = configuration.offlinePage
        engine.limits = configuration.originLimits
        let opened = store
        memoryWarnings = MemoryWarnings { [weak opened] in opened?.releaseMemory() }
        let suspends = configuration.suspendsInBackground && BackgroundObservation.isPossible
        let listeners = resumptionListeners
        let turns = HeldTurns()
        suspension = BackgroundSuspension(
            isAutomatic: suspends, BackgroundObservation.assertion,
            suspend: {
                turns.suspend()
                try opened.suspendAndWait()
            },
            resume: {
                turns.resume()
                opened.resume()
            },
            goOn: { for listener in listeners.withLock({ $0 }) where listener.owner != nil { listener.call() } })
        backgroundObservation = BackgroundObservation(suspension)
        if suspends { suspension.beginLaunch() }
        cache = ResponseCache(
            store: store, transport: PatientTransport(transport, engine.clock), configuration: engine)
        policy = PolicyInForce(configuration.rules, turnedOff, of: cache)
        connectivityMonitor = ConnectivityMonitor(source: configuration.connectivitySource)
        let user = LockedBox<String?>(nil)
        self.user = user
        preloads = PreloadSessions(
            cache: cache, monitor: connectivityMonitor, clock: clock, configuration: configuration, files: files,
            policy: policy, turns: turns, account: { user.withLock { $0 } ?? "" })
        cache.follow(connectivityMonitor)
        let preloads = preloads
        cache.onSnapshot(preloads) { [weak preloads] in
            await preloads?.current().queue.completeSnapshot(of: $0, since: $1)
        }
        let cache = cache
        cache.removeNeverStored()
        // A check point; the first page does not wait for it, and what fails is found at the next one.
        Task(priority: .background) { _ = try? await cache.performMaintenance() }
    }

    deinit {
        suspension.end()
        preloads.abandon()
    }

    // MARK: Circumstances

    /// The network's state: ``connectivityOverride``, else
    /// ``LarderConfiguration/connectivitySource``.
    public var connectivity: Connectivity { connectivityMonitor.current }

    /// Overrides ``LarderConfiguration/connectivitySource``; takes effect for the next request.
    /// `nil`, the default, lets the source decide.
    ///
    /// When the network comes back, responses that were served stale without it are validated in
    /// the background, but not on a constrained network or in low-power mode.
    public var connectivityOverride: Connectivity? {
        get { connectivityMonitor.override }
        set { connectivityMonitor.override = newValue }
    }

    /// The user of the app; takes effect for the next request. `nil`, the default, and the empty
    /// text are nobody in particular.
    ///
    /// A change stops fetching ahead of need for the account before, and empties the web views' own caches soon after;
    /// ``logOut(_:)`` waits until they are.
    ///
    /// Responses stored for one account never answer another one, even where their bytes are the
    /// same. Use a lasting text, such as a user's number, and no secret: it stands in the store's
    /// index.
    public var account: String? {
        get { user.withLock { $0 } }
        set {
            let isChanged = user.withLock { user -> Bool in
                let former = user
                user = newValue?.isEmpty == true ? nil : newValue
                return user != former
            }
            guard isChanged else { return }
            let (preloads, webViewCaches) = (preloads, webViewCaches)
            Task {
                await webViewCaches.empty()
                await preloads.accountChanged()
            }
        }
    }

    /// The policy; a new one counts for the exchanges that begin from then on. As configured unless set. What it says
    /// is never to be stored is removed in the background, now as at the start.
    public var rules: RuleList {
        get { policy.rules }
        set { policy.rules = newValue }
    }

    // MARK: Answers

    /// Whether a URL would be answered with content if there were no network now, redirects included.
    ///
    /// - Throws: `EngineError` for what is no http or https URL.
    public func isAvailableOffline(_ url: URL, destination: Destination = .unknown) async throws -> Bool {
        await cache.isAvailableOffline(engineRequest(try .init(getting: url), destination))
    }

    /// Says how a GET would be answered now, step by step, as `larder explain` does. Sends, stores and counts nothing.
    ///
    /// A web view sends fields that the app does not know, such as cookies: where stored responses differ by one of
    /// them (`Vary`), each is tried. The app's own request has none but those given.
    ///
    /// - Parameters:
    ///   - client: Who asks; the app itself unless set.
    ///   - destination: The use of the response. Web views take it from the path unless set.
    ///   - fields: The request's, such as `Accept-Language`; none unless set. One without a value is surely absent.
    ///   - offline: Whether to answer as without a network; as it is unless set.
    ///   - originIsDown: Whether to answer as if nothing answered at the server; no unless set.
    /// - Throws: `EngineError` for what is no http or https URL.
    public func explain(
        _ url: URL, as client: AskingClient = .data, destination: Destination = .unknown, fields: HTTPFields = [:],
        offline: Bool = false, originIsDown: Bool = false
    ) async throws -> Explanation {
        var request = engineRequest(try .init(getting: url), destination)
        request.head.headerFields.append(contentsOf: fields)
        if offline { request.context.connectivity = .disconnected }
        let asked = client.asked(
            request.head, destination == .unknown ? nil : destination, request.context,
            await preloads.current().queue.viewFields)
        return await cache.explain(asked.request, fields: asked.unknown, originIsDown: originIsDown)
    }

    // MARK: Stored responses

    /// Lists the stored responses that a selection names, as `larder store list` does, in the order in which they were
    /// stored.
    ///
    /// - Throws: `StoreError` when the store can't be read.
    public func list(_ selection: EntrySelection = .everything) async throws -> [EntrySummary] {
        var listed: [EntrySummary] = []
        try await store.forEachSummary(of: selection) { entry in
            var entry = entry
            entry.tags = StoredNotes.tags(of: entry.tags)
            listed.append(entry)
        }
        return listed
    }

    /// Stores a response that the app brings, such as one shipped with it, for the current ``account``.
    ///
    /// - Parameters:
    ///   - content: The whole content, in the coding that the fields name.
    ///   - fields: The response's, such as `Content-Type` and `Cache-Control`. Without a stated lifetime the response
    ///     is validated before its first use with a network.
    /// - Throws: `EngineError` for what is no http or https URL or may not be stored (RFC 9111 §3), or `StoreError`.
    public func store(
        _ content: Data, for url: URL, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) async throws {
        try await cache.store(
            HTTPResponse(status: status, headerFields: fields), content: Array(content),
            for: engineRequest(try .init(getting: url)))
    }

    /// Fetches a URL past every cache, this one and those on the way, and stores what comes: for one that is stuck.
    /// Every stored response that it may mean is fetched anew, with the fields that it was asked for with, as by a web
    /// view; see `ResponseCache.refresh(_:)`. The stored response stays when nothing comes.
    ///
    /// - Returns: The origin's response, without its content; of several, the one that replaces the
    ///   response that was stored last.
    /// - Throws: `EngineError`: no answer could be had, or not the whole of one, or the origin was not asked, as
    ///   without a network.
    @discardableResult
    public func refresh(_ url: URL, destination: Destination = .unknown) async throws -> HTTPURLResponse {
        let request = engineRequest(try .init(getting: url), destination)
        let answers = await cache.refresh(request)
        for answer in answers {
            if let failure = answer.failure { throw failure }
            guard !answer.cacheStatus.isHit else {
                throw EngineError(
                    code: .disconnected,
                    message:
                        "'\(url.absoluteString)' was not fetched: there is no network, or a rule has the store "
                        + "answer alone."
                )
            }
        }
        return try .make(answers.first?.head ?? HTTPResponse(status: .badGateway), from: url)
    }

    /// A report for each exchange that begins from now on, once it has ended. Without anybody who reads them none is
    /// made. Each call makes a sequence of its own; one that is read too slowly loses the oldest reports.
    ///
    /// Reports of web views say which one asked, and for which of its visits: `ExchangeReport.view` and `visit`.
    /// Through the proxy that is an inference from `Referer` and from what web views were told to load; where it leaves
    /// more than one web view, `visit` is `nil` and `view` is "web views".
    public var events: AsyncStream<ExchangeReport> { reports.reports() }

    func exchangeContext(_ destination: Destination = .unknown) -> ExchangeContext {
        var context = ExchangeContext(partition: account ?? "", destination: destination, connectivity: connectivity)
        context.checksAllowedOrigin = true
        return context
    }

    /// Applies to a request of a web view or a session that begins now: they keep cookies, and one
    /// that was set long ago is not set again.
    var contextForClients: ExchangeContext {
        var context = exchangeContext()
        context.fieldsOmittedFromHits = [.setCookie]
        return context
    }

    func engineRequest(_ request: HTTPRequest, _ destination: Destination = .unknown) -> EngineRequest {
        EngineRequest(head: request, context: exchangeContext(destination))
    }
}
