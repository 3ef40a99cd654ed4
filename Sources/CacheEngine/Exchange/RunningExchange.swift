import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// One exchange under way: does what the machine says, with the cache's store and transport.
struct RunningExchange {
    var machine: ExchangeMachine
    var request: EngineRequest
    let cache: ResponseCache
    /// When the request arrived, on the uptime clock; `nil` where nobody wanted its report then.
    var start: Duration?
    /// Of the policy that it is decided by, see ``PolicyInForce/generation``.
    let policyGeneration: UInt64
    var key: CacheKey? { machine.key }
    /// ``CollapseTable/completions(of:)`` before the last look-up.
    var completions: UInt64 = 0
    /// When the request left; in the background when the store was asked. What was invalidated since, or replaced by
    /// something newer, is not stored.
    var mark: StoreMark?
    /// Whether others could have shared this exchange's answer; then the table learns whether they can.
    var mayShare = false
    /// The fields of the 304 that confirmed the stored response: they are news, not a replay.
    private var confirmedFields: Set<HTTPField.Name> = []
    /// Whether a response that was not handed on had `Clear-Site-Data`.
    private var clearsOrigin = false
    private var hasLookedAgain = false
    /// When the first request of this exchange left, on the uptime clock.
    private var firstSent: Duration?
    /// Set while this exchange is the one that others with the same key wait for.
    var flight: InFlight?
    var response: TransportResponse?
    /// Set where what is being stored has a name with a content hash and a report is wanted, which waits for it.
    private(set) var comparison: HashedNameComparison?

    init(_ request: EngineRequest, cache: ResponseCache) {
        self.request = request
        self.cache = cache
        start = cache.startOfReport
        let policy = cache.policy.forHost(request.head.authority, at: cache.now)
        policyGeneration = policy.generation
        machine = ExchangeMachine(
            request: request.head, context: request.context, rules: policy.rules,
            distrustsHashedNames: policy.distrustsHashedNames, kind: cache.configuration.kind,
            cacheName: cache.configuration.cacheName,
            hasContent: request.body != nil,
            servesStaleWhenUnreachable: cache.configuration.servesStaleWhenUnreachable)
    }

    /// Before the store is asked.
    mutating func willLookUp(_ key: CacheKey) {
        completions = cache.flights.completions(of: key)
        // What is removed once it was found is not to come back because nobody waits for its validation.
        if request.context.isBackground { mark = cache.store.mark() }
        machine.wasServedOffline = cache.revalidationBacklog.contains(key)
        machine.mayProbeByHead = cache.headProbes.mayAsk(
            request.head.authority ?? "", at: cache.configuration.clock.uptime())
    }

    // MARK: From the store

    /// What is stored under a key, and under other queries where nothing is.
    func lookUp(_ key: CacheKey) async -> [StoredEntry] {
        // A store that can't be read is a store that has nothing; the exchange goes on.
        let entries = (try? await cache.store.entries(for: key)) ?? []
        return entries.isEmpty ? (try? await cache.store.searchVariants(of: key)) ?? [] : entries
    }

    /// The answer from a stored entry; `nil` when its content turned out to be gone.
    func answer(with entry: StoredEntry, _ use: ExchangeMachine.Use) async -> EngineResponse? {
        guard let content = try? await cache.store.open(entry) else { return nil }
        let derived = machine.derived(entry)
        if case .file(let file) = content { cache.openBodies.keep(file, with: derived) }
        let length = content.length.bytes
        let answer = StoredAnswer(
            entry.response, length: length,
            selection: .init(of: entry.response, length: length, presented: request.head),
            isHead: request.head.method == .head, age: age(derived, at: cache.now),
            boundary: entry.bodyDigest.description,
            without: request.context.fieldsNotReused.subtracting(use == .validated ? confirmedFields : []))
        let body: ResponseBody =
            switch (answer.content, content) {
            case (.none, _): .empty
            case (.region(let region), .bytes(let bytes)): .bytes(bytes, in: region)
            case (.region(let region), .file(let file)): .file(file, region)
            case (.regions(let regions), _): .stream(JoinedBody(content, regions), length: regions.total)
            case (.parts(let parts), _): .stream(parts.makeSource(content), length: parts.length)
            }
        let outcome: ExchangeReport.Outcome =
            switch use {
            case .fresh: .hit
            case .stale, .staleWhileRevalidating: .staleHit
            case .validated: .validated
            }
        if let key, machine.lacksNetwork, use == .stale || use == .staleWhileRevalidating {
            cache.revalidationBacklog.note(key, request)
        }
        let isDue = use == .staleWhileRevalidating && request.context.connectivity.hasNetwork
        if isDue || use == .fresh && isSampleDue(derived, at: cache.now) {
            cache.revalidateInBackground(request, key)
        }
        report(outcome, status: answer.head.status.code, bytes: body.length ?? 0)
        return EngineResponse(head: answer.head, body: body, cacheStatus: machine.status)
    }

    /// Whether what answers because of the hash in its name is to be compared with the origin's behind the answer.
    private func isSampleDue(_ derived: DerivedEntryData, at now: WallInstant) -> Bool {
        guard machine.policy.restsOnHashedName, cache.configuration.samplesHashedNames,
            request.head.method == .get, !request.context.isBackground,
            machine.mode != .onlyIfStored, !machine.terms.onlyIfCached,
            request.context.connectivity.allowsBackgroundTraffic
        else { return false }
        return derived.isSampleDue(age: age(derived, at: now))
    }

    func age(_ derived: DerivedEntryData, at now: WallInstant) -> Int64 {
        derived.terms.currentAge(at: now).components.seconds
    }

    /// The answer from a fresh entry whose content is at hand; `nil` when it is not, or when the answer has a head that
    /// is made for it alone. Everything else about it is as in ``answer(with:_:)``.
    func immediateAnswer(with entry: StoredEntry, at now: WallInstant) -> ImmediateAnswer? {
        let length = entry.bodyLength.bytes
        let isHead = request.head.method == .head
        let shape: AnswerTemplate.Shape
        var (region, contentRange): (Range<Int64>, String?) = (0..<0, nil)
        switch StoredAnswer.Selection(of: entry.response, length: length, presented: request.head) {
        case .notModified: shape = .notModified
        case .content(.whole), .content(.notStored): (shape, region) = (isHead ? .headOnly : .whole, 0..<length)
        case .content(.part(let part, let completeLength)):
            guard let location = entry.response.extent.location(of: part) else { return nil }
            (shape, region) = (.part, location)
            contentRange = ContentRange(range: part, completeLength: completeLength).description
        case .noContent, .content(.several), .content(.notSatisfiable): return nil
        }
        let derived = machine.derived(entry)
        var content: StoredContent?
        if shape == .whole || shape == .part {
            content = derived.contentAtHand(entry.inlineBody, of: entry.bodyLength)
            guard content != nil else { return nil }
        } else {
            region = 0..<0
        }
        let template = derived.template(shape, of: entry, without: request.context.fieldsNotReused)
        let answer = ImmediateAnswer(
            template: template, age: age(derived, at: now), contentRange: contentRange, content: content,
            region: region,
            cacheStatus: machine.status)
        finish(answer, derived, at: now)
        return answer
    }

    /// What goes with every answer that was at hand.
    func finish(_ answer: ImmediateAnswer, _ derived: DerivedEntryData, at now: WallInstant) {
        if isSampleDue(derived, at: now) { cache.revalidateInBackground(request, key) }
        report(
            .hit, status: answer.template.head.status.code, bytes: Int64(answer.region.count),
            cacheStatus: answer.cacheStatus)
    }

    /// What is stored from before a rule said that nothing may be.
    private func removeStored() async {
        guard let key, await !lookUp(key).isEmpty else { return }
        _ = try? await cache.store.removeEntries(for: key)
    }

    /// Replaces the responses that a 304 confirmed.
    mutating func freshen(_ freshened: ExchangeMachine.Freshened) async -> StoredEntry {
        var entry = freshened.entry
        await update(freshened.others)
        guard freshened.isKept else {
            // What is stored stays as it was, and the next request asks again.
            endFlight(.notShareable)
            return entry
        }
        // A store that can't be written leaves the old fields; this answer has the new ones.
        if freshened.isNewVariant {
            if let copy = try? await cache.store.commit(contentOf: entry, response: entry.response) { entry = copy }
        } else {
            await update([entry])
        }
        confirmed(entry.response)
        return entry
    }

    private func update(_ entries: [StoredEntry]) async {
        for entry in entries { try? await cache.store.update(entry.id, key: entry.key, response: entry.response) }
    }

    /// What to do about an entry without content: it was dropped, or replaced meanwhile, so look once more.
    mutating func contentWasGone() -> ExchangeMachine.Action {
        guard let key, !hasLookedAgain else { return machine.lookedUp([], at: cache.now) }
        hasLookedAgain = true
        return .lookUp(key)
    }

    /// Removes what `Clear-Site-Data` names, where it came with a 304 or with an error that a stale response stands in
    /// for. Called once the answer has its content.
    mutating func clearOriginWhereAsked() async {
        guard clearsOrigin else { return }
        await invalidate(after: HTTPResponse(status: .notModified), clearingOrigin: true)
    }

    // MARK: From the origin

    /// Sends the request and tells the machine what came.
    mutating func forward(_ head: HTTPRequest) async -> ExchangeMachine.Action {
        let requestTime = cache.now
        let hasSent = firstSent != nil
        let timeout = timeLeft()
        if machine.policy.verdict == .neverStore { await removeStored() }
        if !request.context.isBackground { mark = cache.store.mark() }
        let isHeadProbe = machine.headProbe == .underWay
        defer { if isHeadProbe { noteHeadProbe() } }
        do {
            if hasSent, let timeout, timeout <= .zero {
                throw TransportError(code: .timedOut, message: "The request before this one took all the time.")
            }
            let response = try await cache.transport.send(
                TransportRequest(
                    head: head, body: request.body, onInterim: request.onInterim, timeout: timeout))
            self.response = response
            if let key {
                cache.revalidationBacklog.forget(key)
                // Whoever knows this answer joins no request that left before it came: that one may show an older state.
                cache.flights.detach(key, except: flight)
            }
            let action = machine.received(
                response.head, bodyLength: response.bodyLength, requestTime: requestTime, responseTime: cache.now)
            if case .relay = action { return action }
            clearsOrigin = clearsOrigin || machine.clearsOrigin(response.head.headerFields)
            if response.head.status == .notModified || head.method == .head {
                confirmedFields = Set(response.head.headerFields.map(\.name))
                await Self.finishEmpty(response.body)
            } else {
                // Content that nobody gets; the client must not wait for its first byte either.
                response.body.cancel()
            }
            self.response = nil
            return action
        } catch let error as TransportError where !Task.isCancelled {
            return machine.failed(error, at: cache.now)
        } catch {
            // A transport may call what was given up a connection that ended.
            endFlight(.abandoned)
            return .fail(Self.cancelled(error))
        }
    }

    /// How long the origin may still take. What an exchange sends shares one time-out, such as a HEAD and the GET after it.
    private mutating func timeLeft() -> Duration? {
        let now = cache.configuration.clock.uptime()
        let sent = firstSent ?? now
        firstSent = sent
        return [request.context.timeout, machine.timeout].compactMap { $0 }.min().map { $0 - (now - sent) }
    }

    /// Remembers whether it paid to ask by HEAD.
    private func noteHeadProbe() {
        guard machine.headProbe == .saved || machine.headProbe == .wasted else { return }
        cache.headProbes.note(
            request.head.authority ?? "", saved: machine.headProbe == .saved, at: cache.configuration.clock.uptime())
    }

    /// Hands the origin's response to the client, storing it on the way when the machine said so.
    mutating func relay(_ relay: ExchangeMachine.Relay) async -> EngineResponse {
        guard let response else {
            return failure(EngineError(code: .originBroken, message: "The origin's response was lost."))
        }
        var head = relay.head ?? response.head
        if relay.beginning != nil {
            // What the origin did not send again now is a replay.
            for name in request.context.fieldsNotReused where !response.head.headerFields.contains(name) {
                head.headerFields[name] = nil
            }
        }
        HopByHopFields.remove(from: &head.headerFields)
        // RFC 9110 §6.6.1: "append a corresponding Date header field … if it is cached or forwarded downstream".
        if !head.headerFields.contains(.date) { head.headerFields[.date] = HTTPDate.print(cache.now) }
        await invalidate(after: response.head, clearingOrigin: relay.clearsOrigin || clearsOrigin)
        await update(relay.updates)
        noteShareable(relay.plan?.response)
        var status = machine.status
        if request.head.method == .head || [204, 304].contains(head.status.code) {
            await Self.finishEmpty(response.body)
            if let plan = relay.plan { status.isStored = await storeEmpty(plan.response) }
            endFlight(status.isStored ? .confirmed : .notShareable)
            let outcome: ExchangeReport.Outcome = status.isStored ? .stored : .forwarded
            report(outcome, status: head.status.code, bytes: 0, cacheStatus: status, notStored: relay.notStored)
            return EngineResponse(head: head, body: .empty, cacheStatus: status)
        }
        var source = response.bodyLength.map { FramedBody(response.body, length: $0) } ?? response.body
        var length = response.bodyLength
        if let beginning = relay.beginning {
            // Without the beginning the rest is of no use; ask for the whole.
            guard let content = try? await cache.store.open(beginning) else {
                source.cancel()
                return await forwardWhole()
            }
            let extent = beginning.response.extent
            let regions = extent.resumption.flatMap { extent.regions(of: 0..<$0) } ?? []
            source = JoinedBody([JoinedBody(content, regions), source])
            // The machine has held the length of the rest against its range.
            length = length.flatMap { FramedBody.sum($0, content.length.bytes) }
        }
        if let plan = relay.plan, let key, let pending = try? cache.store.makePendingBody() {
            let spool = SpooledBody(pending, expectedLength: length)
            if let reader = spool.makeReader() {
                // §3.3: a part that nobody asked for is not the whole that others wait for.
                if plan.part == nil {
                    flight?.publish(.arriving(plan.response, spool, since: mark))
                } else {
                    endFlight(.notShareable)
                }
                if start != nil, isHashedName { comparison = HashedNameComparison() }
                receive(source, into: spool, pending, key: key, plan)
                flight = nil
                source = reader
            }
        } else {
            status.isStored = false
            endFlight(.notShareable)
        }
        let outcome: ExchangeReport.Outcome = status.isStored ? .stored : .forwarded
        let body = reporting(
            source, outcome, head.status.code, status: status, length: length, notStored: relay.notStored)
        return EngineResponse(head: head, body: .stream(body, length: length), cacheStatus: status)
    }

    /// Lets a response that can have no content (RFC 9110 §6.4.1) come to its end, which keeps the connection usable.
    private static func finishEmpty(_ body: any BodySource) async {
        _ = try? await body.next()
        body.cancel()
    }

    /// Asks the origin again for everything, after what was stored turned out to be gone.
    private mutating func forwardWhole() async -> EngineResponse {
        response = nil
        switch await forward(request.head) {
        case .relay(let relay): return await self.relay(relay)
        case .fail(let error): return failure(error)
        default: return failure(EngineError(code: .originBroken, message: "The stored response was lost."))
        }
    }
}
