import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// One way from a request to a decision, for hits, `explain`, answers without a network, preloads and seeds alike.
extension RunningExchange {
    /// Decides, and asks the store where the request wants that. Sends, stores and reports nothing.
    @discardableResult
    mutating func decide() async -> ExchangeMachine.Action {
        guard case .lookUp(let key) = next else { return next }
        // Before what is noted of now: a commit that ends meanwhile would have the store asked again.
        await cache.arrivals.waitForCommits(key)
        willLookUp(key)
        let found: [StoredEntry]
        if let lookedUp, lookedUp.key == key, lookedUp.completions == completions {
            found = lookedUp.entries
        } else {
            found = await cache.lookUp(key, andVariants: machine.wantsRelease)
            lookedUp = LookedUp(key: key, entries: found, completions: completions)
        }
        if !found.isEmpty, await learnsDistrust() { return next }
        if hasVersionBefore(found) { machine.isCutOff = await isCutOff(found) }
        for barred in machine.barredByCookies(found) {
            if let names = barred.names {
                let mayBeServers = try? await cache.store.mayBeServerCookies(names, since: barred.since)
                guard mayBeServers == false else { continue }
            }
            machine.passesOver = (barred.entry.id, barred.names == nil ? ScriptCookies.fieldsName : ScriptCookies.name)
            break
        }
        return lookedUp(found)
    }

    /// Decides as ``decide()`` does, without waiting; every hit passes here.
    ///
    /// - Returns: `nil` where the store has to be asked: it does not have the entries in memory, or a response that has
    ///   wholly arrived is not committed yet, which a client that repeats its request must find, see ``Arrivals``.
    mutating func decideAtHand() -> ExchangeMachine.Action? {
        guard case .lookUp(let key) = next else { return next }
        guard !cache.arrivals.hasPendingCommit(key) else { return nil }
        willLookUp(key)
        guard let found = cache.store.cachedEntries(for: key), !found.isEmpty, !machine.wantsRelease,
            !hasVersionBefore(found),
            machine.barredByCookies(found).isEmpty
        else { return nil }
        return lookedUp(found)
    }

    /// Whether another process has caught the host at a broken promise. Then it decides anew, by what is stored.
    private mutating func learnsDistrust() async -> Bool {
        guard machine.prepared.decision.restsOnHashedName, let caught = await cache.store.distrusted(host),
            cache.policy.learnDistrust(of: host, since: caught, at: cache.now)
        else { return false }
        let again = RunningExchange(request, cache: cache, isTraced: machine.trace != nil)
        (machine, next) = (again.machine, again.next)
        await decide()
        return true
    }

    /// Goes on as if nothing answered at the origin.
    mutating func loseOrigin() async {
        let error = TransportError(code: .connectionFailed, message: "Nothing answers at '\(head.authority ?? "")'.")
        let offline = await withoutNetwork()
        while case .forward = next { next = machine.failed(error, at: cache.now) }
        if case .fail = next, let offline { next = adopt(offline) }
    }

    private mutating func lookedUp(_ found: [StoredEntry]) -> ExchangeMachine.Action {
        next = machine.lookedUp(cache.unwritten.doubted(found), at: cache.now)
        // The reload of a page asks whether its host is back.
        if case .forward = next, cache.patience.isWeak(host), !isWorthWaiting,
            let (patient, action) = machine.withoutWaiting(at: cache.now),
            context.destination != .fetch || cache.patience.mayAnswerAtOnce(head.url, at: cache.uptime)
        {
            (machine, next) = (patient, action)
        }
        return next
    }

    /// The failure with the reason why nothing is stored, where that is what fails.
    func withPast(_ error: EngineError) async -> EngineError {
        guard [.disconnected, .notStored].contains(error.code), machine.candidates.entries.isEmpty, let key,
            let past = await cache.store.past(of: key)
        else { return error }
        var error = error
        error.past = past.event
        return error
    }

    private mutating func willLookUp(_ key: CacheKey) {
        completions = cache.flights.completions(of: key)
        // A validation in the background must not bring back a response that is removed after the look-up.
        if context.isBackground { mark = cache.store.mark() }
        // A frame may show a picture, which is a file of the page.
        if context.destination != .document, !context.isBackground, context.preload == nil {
            machine.pageSince =
                pageSince ?? cache.pageNews.since(for: machine.prepared.request, at: cache.now)
            machine.preflightTag = cache.preflights.tag(for: head)
            machine.pageFile = cache.pageSets.content(of: key.uri, for: machine.prepared.request)
        }
        machine.wasServedOffline = cache.revalidationBacklog.contains(key)
        machine.mayProbeByHead = late == nil && cache.headProbes.mayAsk(host, at: cache.configuration.clock.uptime())
    }

    /// Answers the request, see ``ResponseCache/respond(to:)``.
    ///
    /// - Parameter onInterim: Replaces ``EngineRequest/onInterim``.
    package func respond(onInterim: (@Sendable (HTTPResponse) -> Void)? = nil) async -> EngineResponse {
        var exchange = self
        if let onInterim { exchange.onInterim = onInterim }
        return await exchange.goOn()
    }

    /// Goes on until there is an answer.
    private mutating func goOn() async -> EngineResponse {
        while true {
            switch next {
            case .lookUp: await decide()
            case .serve(let entry, let use):
                // Others may still wait for a validation that failed; the one behind this answer must not.
                endFlight(late.map { .late($0) } ?? .notShareable)
                if let answer = await openedAnswer(with: entry, use) { return answer }
                next = contentWasGone()
            case .freshen(let freshened):
                let entry = await freshen(freshened)
                if let answer = await openedAnswer(with: entry, .validated) { return answer }
                next = contentWasGone()
            case .forward(let head, let mayCollapse):
                switch mayCollapse ? await joinOthers() : nil {
                case .answer(let answer)?: return answer
                case .next(let action)?: next = action
                case nil: next = await forward(head)
                }
            case .relay(let relay):
                if hasLookedAgain { machine.status.detail = Self.damaged }
                return await self.relay(relay)
            case .fail(let error):
                if let answer = await storedPreflight(after: error) { return answer }
                return failure(await withPast(error))
            }
        }
    }
}

/// Collapsed forwarding, RFC 9111 §4: one request to the origin for several that are presented meanwhile.
extension RunningExchange {
    private enum Joined {
        case answer(EngineResponse)
        case next(ExchangeMachine.Action)
    }

    /// Joins a request in flight for the same key, or becomes the one that others join.
    ///
    /// - Returns: `nil` where the origin has to be asked.
    private mutating func joinOthers() async -> Joined? {
        guard let key, flight == nil else { return nil }
        mayShare = true
        while true {
            switch cache.flights.join(key, lookedUpAt: completions, makeFlight) {
            case .alone: return nil
            case .lookAgain: return lookAgain(key)
            case .first(let flight):
                self.flight = flight
                return nil
            case .follower(let other):
                // Another request is asking already.
                if context.isBackground { return .answer(.unneeded) }
                if context.preload?.isPromoted ?? true { other.noteJoining() }
                switch await outcome(of: other) {
                case .arriving(let response, let body, let mark):
                    // Another process may have invalidated it meanwhile; this process would have detached it.
                    if let mark, cache.store.history(of: key, since: mark).isInvalidated { return nil }
                    guard machine.mayShare(response, at: cache.now) else { return nil }
                    if let reader = body.makeReader() { return .answer(share(response, reader)) }
                    // The transfer broke off, or all its readers left, and its flight has not ended yet.
                    cache.flights.land(key, other)
                case .confirmed: return lookAgain(key)
                case .notShareable: return nil
                case .late(let answer):
                    guard timeLeft().storeMayAnswer else { return nil }
                    // Whoever starts the validation first, it takes this answer and asks nothing.
                    late = answer
                    let error = TransportError(code: .timedOut, message: "'\(host)' does not answer.")
                    return .next(machine.failed(error, at: cache.now))
                case .abandoned: cache.flights.land(key, other)
                case nil: return .answer(failure(Self.cancelled(nil)))
                }
            }
        }
    }

    private mutating func lookAgain(_ key: CacheKey) -> Joined {
        lookedUp = nil
        return .next(.lookUp(key))
    }

    /// The outcome of another request. Where a stored response may answer, it is waited for no longer than an origin.
    ///
    /// - Returns: `nil` where the task is cancelled.
    private mutating func outcome(of other: InFlight) async -> InFlight.Outcome? {
        // Requests ahead of need have limits of their own, and use up none of this one's time.
        guard !other.isAheadOfNeed else { return await other.outcome() }
        let (limit, storeMayAnswer) = timeLeft()
        guard storeMayAnswer, let limit else { return await other.outcome() }
        hasWaited = true
        let outcome = Task<InFlight.Outcome?, any Error> { await other.outcome() }
        defer { outcome.cancel() }
        do {
            return try await outcome.result(within: limit, cache.configuration.clock)?.get() ?? .notShareable
        } catch { return nil }
    }

    /// A page that joins what is fetched ahead of need makes that hurry.
    private func makeFlight() -> InFlight {
        guard let terms = context.preload else { return InFlight() }
        let traffic = cache.traffic
        return InFlight { terms.promote(in: traffic) }
    }

    /// The answer from a response that is still arriving.
    private func share(_ response: StoredResponse, _ reader: SpooledReader) -> EngineResponse {
        var head = HTTPResponse(status: response.status, headerFields: response.fields)
        let age = response.currentAge(at: cache.now).components.seconds
        AnswerFields(machine, age: age).apply(to: &head.headerFields)
        head.headerFields[.age] = String(age)
        noteDocument(response.fields)
        noteShown(response, from: .sent)
        var status = machine.status
        status.isCollapsed = true
        let length = response.fields[.contentLength].flatMap { Int64($0) }
        let source = resumable(reader, HTTPResponse(status: response.status, headerFields: response.fields), length)
        return EngineResponse(
            head: head,
            body: .stream(
                reporting(source, .collapsed, head.status.code, response.fields, status: status, length: length),
                length: length),
            cacheStatus: status)
    }

    /// Tells the requests that wait that the stored response was confirmed, so that they can use it.
    mutating func confirmed(_ response: StoredResponse) {
        noteShareable(response)
        endFlight(.confirmed)
    }

    func noteShareable(_ response: StoredResponse?) {
        guard let key, mayShare else { return }
        let isShareable = response.map { machine.isReusable($0, by: RequestDirectives([:]), at: cache.now) }
        cache.flights.note(key, isShareable: isShareable ?? false)
    }

    /// Gives the outcome of this exchange's request to those that wait, and lets later ones start their own. Does
    /// nothing without a flight.
    mutating func endFlight(_ outcome: InFlight.Outcome) {
        guard let key, let flight else { return }
        // In this order: a request that looks up again must not join the same flight.
        cache.flights.land(key, flight)
        flight.publish(outcome)
        self.flight = nil
    }
}

/// How long an answer is waited for.
extension RunningExchange {
    /// How long the origin may still take, and whether a stored response answers then. All requests of an exchange,
    /// such as a HEAD and the GET after it, share one time-out.
    mutating func timeLeft() -> (limit: Duration?, storeMayAnswer: Bool) {
        let now = cache.configuration.clock.uptime()
        // It goes by the state when it began: others may wait for the same beside it.
        let first = first ?? (now, mayBeHeldBack && key.map { cache.patience.isUnanswered($0.uri, by: host) } == true)
        self.first = first
        // Where no stored response may answer, any answer is worth waiting for.
        var patience = machine.timeout
        // A script's data is waited for where it must be validated (RFC 9111 §5.2.2.2), where the script wants its
        // server's, and where the server has held back an answer before: it may be a long poll.
        let isAwaited =
            asksForData && wantsServersAnswer
            || mayBeHeldBack && key.map { cache.patience.isHeldBack($0.uri) } == true
        let storeMayAnswer = !isAwaited && machine.withoutWaiting(at: cache.now) != nil
        if patience == nil, storeMayAnswer, let most = cache.configuration.limits.beforeFallback {
            patience = cache.patience.patience(for: host, isPage: context.destination.isPage, most: most)
            // Ten seconds where it is three else, and as much more where an app says another limit.
            if isWorthWaiting || breaksNewPage { patience = most * 10 / 3 }
            if first.asksAgain { patience = HostPatience.late }
        }
        // One that is lost must not keep the next visit from finding the host back.
        if context.isBackground, cache.patience.isWeak(host) {
            patience = late == nil ? HostPatience.long : HostPatience.late
        }
        return ([context.timeout, patience].compactMap { $0 }.min().map { $0 - (now - first.sent) }, storeMayAnswer)
    }

    /// Whether the stored response is likely to show what does not hold any more: a page has just changed something at
    /// its site. So it is for who reloads a page, and has seen the stored one, for a script that asks with `no-cache`,
    /// and for a redirect, which may have been for that one time.
    private var isWorthWaiting: Bool {
        guard let fallback = machine.question?.fallback?.response else { return false }
        return fallback.status.kind == .redirection
            || (context.destination == .document || asksForData)
                && (machine.wantsOriginsAnswer
                    || cache.pageNews.hasJustPosted(
                        machine.prepared.request, since: fallback.responseTime, at: cache.now))
    }

    /// Whether the stored response is a file of the page before. Data from before a change are another matter.
    private var breaksNewPage: Bool {
        guard machine.isOlderThanPage, let stored = machine.question?.fallback?.response.responseTime else {
            return false
        }
        return context.destination != .fetch || !cache.pageNews.hasPosted(machine.prepared.request, since: stored)
    }

    /// Whether a script asks for data, over plain http and from workers without saying so.
    private var asksForData: Bool {
        context.destination == .fetch
            || PageFile.isData(machine.question?.fallback?.response.fields.mediaType, for: context.destination)
    }

    private var wantsServersAnswer: Bool {
        machine.directives.noCache || [.reload, .noStore, .revalidate].contains(machine.mode)
            || (machine.question?.fallback?.response.fields).map { CacheControl($0).has("must-revalidate") } == true
    }

    /// Whether a script may ask, whose answer its server may hold back.
    var mayBeHeldBack: Bool {
        (context.destination == .fetch || context.destination == .unknown) && head.method == .get
    }
}
