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
    /// ``CollapseTable/landings`` before the last look-up.
    var landings: UInt64 = 0
    /// Set while this exchange is the one that others with the same key wait for.
    var flight: InFlight?
    private var response: TransportResponse?

    init(_ request: EngineRequest, cache: ResponseCache) {
        self.request = request
        self.cache = cache
        start = cache.configuration.clock.uptime()
        key = CacheKey(request.head, partition: request.context.partition)
        machine = ExchangeMachine(
            request: request.head, context: request.context, rules: cache.configuration.rules,
            kind: cache.configuration.kind, cacheName: cache.configuration.cacheName)
    }

    // MARK: From the store

    /// The answer from a stored entry; `nil` when its content turned out to be gone.
    func answer(with entry: StoredEntry, _ use: ExchangeMachine.Use) async -> EngineResponse? {
        guard let content = try? await cache.store.open(entry) else { return nil }
        let answer = StoredAnswer(
            entry.response, length: content.length.bytes, presented: request.head, at: cache.now,
            without: request.context.fieldsNotReused)
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

    // MARK: Collapsed forwarding

    enum Joined {
        case answer(EngineResponse)
        case lookAgain(CacheKey)
        case goOn
    }

    /// Takes part in a request for the same key that is in flight, or becomes the one others take part in.
    mutating func joinOthers() async -> Joined {
        guard let key, flight == nil else { return .goOn }
        while true {
            switch cache.flights.join(key, lookedUpAt: landings) {
            case .alone: return .goOn
            case .lookAgain: return .lookAgain(key)
            case .first(let flight):
                self.flight = flight
                return .goOn
            case .follower(let other):
                switch await other.outcome() {
                case .arriving(let response, let body):
                    return share(response, body).map { .answer($0) } ?? .goOn
                case .confirmed: return .lookAgain(key)
                case .notShareable: return .goOn
                case .abandoned: continue
                }
            }
        }
    }

    /// The answer from a response that is still arriving; `nil` when it must not be reused for this request.
    private mutating func share(_ response: StoredResponse, _ body: SpooledBody) -> EngineResponse? {
        let fields = request.head.headerFields
        guard response.nominatedFields.match(fields), ContentCoding.isAcceptable(response.fields, to: fields),
            case .reuse = ReuseDecision.decide(response, presented: fields, at: cache.now, in: machine.kind).decision,
            let reader = body.makeReader()
        else { return nil }
        var head = HTTPResponse(status: response.status, headerFields: response.fields)
        for name in request.context.fieldsNotReused { head.headerFields[name] = nil }
        head.headerFields[.age] = String(response.currentAge(at: cache.now).components.seconds)
        var status = machine.status
        status.isCollapsed = true
        let length = response.fields[.contentLength].flatMap { Int64($0) }
        return EngineResponse(
            head: head,
            body: .stream(reporting(reader, .collapsed, head.status.code, status: status), length: length),
            cacheStatus: status)
    }

    /// Says that the stored response was confirmed, so that those who wait can use it.
    mutating func confirmed(_ response: StoredResponse) {
        noteShareable(response)
        flight?.publish(.confirmed)
        land()
    }

    private func noteShareable(_ response: StoredResponse?) {
        guard let key, flight != nil else { return }
        var isShareable = false
        if let response {
            let basis = ReuseDecision.decide(response, presented: [:], at: cache.now, in: machine.kind)
            isShareable = basis.decision == .reuse
        }
        cache.flights.note(key, isShareable: isShareable)
    }

    private mutating func land() {
        if let key, let flight { cache.flights.land(key, flight) }
        flight = nil
    }

    // MARK: From the origin

    /// Sends the request and tells the machine what came.
    mutating func forward(_ head: HTTPRequest) async -> ExchangeMachine.Action {
        let requestTime = cache.now
        do {
            let response = try await cache.transport.send(
                TransportRequest(head: head, body: request.body, onInterim: request.onInterim))
            self.response = response
            let action = machine.received(response.head, requestTime: requestTime, responseTime: cache.now)
            if case .relay = action { return action }
            // A 304 has no content; let the connection go.
            response.body.cancel()
            self.response = nil
            return action
        } catch let error as TransportError {
            return machine.failed(error, at: cache.now)
        } catch {
            flight?.publish(.abandoned)
            land()
            return .fail(EngineError(code: .cancelled, message: "The request was cancelled.", cause: error))
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
        var source = response.body
        var status = machine.status
        if let stored, let key, let pending = try? cache.store.makePendingBody() {
            let spool = SpooledBody(pending)
            if let reader = spool.makeReader() {
                flight?.publish(.arriving(stored, spool))
                receive(response.body, into: spool, pending, key: key, stored)
                flight = nil
                source = reader
            }
        } else {
            status.isStored = false
            flight?.publish(.notShareable)
            land()
        }
        let outcome: ExchangeReport.Outcome = status.isStored ? .stored : .forwarded
        let body = reporting(source, outcome, head.status.code, status: status, notStored: notStored)
        return EngineResponse(
            head: head, body: .stream(body, length: response.bodyLength), cacheStatus: status)
    }

    /// Receives and commits in a task of its own, which the readers keep going.
    private func receive(
        _ source: any BodySource, into spool: SpooledBody, _ pending: any PendingBody, key: CacheKey,
        _ stored: StoredResponse
    ) {
        let (cache, flight) = (cache, flight)
        Task {
            // What can't be stored was still delivered; the next request asks the origin again.
            if (try? await spool.pump(source)) != nil, spool.isWhole {
                _ = try? await cache.store.commit(pending, key: key, response: stored)
            }
            if let flight { cache.flights.land(key, flight) }
        }
    }

    /// RFC 9111 §4.4.
    private func invalidate(after head: HTTPResponse) async {
        guard let key else { return }
        let targets = Invalidation.targets(
            method: request.head.method, uri: key.uri, status: head.status, fields: head.headerFields)
        for uri in targets {
            _ = try? await cache.store.removeEntries(for: CacheKey(partition: key.partition, uri: uri))
        }
    }

    // MARK: Failing and reporting

    mutating func failure(_ error: EngineError) -> EngineResponse {
        flight?.publish(.notShareable)
        land()
        request.body?.source.cancel()
        let answer = ErrorAnswer.make(for: error, asPage: request.context.destination.isPage)
        let hasContent = request.head.method != .head
        report(.failed, status: answer.head.status.code, bytes: hasContent ? Int64(answer.body.count) : 0)
        return EngineResponse(
            head: answer.head, body: hasContent ? .bytes(answer.body) : .empty, cacheStatus: machine.status,
            failure: error)
    }

    private func reporting(
        _ source: any BodySource, _ outcome: ExchangeReport.Outcome, _ code: Int, status: CacheStatus,
        notStored: StoreDecision.Reason? = nil
    ) -> any BodySource {
        let exchange = self
        let timeToHead = cache.configuration.clock.uptime() - start
        return ReportingBody(source) { bytes, isComplete in
            exchange.report(
                outcome, status: code, bytes: bytes, cacheStatus: status, notStored: notStored,
                timeToHead: timeToHead, isComplete: isComplete)
        }
    }

    private func report(
        _ outcome: ExchangeReport.Outcome, status: Int, bytes: Int64, cacheStatus: CacheStatus? = nil,
        notStored: StoreDecision.Reason? = nil, timeToHead: Duration? = nil, isComplete: Bool = true
    ) {
        guard let observer = cache.configuration.observer else { return }
        let elapsed = cache.configuration.clock.uptime() - start
        let isFromOrigin = outcome == .stored || outcome == .forwarded
        observer.record(
            ExchangeReport(
                method: request.head.method, uri: key?.uri ?? "", client: request.context.client,
                destination: request.context.destination, outcome: outcome, status: status,
                cacheStatus: cacheStatus ?? machine.status, rule: machine.ruling.rule, notStored: notStored,
                start: start, timeToHead: timeToHead ?? elapsed, duration: elapsed, bodyBytes: bytes,
                originBytes: isFromOrigin ? bytes : 0, isComplete: isComplete))
    }
}
