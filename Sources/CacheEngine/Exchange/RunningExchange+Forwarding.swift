import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// Asks the origin, and passes its response to the client and into the store.
extension RunningExchange {
    /// One request on its way.
    private struct Sending {
        var request: TransportRequest
        /// When it left: by the wall clock, on the uptime clock, and in the store's order of changes.
        var requestTime: WallInstant
        var sent: Duration
        var mark: StoreMark?
        /// When the head of its response came, on the uptime clock.
        var headTime: Duration?
        /// Its answer, where that has not come in time.
        let late = LockedBox<LateAnswer?>(nil)

        func noteLate(_ task: Task<TransportResponse, any Error>, pauses: AtomicFlag? = nil) {
            let answer = LateAnswer(
                request.head, task, requestTime: requestTime, sent: sent, mark: mark, pauses: pauses)
            late.withLock { $0 = answer }
        }
    }

    /// Sends the request and gives the machine the response or the failure.
    mutating func forward(_ head: HTTPRequest) async -> ExchangeMachine.Action {
        let request = TransportRequest(head: head, body: body, onInterim: onInterim)
        var sending = Sending(request: request, requestTime: cache.now, sent: cache.uptime)
        let isFirst = first == nil
        var (timeout, storeMayAnswer) = timeLeft()
        let offline = await withoutNetwork()
        if timeout == nil, offline != nil { timeout = cache.configuration.limits.beforeFallback.map { $0 * 10 / 3 } }
        if machine.policy.verdict == .neverStore { await removeStored() }
        if !context.isBackground { mark = cache.store.mark() }
        let awaited = late.flatMap { $0.answers(head) ? $0 : nil }
        late = nil
        if let awaited { (sending.requestTime, sending.sent, mark) = (awaited.requestTime, awaited.sent, awaited.mark) }
        (sending.request.timeout, sending.mark) = (timeout, mark)
        if start != nil, network == nil { network = LockedBox((nil, 0)) }
        let isHeadProbe = machine.isProbing
        defer { if isHeadProbe { noteHeadProbe() } }
        // Its server may have acted, whatever comes of it.
        if ![.get, .head, .options, .trace].contains(head.method) { notePost() }
        do {
            if !isFirst, let timeout, timeout <= .zero {
                throw TransportError(code: .timedOut, message: "An earlier request of this exchange used up the time.")
            }
            if storeMayAnswer, mayRepeat(head) { sending.request.onLate = { [sending] in sending.noteLate($0) } }
            var response = try await ask(&sending, awaited)
            if storeMayAnswer, let timeout { try await hold(&response, sending, timeout) }
            noteArrival(of: &response)
            return await received(response, to: sending)
        } catch let error as TransportError where !Task.isCancelled && body?.fault == nil {
            let action = failed(error, sending)
            guard case .fail = action, error.code.isDisconnection, let offline else { return action }
            return adopt(offline)
        } catch {
            // A transport may report a cancelled request as a connection that ended.
            endFlight(.abandoned)
            return .fail(Self.cancelled(error))
        }
    }

    /// Sends a request, and once more where its connection breaks off; measures how long its host takes.
    private mutating func ask(_ sending: inout Sending, _ awaited: LateAnswer?) async throws -> TransportResponse {
        let head = sending.request.head
        let deadline = sending.request.timeout.map { cache.uptime + $0 }
        var response: TransportResponse
        do {
            response = try await send(sending.request, awaited)
        } catch let error as TransportError where error.code == .closedEarly && mayRepeat(head) {
            let left = deadline.map { $0 - cache.uptime }
            (sending.request.onLate, sending.request.timeout) = (nil, left)
            if let left, left <= .zero { throw error }
            network?.withLock { $0.repeats += 1 }
            response = try await send(sending.request)
        }
        if mayRepeat(head) { response.body = continued(response, to: head) }
        let now = cache.uptime
        sending.headTime = now
        // A request ahead of need gives way first, so its time says nothing of the host.
        if context.preload == nil {
            let took = now - sending.sent
            cache.patience.measured(host, isPage: context.destination.isPage, took, at: now)
            if mayBeHeldBack, let key, let most = cache.configuration.limits.beforeFallback {
                cache.patience.noteHeldBack(key.uri, by: host, took > most)
            }
        }
        return response
    }

    /// Waits for the part of the content without which a stored response is of more use.
    ///
    /// - Throws: `timedOut` where it does not come in time.
    private func hold(_ response: inout TransportResponse, _ sending: Sending, _ timeout: Duration) async throws {
        guard sending.request.head.method == .get, response.bodyLength != 0, let headTime = sending.headTime,
            let part = HeldPart(of: response.head, fallback: machine.question?.fallback?.response)
        else { return }
        let took = headTime - sending.sent
        let most = part.enough < .max ? max(timeout, cache.configuration.limits.beforeFallback ?? timeout) : nil
        let held = try await HeldBody(
            response.body, part, first: max(.zero, timeout - took), time: timeout, most: most.map { $0 - took },
            clock: cache.configuration.clock)
        response.body = held
        guard held.isLate else { return }
        if sending.request.onLate == nil {
            held.cancel()
        } else {
            sending.noteLate(Task<TransportResponse, any Error> { [response] in response }, pauses: contentPauses)
        }
        throw TransportError(code: .timedOut, message: "The server stopped in the middle of its answer.")
    }

    /// Gives the machine a response, and keeps that where the client gets it.
    private mutating func received(_ response: TransportResponse, to sending: Sending) async -> ExchangeMachine.Action {
        await noteServerCookies(response.head.headerFields)
        if let key {
            cache.revalidationBacklog.forget(key)
            // A request that follows this answer must not join one that left before it: that one may show an older
            // state.
            cache.flights.detach(key, except: flight)
        }
        let action = machine.received(
            .init(
                head: response.head, bodyLength: response.bodyLength, requestTime: sending.requestTime,
                responseTime: cache.now))
        if case .relay = action {
            self.response = response
            return action
        }
        clearsOrigin = clearsOrigin || machine.clearsOrigin(response.head.headerFields)
        if response.head.status == .notModified || sending.request.head.method == .head {
            confirmedFields = Set(response.head.headerFields.map(\.name))
            await Self.finishEmpty(response.body)
        } else {
            // Nobody reads this content, and the client must not wait for its first byte.
            response.body.cancel()
        }
        return action
    }

    /// Gives the machine a failure, and notes what it says of the host.
    private mutating func failed(_ error: TransportError, _ sending: Sending) -> ExchangeMachine.Action {
        late = sending.late.withLock { $0 }
        let action = machine.failed(error, at: cache.now)
        // A server with a bad certificate has answered, and no stored response may hide that.
        if error.code == .certificateUntrusted { cache.patience.arrived(from: host) }
        if error.code == .timedOut, machine.isCacheOnly, machine.prepared.settings.hasPatience, !hasWaited {
            // A script's request may be held back on purpose, as for a long poll.
            let url = context.destination == .fetch ? key?.uri : nil
            // A head whose content stops is no answer.
            let since = sending.headTime ?? first?.sent ?? cache.uptime
            cache.patience.ranOut(for: host, url: url, since: since, at: cache.uptime)
        }
        return action
    }

    /// The answer where there is no network, if the store has nothing for these cookies, or this web view, and a
    /// failure shows that there is none.
    func withoutNetwork() async -> (ExchangeMachine, ExchangeMachine.Action)? {
        guard machine.forwardReason == .varyMiss, !context.isBackground, context.preload == nil else { return nil }
        var request = request
        request.context.connectivity = context.connectivity.withoutNetwork
        var again = RunningExchange(request, cache: cache, isTraced: machine.trace != nil)
        guard case .serve(let entry, let use) = await again.decide() else { return nil }
        (again.machine.status.isHit, again.machine.status.forward) = (false, .varyMiss)
        return (again.machine, .serve(entry, use))
    }

    mutating func adopt(_ other: (ExchangeMachine, ExchangeMachine.Action)) -> ExchangeMachine.Action {
        let failure = machine.originFailure
        machine = other.0
        machine.originFailure = failure
        return other.1
    }

    /// Remembers whether the HEAD saved a GET.
    private func noteHeadProbe() {
        guard let outcome = machine.headProbe else { return }
        cache.headProbes.note(host, saved: outcome == .saved, at: cache.uptime)
    }

    /// Whether a script or style is another one than before, by its validators; without them nothing tells, so it is
    /// not.
    private func changesCode(_ fields: HTTPFields) -> Bool {
        let type = fields.mediaType ?? ""
        guard MediaTypeKind(type) == .javaScript || type == "text/css", !context.isBackground, context.preload == nil,
            let stored = machine.candidates.entries.first
        else { return false }
        let (old, new) = (stored.response.fields, fields)
        return [HTTPField.Name.eTag, .lastModified].contains { name in
            old[name] != nil && new[name] != nil && old[name] != new[name]
        }
    }

    /// Passes the origin's response to the client, and stores it on the way if the machine said so.
    mutating func relay(_ relay: ExchangeMachine.Relay) async -> EngineResponse {
        // Taken, so that no report keeps its connection alive.
        guard let response = self.response.take() else {
            return failure(EngineError(code: .originBroken, message: "The origin's response was lost."))
        }
        var head = clientHead(relay, response.head)
        await note(relay, response.head, head)
        if self.head.method == .head || [204, 304].contains(head.status.code) {
            return await relayEmpty(relay, response, head)
        }
        var source = response.bodyLength.map { FramedBody(response.body, length: $0) } ?? response.body
        if isPagesCode {
            source = ReportingBody(source, length: nil) { [exchange = self] _, _, error in
                if error is TransportError { exchange.noteLack(.unanswered) }
            }
        }
        var length = response.bodyLength
        if let beginning = relay.beginning {
            // Without the stored beginning the rest is of no use: ask for the whole.
            guard let content = try? await cache.store.open(beginning) else {
                source.cancel()
                return await forwardWhole()
            }
            let extent = beginning.response.extent
            let regions = extent.resumption.flatMap { extent.regions(of: 0..<$0) } ?? []
            source = JoinedBody([JoinedBody(content, regions), source])
            // The machine has checked the length of the rest against its range.
            length = length.flatMap { FramedBody.sum($0, content.length.bytes) }
        }
        var (status, outcome) = (machine.status, ExchangeReport.Outcome.forwarded)
        var result: StoringResult?
        if let plan = relay.plan, let storing, let (pending, spool, reader) = spool(length, &result) {
            // §3.3: a part must not be passed off as the whole that others wait for.
            if plan.part == nil {
                flight?.publish(.arriving(plan.response, spool, since: mark))
            } else {
                endFlight(.notShareable)
            }
            storing.receive(source, into: spool, pending, plan, flight: flight, result)
            flight = nil
            (source, outcome) = (resumable(reader, response.head, length), .stored)
        } else {
            status.isStored = false
            endFlight(.notShareable)
            result?.end()
            if length == nil { source = UnverifiedEnd(source) }
        }
        let isKnown = outcome == .stored && machine.isKnown(relay.plan?.response)
        if isKnown {
            head = HTTPResponse(
                status: .notModified, headerFields: ConditionalRequest.notModifiedFields(head.headerFields))
        }
        let body = reporting(
            source, outcome, head.status.code, response.head.headerFields, status: status, length: length,
            notStored: relay.notStored, result)
        if isKnown {
            cache.background.transfer { while (try? await body.next()) != nil {} }
            return EngineResponse(head: head, body: .empty, cacheStatus: status)
        }
        return EngineResponse(head: head, body: .stream(body, length: length), cacheStatus: status)
    }

    private func clientHead(_ relay: ExchangeMachine.Relay, _ received: HTTPResponse) -> HTTPResponse {
        var head = relay.head ?? received
        var fields = AnswerFields(machine, age: 0)
        // With a stored beginning, a field that the origin has not sent again would be a replay.
        fields.omitted = relay.beginning == nil ? [] : fields.omitted.subtracting(received.headerFields.map(\.name))
        fields.apply(to: &head.headerFields)
        HopByHopFields.remove(from: &head.headerFields)
        // RFC 9110 §6.6.1: "append a corresponding Date header field … if it is cached or forwarded downstream".
        if !head.headerFields.contains(.date) { head.headerFields[.date] = HTTPDate.print(cache.now) }
        return head
    }

    /// Changes what is stored as the origin's response wants it, and notes that for the requests that follow.
    private mutating func note(_ relay: ExchangeMachine.Relay, _ received: HTTPResponse, _ head: HTTPResponse) async {
        await invalidate(after: received, clearingOrigin: relay.clearsOrigin || clearsOrigin)
        await update(relay.updates)
        cache.preflights.note(received, to: self.head)
        if relay.outdates { await update(machine.outdated(await storedForRequest())) }
        noteVersion(answeringWith: nil)
        noteShareable(relay.plan?.response)
        noteDocument(head.headerFields)
        if let page = relay.plan?.response {
            noteShown(page, from: .sent)
        } else if head.status.kind == .successful, machine.isPage(head.headerFields), !context.isBackground {
            // Nobody knows whether a page that is not stored has changed, nor which files it has.
            cache.pageNews.noteShown(since: cache.now, as: machine.prepared.request)
            if context.preload == nil { cache.pageSets.forget(self.head.url) }
        }
        // Many hosts send a page for what they lack.
        if head.status.code >= 400 || head.headerFields.mediaType == "text/html" { noteLack(.absent) }
        if changesCode(head.headerFields) {
            // It imports files of its own release, though the page is the one from before.
            cache.pageNews.noteChanged(as: machine.prepared.request, at: cache.now)
        }
        if let key, self.head.method == .get, context.preload == nil {
            let isRuled = machine.policy.verdict == .neverStore
            let event = isRuled ? .ruled(machine.policy.rule ?? "") : relay.notStored.map(PastEvent.notStored)
            if let event { cache.noteNotStored(event, key) }
        }
    }

    /// Passes on, and stores, a response that can have no content.
    private mutating func relayEmpty(
        _ relay: ExchangeMachine.Relay, _ response: TransportResponse, _ head: HTTPResponse
    ) async -> EngineResponse {
        await Self.finishEmpty(response.body)
        let result = StoringResult()
        if let plan = relay.plan { await storing?.storeEmpty(plan.response, result) }
        let (isStored, failure) = (result.value.isStored, result.value.failure)
        var status = machine.status
        status.isStored = isStored
        endFlight(isStored ? .confirmed : .notShareable)
        report(
            isStored ? .stored : .forwarded, status: head.status.code, bytes: 0, fields: response.head.headerFields,
            cacheStatus: status, notStored: relay.notStored, storeFailure: failure)
        return EngineResponse(head: head, body: .empty, cacheStatus: status)
    }

    /// The content for one of several that share it: where it is left behind, the rest is asked for.
    func resumable(_ reader: SpooledReader, _ head: HTTPResponse, _ length: Int64?) -> any BodySource {
        let (cache, context, presented) = (cache, context, self.head)
        guard presented.method == .get, body == nil, context.preload == nil else { return reader }
        let response = TransportResponse(head: head, body: reader, bodyLength: length)
        let body = ContinuedBody(response, isShared: true) { conditions in
            let request = EngineRequest(head: presented.asking(under: conditions), context: context)
            let answer = await cache.respond(to: request)
            return TransportResponse(head: answer.head, body: answer.body.makeSource(), bodyLength: answer.body.length)
        }
        return body ?? reader
    }

    /// A place in the store for content, with its first reader; `nil` if the store has none for so much.
    ///
    /// - Parameter result: The result of storing, for which the report waits; set if there is a report.
    private func spool(
        _ length: Int64?, _ result: inout StoringResult?
    ) -> (any PendingBody, SpooledBody, SpooledReader)? {
        if start != nil { result = StoringResult() }
        do {
            let pending = try cache.store.makePendingBody(forLength: length)
            let spool = SpooledBody(pending, expectedLength: length, sleep: cache.configuration.clock.sleep)
            return spool.makeReader().map { (pending, spool, $0) }
        } catch {
            if let key { cache.unwritten.note(key, isWritten: false) }
            result?.noteFailure(error)
            return nil
        }
    }

    /// The transfer that stores this exchange's response.
    private var storing: StoringTransfer? {
        key.map { StoringTransfer(machine: machine, key: $0, mark: mark, contentPauses: contentPauses, cache: cache) }
    }

    /// Reads a response that can have no content (RFC 9110 §6.4.1) to its end, which keeps the connection usable.
    private static func finishEmpty(_ body: any BodySource) async {
        _ = try? await body.next()
        body.cancel()
    }

    /// Asks the origin for the whole, after the stored beginning turned out to be gone.
    private mutating func forwardWhole() async -> EngineResponse {
        switch await forward(head) {
        case .relay(let relay): return await self.relay(relay)
        case .fail(let error): return failure(error)
        default: return failure(EngineError(code: .originBroken, message: "The stored response was lost."))
        }
    }
}

extension HTTPRequest {
    /// The same with these conditions, and a range, in place of its own.
    func asking(under conditions: HTTPFields) -> HTTPRequest {
        var request = self
        ConditionalRequest.remove(from: &request.headerFields)
        for field in conditions { request.headerFields[field.name] = field.value }
        return request
    }
}
