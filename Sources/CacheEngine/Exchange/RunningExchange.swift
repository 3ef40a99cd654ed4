import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// One exchange under way: does what the machine says, with the cache's store and transport.
struct RunningExchange {
    var machine: ExchangeMachine
    let request: EngineRequest
    let cache: ResponseCache
    let start: Duration
    let key: CacheKey?
    /// ``CollapseTable/landings(of:)`` before the last look-up.
    var landings: UInt64 = 0
    /// ``CollapseTable/invalidations(of:)`` before the request left.
    private var invalidations: UInt64 = 0
    /// Whether others could have shared this exchange's answer; then the table learns whether they can.
    var mayShare = false
    /// The fields of the 304 that confirmed the stored response: they are news, not a replay.
    private var confirmedFields: Set<HTTPField.Name> = []
    private var hasLookedAgain = false
    /// Set while this exchange is the one that others with the same key wait for.
    var flight: InFlight?
    var response: TransportResponse?

    init(_ request: EngineRequest, cache: ResponseCache) {
        self.request = request
        self.cache = cache
        start = cache.configuration.clock.uptime()
        key = CacheKey(request.head, partition: request.context.partition)
        machine = ExchangeMachine(
            request: request.head, context: request.context, rules: cache.configuration.rules,
            kind: cache.configuration.kind, cacheName: cache.configuration.cacheName,
            hasContent: request.body != nil)
    }

    /// Before the store is asked.
    mutating func willLookUp(_ key: CacheKey) {
        landings = cache.flights.landings(of: key)
    }

    // MARK: From the store

    /// The answer from a stored entry; `nil` when its content turned out to be gone.
    func answer(with entry: StoredEntry, _ use: ExchangeMachine.Use) async -> EngineResponse? {
        guard let content = try? await cache.store.open(entry) else { return nil }
        let answer = StoredAnswer(
            entry.response, length: content.length.bytes, presented: request.head, at: cache.now,
            without: request.context.fieldsNotReused.subtracting(use == .validated ? confirmedFields : []))
        let body: ResponseBody =
            switch (content, answer.region) {
            case (_, nil): .empty
            case (.bytes(let bytes), .some(let region)):
                region.count == bytes.count
                    ? .bytes(bytes) : .bytes(Array(bytes[Int(region.lowerBound)..<Int(region.upperBound)]))
            case (.file(let file), .some(let region)): .file(file, region)
            }
        let outcome: ExchangeReport.Outcome =
            switch use {
            case .fresh: .hit
            case .stale: .staleHit
            case .validated: .validated
            }
        report(outcome, status: answer.head.status.code, bytes: body.length ?? 0)
        return EngineResponse(head: answer.head, body: body, cacheStatus: machine.status)
    }

    /// What to do about an entry without content: it was dropped, or replaced meanwhile, so look once more.
    mutating func contentWasGone() -> ExchangeMachine.Action {
        guard let key, !hasLookedAgain else { return machine.lookedUp([], at: cache.now) }
        hasLookedAgain = true
        return .lookUp(key)
    }

    // MARK: From the origin

    /// Sends the request and tells the machine what came.
    mutating func forward(_ head: HTTPRequest) async -> ExchangeMachine.Action {
        let requestTime = cache.now
        if let key { invalidations = cache.flights.invalidations(of: key) }
        do {
            let response = try await cache.transport.send(
                TransportRequest(head: head, body: request.body, onInterim: request.onInterim))
            self.response = response
            let action = machine.received(response.head, requestTime: requestTime, responseTime: cache.now)
            if case .relay = action { return action }
            confirmedFields = Set(response.head.headerFields.map(\.name))
            await Self.finishEmpty(response.body)
            self.response = nil
            return action
        } catch let error as TransportError {
            return machine.failed(error, at: cache.now)
        } catch {
            endFlight(.abandoned)
            return .fail(Self.cancelled(error))
        }
    }

    /// Hands the origin's response to the client, storing it on the way when the machine said so.
    mutating func relay(storing stored: StoredResponse?, notStored: StoreDecision.Reason?) async -> EngineResponse {
        guard let response else {
            return failure(EngineError(code: .originBroken, message: "The origin's response was lost."))
        }
        var head = response.head
        HopByHopFields.remove(from: &head.headerFields)
        await invalidate(after: head)
        noteShareable(stored)
        var status = machine.status
        if request.head.method == .head || [204, 304].contains(head.status.code) {
            await Self.finishEmpty(response.body)
            if let stored { status.isStored = await storeEmpty(stored) }
            endFlight(status.isStored ? .confirmed : .notShareable)
            let outcome: ExchangeReport.Outcome = status.isStored ? .stored : .forwarded
            report(outcome, status: head.status.code, bytes: 0, cacheStatus: status, notStored: notStored)
            return EngineResponse(head: head, body: .empty, cacheStatus: status)
        }
        var source = response.body
        if let stored, let key, let pending = try? cache.store.makePendingBody() {
            let spool = SpooledBody(pending, expectedLength: Self.expectedLength(of: response))
            if let reader = spool.makeReader() {
                flight?.publish(.arriving(stored, spool))
                receive(response.body, into: spool, pending, key: key, stored)
                flight = nil
                source = reader
            }
        } else {
            status.isStored = false
            endFlight(.notShareable)
        }
        let outcome: ExchangeReport.Outcome = status.isStored ? .stored : .forwarded
        let body = reporting(source, outcome, head.status.code, status: status, notStored: notStored)
        return EngineResponse(
            head: head, body: .stream(body, length: response.bodyLength), cacheStatus: status)
    }

    /// Lets a response that can have no content (RFC 9110 §6.4.1) come to its end, which keeps the connection usable.
    private static func finishEmpty(_ body: any BodySource) async {
        _ = try? await body.next()
        body.cancel()
    }

    /// The length that a response must turn out to have; the whole of a 206 is what its `Content-Range` says.
    private static func expectedLength(of response: TransportResponse) -> Int64? {
        if response.head.status == .partialContent,
            let range = response.head.headerFields[.contentRange].flatMap({ ContentRange($0) })
        {
            return Int64(range.range.count)
        }
        return response.bodyLength
    }

    private func storeEmpty(_ stored: StoredResponse) async -> Bool {
        guard let key, let pending = try? cache.store.makePendingBody() else { return false }
        return await commit(pending, key: key, stored)
    }

    /// Receives and commits in a task of its own, which the readers keep going.
    private func receive(
        _ source: any BodySource, into spool: SpooledBody, _ pending: any PendingBody, key: CacheKey,
        _ stored: StoredResponse
    ) {
        var exchange = self
        exchange.response = nil
        let receiver = exchange
        Task {
            // What can't be stored was still delivered; the next request asks the origin again.
            if (try? await spool.pump(source)) != nil, spool.isWhole {
                _ = await receiver.commit(pending, key: key, stored)
            }
            if let flight = receiver.flight { receiver.cache.flights.land(key, flight) }
        }
    }

    /// Stores a response, unless its key was invalidated since the request left: then it may show the old state.
    private func commit(_ pending: any PendingBody, key: CacheKey, _ stored: StoredResponse) async -> Bool {
        guard cache.flights.invalidations(of: key) == invalidations,
            (try? await cache.store.commit(pending, key: key, response: stored)) != nil
        else { return false }
        guard cache.flights.invalidations(of: key) == invalidations else {
            _ = try? await cache.store.removeEntries(for: key)
            return false
        }
        return true
    }

    /// RFC 9111 §4.4.
    private func invalidate(after head: HTTPResponse) async {
        guard let key else { return }
        let targets = Invalidation.targets(
            method: request.head.method, uri: key.uri, status: head.status, fields: head.headerFields)
        for uri in targets {
            let target = CacheKey(partition: key.partition, uri: uri)
            cache.flights.invalidate(target)
            _ = try? await cache.store.removeEntries(for: target)
        }
    }
}
