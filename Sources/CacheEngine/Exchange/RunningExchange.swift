import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// One exchange under way: carries out the machine's actions with the cache's store and transport.
package struct RunningExchange: Sendable {
    var machine: ExchangeMachine
    /// The next action to carry out.
    var next: ExchangeMachine.Action
    let cache: ResponseCache
    /// Which web view or connection asks; a label for reports.
    let view: String
    let body: RequestBody?
    var onInterim: (@Sendable (HTTPResponse) -> Void)?
    /// When the request arrived, on the uptime clock; `nil` if nobody wanted its report then.
    let start: Duration?
    /// The store's last answer, also where it was asked before the exchange began.
    var lookedUp: LookedUp?
    /// ``CollapseTable/completions(of:)`` before the last look-up.
    var completions: UInt64 = 0
    /// When the request left or, in the background, when the store was asked. A response whose key was invalidated
    /// since, or that a newer one has replaced, is not stored.
    var mark: StoreMark?
    /// Whether others could have joined this exchange; then the table notes whether its answer can be shared.
    var mayShare = false
    /// Whether it has waited for the answer to another request.
    var hasWaited = false
    /// Set while this exchange is the one that others with the same key wait for.
    var flight: InFlight?
    /// The fields of the 304 that confirmed the stored response: they are new, not a replay.
    var confirmedFields: Set<HTTPField.Name> = []
    /// Whether a response that was not passed on had `Clear-Site-Data`.
    var clearsOrigin = false
    /// When the first request of this exchange left, on the uptime clock, and whether a script asks in it for what it
    /// has waited for in vain just before.
    var first: (sent: Duration, asksAgain: Bool)?
    /// An answer that has not come in time, or is waited for in the background.
    var late: LateAnswer?
    /// The origin's response, until the client gets it.
    var response: TransportResponse?
    /// Whether its content has paused so far.
    var contentPauses: AtomicFlag?
    /// How the origin's last response came, as far as the transport tells, and how often it was asked once more; `nil`
    /// if it was not asked or nobody wants the report.
    var network: LockedBox<(metrics: TransportMetrics?, repeats: Int)>?
    /// Since when its page has been there, where this process has not shown it (``PageNews``); for explanations.
    var pageSince: WallInstant?
    /// Whether the request is one without its cookies, so that it must not be sent.
    var lacksCookies = false
    private(set) var hasLookedAgain = false
    /// The detail of `Cache-Status` where the stored content was damaged or gone, so that the server was asked.
    static let damaged = "damaged"

    init(
        _ prepared: PreparedRequest, view: String, body: RequestBody? = nil, cache: ResponseCache,
        isTraced: Bool = false
    ) {
        var machine = ExchangeMachine(prepared)
        if isTraced { machine.trace = [] }
        machine.isWorkerImport = cache.workerScripts.imports(prepared.request)
        machine.pageVersion = cache.releasePages.version(for: prepared.request)
        next = machine.start()
        self.machine = machine
        self.cache = cache
        self.view = view
        self.body = body
        start = cache.startOfReport
    }

    init(_ request: EngineRequest, cache: ResponseCache, isTraced: Bool = false) {
        self.init(
            cache.prepare(request), view: request.context.view, body: request.body, cache: cache, isTraced: isTraced)
        onInterim = request.onInterim
        (lookedUp, late) = (request.lookedUp, request.late)
    }

    var key: CacheKey? { machine.key }
    var head: HTTPRequest { machine.request }
    /// With its port, if the request names one.
    var host: String { machine.request.authority ?? "" }
    var context: ExchangeContext { machine.context }

    /// The request as this view made it; a prepared request is shared by all whose requests are equal.
    var request: EngineRequest {
        var request = machine.prepared.request
        request.context.view = view
        return request
    }

    // MARK: Answering from the store

    /// Answers from a stored response: the one function for all hits.
    ///
    /// - Parameter opened: The entry's content. Without it there is an answer only if the content is in memory or its
    ///   file is open, and if the head is one that answers from this response share.
    /// - Returns: `nil` if the content has to be opened first.
    func answer(
        with entry: StoredEntry, _ use: ExchangeMachine.Use, opened: StoredContent? = nil, at now: WallInstant
    ) -> AnsweredExchange? {
        let derived = machine.derivedData(of: entry)
        let length = opened?.length.bytes ?? entry.bodyLength.bytes
        let isHead = head.method == .head
        let age = derived.freshness.currentAge(at: now).components.seconds
        let selection = machine.selection(of: entry, length: length)
        let answer: AnsweredExchange
        if use != .validated, length == entry.bodyLength.bytes,
            let part = AnswerTemplate.Part(of: selection, in: entry, isHead: isHead)
        {
            var content: StoredContent?
            if part.hasContent {
                content = opened ?? derived.contentAtHand(entry.inlineBody, of: entry.bodyLength)
                guard content != nil else { return nil }
            }
            let template = derived.template(part.shape, of: entry, AnswerFields(machine, age: age))
            answer = .atOnce(
                ImmediateAnswer(
                    template: template, age: age, contentRange: part.contentRange, content: content,
                    region: part.region, cacheStatus: machine.status))
        } else {
            guard let opened else { return nil }
            var fields = AnswerFields(machine, age: age)
            if use == .validated { fields.omitted.subtract(confirmedFields) }
            let made = StoredAnswer(
                entry.response, length: length, selection: selection, isHead: isHead, age: age, fields)
            answer = .composed(
                EngineResponse(head: made.head, body: made.body(from: opened), cacheStatus: machine.status))
        }
        noteDocument(entry.response.fields)
        noteShown(entry.response, from: use == .validated ? .confirmed : .store)
        noteFile(entry)
        noteVersion(answeringWith: entry, isConfirmed: use == .validated)
        finish(answer, entry.response.fields, use, age: age, derived)
        return answer
    }

    /// Notes that a visit begins.
    func noteDocument(_ fields: HTTPFields) {
        guard context.destination == .document || context.destination == .unknown, machine.isPage(fields),
            !context.isBackground, context.preload == nil
        else { return }
        cache.pageNews.noteBegun(as: machine.prepared.request, at: cache.now)
    }

    /// Notes the page that a web view gets to see.
    func noteShown(_ page: StoredResponse, from source: PageSets.Source) {
        guard context.destination.isPage || context.destination == .unknown, !context.isBackground,
            context.preload == nil
        else { return }
        let page = tagged(page)
        cache.pageNews.noteShown(page, as: machine.prepared.request)
        if let key, machine.rules["older-than-page"] != nil {
            let isOffline = !context.connectivity.hasNetwork || machine.originFailure != nil
            let hasNews = cache.pageSets.noteShown(
                page, key, as: head.url, from: source == .store && isOffline ? .offline : source, at: cache.now,
                snapshot: machine.snapshotRule)
            if hasNews { cache.keepLater(head.url) }
        }
        // A frame of another site may show it without the cookies of its own.
        if machine.policy.verdict == .snapshot, cache.completesSnapshots, context.destination == .document,
            context.site.isEmpty, context.connectivity.allowsBackgroundTraffic, !lacksCookies, let key
        {
            cache.wantSnapshot(for: request, key)
        }
    }

    /// A page with the tag of one, which it lacks where a script had fetched it first, or the app has supplied it.
    private func tagged(_ page: StoredResponse) -> StoredResponse {
        guard context.destination.isPage, page.status.kind == .successful, let key,
            !page.tags.contains(where: PageNews.isTag)
        else { return page }
        var tagged = page
        tagged.tags.append(PageNews.tag(page.requestTime))
        cache.background.transfer { [cache, tags = tagged.tags] in
            _ = await cache.changeTags(
                of: key, where: { $0.response.tags == page.tags && $0.response.requestTime == page.requestTime }
            ) { _ in tags }
        }
        return tagged
    }

    /// Does what every answer from the store entails: validation in the background, the backlog, the report.
    private func finish(
        _ answer: AnsweredExchange, _ fields: HTTPFields, _ use: ExchangeMachine.Use, age: Int64,
        _ derived: DerivedEntryData
    ) {
        if context.preload == nil { validateLater(use, age: age, derived) }
        if context.destination == .fetch, use == .staleWhileRevalidating {
            cache.patience.answered(head.url, at: cache.uptime)
        }
        let outcome: ExchangeReport.Outcome =
            switch use {
            case .fresh: .hit
            case .stale, .staleWhileRevalidating: .staleHit
            case .validated: .validated
            }
        report(
            outcome, status: answer.response.head.status.code, bytes: answer.response.body.length ?? 0, fields: fields)
    }

    /// Tells of the exchange, where anybody listens.
    func report(
        _ outcome: ExchangeReport.Outcome, status: @autoclosure () -> Int, bytes: @autoclosure () -> Int64,
        fields: HTTPFields = [:], cacheStatus: CacheStatus? = nil,
        notStored: StoreDecision.Reason? = nil, storeFailure: StoreError? = nil, failure: EngineError? = nil,
        isComplete: Bool = true
    ) {
        guard let start, let observer = cache.configuration.observer else { return }
        var report = makeReport(
            outcome, status: status(), fields, bytes: bytes(), cacheStatus: cacheStatus, notStored: notStored,
            start: start)
        (report.storeFailure, report.failure, report.isComplete) = (storeFailure, failure, isComplete)
        observer.record(report)
    }

    /// Has the stored response validated in the background, or once the network is back.
    private func validateLater(_ use: ExchangeMachine.Use, age: Int64, _ derived: DerivedEntryData) {
        let isStale = use == .stale || use == .staleWhileRevalidating
        if isStale, machine.lacksNetwork, let key { cache.revalidationBacklog.note(key, request) }
        let isDue = use == .staleWhileRevalidating && context.connectivity.hasNetwork
        let isSampled = use == .fresh && takesSamples && derived.isSampleDue(age: age)
        if isDue || isSampled && !lacksCookies, let key {
            cache.background.start(key) { [cache, request, late] in await cache.validate(request, late) }
        }
    }

    /// Whether a response that answers because of the hash in its name is compared with the origin's now and then.
    private var takesSamples: Bool {
        machine.policy.restsOnHashedName && cache.configuration.samplesHashedNames
            && head.method == .get && !context.isBackground
            && machine.mode != .onlyIfStored && !machine.directives.onlyIfCached
            && context.connectivity.allowsBackgroundTraffic
    }

    /// Whether an answer with this response would be followed by such a comparison.
    func isNextSampled(_ entry: StoredEntry, at now: WallInstant) -> Bool {
        guard takesSamples else { return false }
        let derived = machine.derivedData(of: entry)
        return derived.isNextSampled(age: derived.freshness.currentAge(at: now).components.seconds)
    }

    /// Opens a stored entry's content and answers with it; `nil` when the content turns out to be gone.
    mutating func openedAnswer(with entry: StoredEntry, _ use: ExchangeMachine.Use) async -> EngineResponse? {
        guard let content = try? await cache.store.open(entry) else { return nil }
        if case .file(let file) = content {
            cache.openBodies.keep(file, with: machine.derivedData(of: entry))
        }
        let answer = answer(with: entry, use, opened: content, at: cache.now)?.response
        // `Clear-Site-Data` came with a 304, or with an error that a stale response replaces.
        if clearsOrigin { await invalidate(after: HTTPResponse(status: .notModified), clearingOrigin: true) }
        return answer
    }

    /// The action for an entry whose content is gone: it was dropped or replaced meanwhile, so look up once more.
    mutating func contentWasGone() -> ExchangeMachine.Action {
        guard let key, !hasLookedAgain else { return machine.lookedUp([], at: cache.now) }
        (hasLookedAgain, lookedUp) = (true, nil)
        return .lookUp(key)
    }

    // MARK: Changing the store

    /// Replaces the responses that a 304 confirmed. A client's answer does not wait for the store, which another
    /// process may have locked; what is asked for next under the same keys does.
    mutating func freshen(_ freshened: ExchangeMachine.Freshened) async -> StoredEntry {
        var (entry, changed) = (freshened.entry, freshened.others)
        if freshened.isKept, freshened.isNewVariant {
            // If the store can't be written, it keeps the old fields; this answer has the new ones.
            let copy = try? await cache.store.commit(contentOf: entry, response: entry.response, since: mark)
            entry = copy ?? entry
        } else if freshened.isKept {
            changed.append(entry)
        }
        if context.isBackground || context.preload != nil {
            await update(changed)
        } else {
            let (exchange, numbers) = (self, Set(changed.map(\.key)).map { ($0, cache.arrivals.begin($0)) })
            cache.background.transfer { [changed] in
                await exchange.update(changed)
                for (key, number) in numbers { exchange.cache.arrivals.end(key, number) }
            }
        }
        // The stored response may stay as it was; then the next request validates again.
        if freshened.isKept { confirmed(entry.response) } else { endFlight(.notShareable) }
        return entry
    }

    /// The responses stored under the key, even if this request never looked them up.
    func storedForRequest() async -> [StoredEntry] {
        guard machine.candidates.time == nil, let key else {
            return machine.candidates.entries.filter { $0.key == self.key }
        }
        return (try? await cache.store.entries(for: key)) ?? []
    }

    func update(_ entries: [StoredEntry]) async {
        for entry in entries {
            let written: Void? = try? await cache.commits.run([entry.key]) { [entry, cache, mark] in
                var entry = entry
                if entry.response.tags.contains(where: PageNews.isTag) { await cache.keepFilesSince(&entry) }
                try await cache.store.update(entry.id, key: entry.key, response: entry.response, since: mark)
            }
            cache.unwritten.note(entry.key, isWritten: written != nil)
        }
    }

    /// Removes responses that were stored before a rule forbade it.
    func removeStored() async {
        guard let key, await (try? cache.store.entries(for: key))?.isEmpty == false else { return }
        _ = try? await cache.store.removeEntries(for: key)
        await cache.store.note(.ruled(machine.policy.rule ?? ""), of: key)
    }

    /// RFC 9111 §4.4, and Clear Site Data §4.3, which goes by host: both schemes, and the origin's own port.
    ///
    /// Both name what is invalidated by its URI or origin, so it goes for all sites of the account: what one page
    /// changes, another one does not see stale.
    mutating func invalidate(after head: HTTPResponse, clearingOrigin: Bool) async {
        guard let key else { return }
        let isCurrent = mark.map { !cache.store.history(of: key, since: $0).isInvalidated } ?? false
        let targets = Invalidation.targets(
            method: self.head.method, uri: key.uri, status: head.status, fields: head.headerFields)
        for uri in targets {
            let target = CacheKey(partition: key.partition, uri: machine.prepared.keyOfRequest(to: uri)?.uri ?? uri)
            // Others answer for it where only a part of the query counts.
            let alike = ((try? await cache.store.searchVariants(of: target)) ?? [])
                .filter { ExchangeMachine.answersQuery(of: target, $0) }
            for target in Set([target] + alike.map(\.key)) {
                cache.flights.detachAll(of: target)
                // The pages of a web view that stay when a form or a script posts to their address, or is led there:
                // "mark them as 'invalid' and in need of a mandatory validation". They open all the same offline.
                let kept =
                    self.head.method == .post
                    ? await outdated(at: target) { $0.tags.contains(where: PageNews.isTag) } : []
                let removed = try? await cache.store.removeEntries(for: target, keeping: kept)
                cache.unwritten.note(target, isWritten: removed != nil)
            }
        }
        if clearingOrigin {
            cache.flights.detachAll()
            for origin in key.originsOfHost {
                let removed = try? await cache.store.removeEntries(origin: origin, partition: key.partition)
                if removed == nil { cache.unwritten.noteAll() }
            }
        }
        if head.status.isRedirect, let location = head.headerFields[.location],
            let uri = TargetURI.resolve(location, against: key.uri)
        {
            // A site that has turned a redirect round leads in circles until the stored one has been asked about.
            let back = CacheKey(partition: key.partition, uri: machine.prepared.keyOfRequest(to: uri)?.uri ?? uri)
            await update(
                await outdated(at: back) { stored in
                    let location = stored.status.isRedirect ? stored.fields[.location] : nil
                    return location.flatMap { TargetURI.resolve($0, against: uri) } == key.uri
                })
        }
        if !targets.isEmpty || changesSession(head) { notePost() }
        // This response is newer than the responses that it invalidates.
        if isCurrent, !targets.isEmpty || clearingOrigin { mark = cache.store.mark() }
    }

    /// Whether a page that is led on, or is asked for, signs in or out: then it has changed something, as a POST does.
    /// The pages behind a POST that lead on keep it in mind.
    private func changesSession(_ head: HTTPResponse) -> Bool {
        guard context.destination == .document else { return false }
        let cookies = head.headerFields[values: .setCookie].map { $0.lowercased() }
        if cookies.contains(where: {
            $0.contains("max-age=0") || $0.contains("01 jan 1970") || $0.contains("01-jan-1970")
        }) {
            return true
        }
        guard head.status.isRedirect else { return false }
        let request = machine.prepared.request
        return !cookies.isEmpty || cache.pageNews.hasJustPosted(request, since: .init(sinceEpoch: .zero), at: cache.now)
    }

    /// Notes that a page changes something at its site.
    func notePost() {
        guard !context.isBackground, context.preload == nil else { return }
        cache.pageNews.notePosted(as: machine.prepared.request, at: cache.now)
    }

    /// Those of the stored responses under a key that are wanted, in need of a validation.
    private func outdated(at target: CacheKey, where isWanted: (StoredResponse) -> Bool) async -> [StoredEntry] {
        (try? await cache.store.entries(for: target))?.compactMap { entry in
            guard isWanted(entry.response) else { return nil }
            var kept = entry
            kept.response.needsValidation = true
            return kept
        } ?? []
    }
}
