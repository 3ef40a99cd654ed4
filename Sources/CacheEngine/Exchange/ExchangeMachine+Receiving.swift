import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension ExchangeMachine {
    /// The final head of the origin's response, and when the request left and the head came.
    struct OriginAnswer {
        var head: HTTPResponse
        /// The content's length where the framing states it.
        var bodyLength: Int64?
        var requestTime: WallInstant
        var responseTime: WallInstant

        var fields: HTTPFields { head.headerFields }
    }

    /// Takes the origin's answer.
    mutating func received(_ answer: OriginAnswer) -> Action {
        let head = answer.head
        switch question {
        case .headProbe(let entry)?: return headProbeAnswered(entry, answer)
        case .validation(let asked, let fallback)? where head.status == .notModified:
            return confirmed(by: answer, asked: asked, fallback: fallback)
        case .rest(let entry)?:
            if let rest = resumed(entry, by: answer) { return .relay(rest) }
            // An answer about another part than the requested one is of no use to the client, nor is one without
            // content, nor a refusal that it would not have got itself. A server that is down, or asked too much, is
            // not asked twice.
            let isDown = [408, 429, 502, 503, 504].contains(head.status.code)
            if head.status == .partialContent || head.status.kind != .successful && !isDown {
                return forwardAgain(.whole(fallback: nil))
            }
        case .whole?, nil:
            if head.status == .notModified, !mayBeNotModified { return unaskedNotModified(at: answer.responseTime) }
        case .validation?: break
        }
        // §4.3.3: a 5xx may be treated "as if the server failed to respond"; RFC 5861 §4 says for how long.
        // An error that is stored takes no other one's place, unless it says so itself.
        // The question whether somebody is human has to be seen, or no later request is answered either.
        if let fallback = question?.fallback, StaleReason.isError(head.status.code),
            !answer.fields.contains(Self.challenge),
            fallback.response.status.code < 400 || policy.verdict == .followProtocol,
            let reason = staleReason(.serverError, for: fallback, at: answer.responseTime)
        {
            status.forwardStatus = head.status.code
            originFailure = EngineError(
                code: .originBroken, message: "'\(request.authority ?? "")' answered \(head.status.code).")
            return serve(fallback, .stale, answer.responseTime, reason.rawValue, isHit: false)
        }
        return .relay(relay(answer))
    }

    /// Says that a page asks whether somebody is human (Cloudflare, "Detect a Challenge Page response").
    private static let challenge = HTTPField.Name(constant: "cf-mitigated")

    func staleReason(_ failure: StaleReason.Failure, for entry: StoredEntry, at now: WallInstant) -> StaleReason? {
        // This mode uses a stored response only once the origin has confirmed it.
        if wantsConfirmation { return nil }
        var machine = self
        // A script learns that its server fails: data are no file that the page can't do without.
        if failure == .serverError, isOlderThanPage, context.destination == .fetch {
            machine.policy.verdict = .followProtocol
        }
        return StaleReason.afterFailure(
            failure, freshness: machine.freshness(of: entry, at: now), request: directives, at: now)
    }

    /// Whether an origin may answer 304 to what was sent with the client's own conditions, if any: where one of these
    /// two is false (RFC 9110 §13.1.2, §13.1.3). To methods besides GET and HEAD a 304 says nothing that is defined;
    /// the client gets it as it is, and it invalidates as any answer that is no error does (RFC 9111 §4.4).
    private var mayBeNotModified: Bool {
        let isRead = request.method == .get || request.method == .head
        return !isRead || fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince)
    }

    /// §15.4.5: 304 "indicates that a conditional GET or HEAD request has been received and would have resulted in a
    /// 200 (OK) response if it were not for the fact that the condition evaluated to false". Without a condition it is
    /// "an invalid response from an inbound server" (§15.6.3), and the client has nothing that it could be about.
    private mutating func unaskedNotModified(at now: WallInstant) -> Action {
        status.forwardStatus = 304
        return failed(
            TransportError(
                code: .malformedResponse, message: "The origin answered 304 to a request without a condition."),
            at: now, isAnswered: true)
    }

    // MARK: Validation

    /// Takes a 304 to the conditions that were sent.
    mutating func confirmed(by answer: OriginAnswer, asked: [StoredEntry], fallback: StoredEntry?) -> Action {
        let candidates = candidates.entries
        let places = candidates.indices.filter { place in asked.contains { $0.id == candidates[place].id } }
        let identified = Freshening.identified(
            by: answer.fields, among: candidates.map(\.response), asked: Array(places))
        let chosen =
            identified.first { candidates[$0].id == fallback?.id } ?? identified.first { places.contains($0) }
        // The 304 is about a representation that is not stored: ask again, without conditions.
        guard let chosen else { return forwardAgain(.whole(fallback: nil)) }
        func freshened(_ place: Int) -> StoredEntry {
            var entry = candidates[place]
            entry.response = freshen(entry.response, with: answer)
            retain(&entry.response)
            return entry
        }
        let entry = freshened(chosen)
        // If the tag has become weak, If-Range no longer selects a part (RFC 9110 §13.1.5), and that part may be all
        // that is stored.
        let selection = StoredAnswer.Selection(of: entry.response, length: entry.bodyLength.bytes, presented: request)
        if case .content(.notStored) = selection { return forwardAgain(.whole(fallback: nil)) }
        // §4.3.4 begins with "those that could have been chosen for that request". A variant that other nominated
        // fields select is not confirmed: the origin might no longer select it for them.
        let others = identified.filter { $0 != chosen && isNominated(candidates[$0].response) }.map { freshened($0) }
        if isProbing { noteHeadProbe(.saved) }
        return freshen(entry, by: answer, isNewVariant: !isNominated(candidates[chosen].response), others: others)
    }

    /// Answers with an entry that the origin has confirmed.
    ///
    /// - Parameter others: Those that it confirms besides.
    mutating func freshen(
        _ entry: StoredEntry, by answer: OriginAnswer, isNewVariant: Bool = false, others: [StoredEntry] = []
    ) -> Action {
        let freshness = applyingPolicy(to: FreshnessInfo(of: entry.response, in: kind), at: answer.responseTime)
        status.timeToLive = freshness.timeToLive(at: answer.responseTime)
        status.forwardStatus = answer.head.status.code
        return .freshen(
            Freshened(
                entry: entry, isNewVariant: isNewVariant, isKept: mayKeep(entry.response, from: answer.fields),
                others: others.filter { mayKeep($0.response, from: answer.fields) }))
    }

    /// Whether §3 lets a response be stored with the fields that this request's answer brought: `no-store` in a 304, or
    /// in the request, holds "any part of … any response". The answer's `Cache-Control` counts even if a stored
    /// targeted field governs the result: the answer itself has no targeted field, so it must not be ignored (RFC 9213
    /// §2.2).
    func mayKeep(_ updated: StoredResponse, from answer: HTTPFields) -> Bool {
        var stored = request
        stored.method = .get
        // A stored part's place is known, so it is judged like the whole.
        let status = updated.status == .partialContent ? .ok : updated.status
        switch decideStoring(stored, status, answer) {
        case .doNotStore(.noStoreInResponse), .doNotStore(.privateInSharedCache), .doNotStore(.statusNotUnderstood):
            return false
        case .store, .doNotStore: break
        }
        return switch decideStoring(stored, status, updated.fields) {
        case .doNotStore(.noStoreInRequest), .doNotStore(.noStoreInResponse), .doNotStore(.privateInSharedCache),
            .doNotStore(.authenticatedInSharedCache), .doNotStore(.statusNotUnderstood),
            .doNotStore(.variesOnEverything):
            false
        case .store, .doNotStore: true
        }
    }

    /// Asks the origin another question, for the same reason as before.
    mutating func forwardAgain(_ question: Question, conditions: HTTPFields = [:]) -> Action {
        forward(forwardReason ?? .stale, question, conditions: conditions)
    }

    // MARK: Storing

    /// Joins the rest of a response with its stored beginning; `nil` when the answer is something else.
    private mutating func resumed(_ entry: StoredEntry, by answer: OriginAnswer) -> Relay? {
        let known = entry.response.extent.completeLength(storedLength: entry.bodyLength.bytes)
        guard let start = entry.response.extent.resumption,
            let range = ContentRange(
                ofRestIn: answer.head, bodyLength: answer.bodyLength, from: start, of: entry.response.fields,
                completeLength: known)
        else { return nil }
        let length = range.completeLength ?? known
        var response = freshen(entry.response, with: answer)
        response.status = .ok
        retain(&response)
        response.fields[.contentLength] = length.map { String($0) }
        status.forwardStatus = 206
        var relay = Relay()
        // "MUST NOT store any part of either the immediate request or the response" (§5.2.2.5): then the rest completes
        // this one answer only.
        if mayKeep(response, from: answer.fields) {
            status.isStored = true
            relay.plan = StoragePlan(response: response, part: nil, completeLength: length)
        }
        relay.beginning = entry
        relay.head = HTTPResponse(status: .ok, headerFields: response.fields)
        return relay
    }

    private mutating func relay(_ answer: OriginAnswer) -> Relay {
        let head = answer.head
        var relay = Relay()
        relay.clearsOrigin = clearsOrigin(head.headerFields)
        if request.method == .head { relay.updates = headUpdates(by: answer) }
        // The rule that had the origin asked is why it answers, whatever rule says how the answer is kept.
        let asking = isOlderThanPage && head.status.kind == .successful ? policy.rule : nil
        isOlderThanPage = false
        applyRules(to: head.status, length: answer.bodyLength, head)
        if let asking, !isBypassed { (policy.rule, status.detail) = (asking, asking) }
        noteHeadProbe()
        if isBypassed || mode == .noStore || prepared.hasContent && request.method == .get { return relay }
        // A server that declines to be asked ahead of need has said nothing about what a page would get.
        if context.preload != nil, !(200..<400).contains(head.status.code) { return relay }
        if case .doNotStore(let reason) = decideStoring(request, head.status, head.headerFields) {
            relay.notStored = reason
            relay.outdates = outdates(head)
            return relay
        }
        let received = storedFields(head.headerFields)
        var stored = StoredResponse(
            nominatedFields: nominatedFields(received), status: head.status,
            fields: StorableFields.select(from: received, in: kind), requestTime: answer.requestTime,
            responseTime: answer.responseTime)
        if hidesPage(head, stored) || hidesSuccess(head) || leavesPage(head, answer.bodyLength) {
            relay.notStored = .notCacheable
            return relay
        }
        if isSharedRedirect(head.status) || isPassing(head.status) { stored.needsValidation = true }
        if head.status == .partialContent, fields.contains(.ifRange) {
            guard let whole = identified(by: answer) else {
                relay.notStored = .partialContent
                return relay
            }
            stored = whole
        }
        if isPage(stored.fields), stored.status.kind == .successful { stored.tags += pageTags(answer.requestTime) }
        retain(&stored)
        var (part, length) = (Range<Int64>?.none, answer.bodyLength)
        if head.status == .partialContent, let range = head.headerFields[.contentRange].flatMap({ ContentRange($0) }) {
            // The extent says where the part lies; as fields of the whole these would be wrong.
            for name in [.contentRange, .contentLength] + HTTPFields.digestsOfContent { stored.fields[name] = nil }
            (part, length) = (range.range, range.completeLength)
        }
        if policy.verdict == .storeOnlyIfExplicit {
            let lifetime = FreshnessLifetime(of: stored, in: kind)
            if lifetime.source == .heuristic, !CacheControl(stored.fields).has("no-cache") {
                relay.notStored = .notCacheable
                return relay
            }
        }
        status.isStored = true
        relay.plan = StoragePlan(
            response: stored, part: part, completeLength: length,
            mayBeIncomplete: request.method == .get && (head.status == .ok || head.status == .partialContent))
        return relay
    }

    /// The stored response that an answer to `If-Range` is a part of, with the answer's fields; `nil` if none is
    /// stored.
    ///
    /// Such an answer leaves out `Content-Type`, `Content-Encoding` and others: "the sender SHOULD NOT generate other
    /// representation header fields" (RFC 9110 §15.3.7). Without those fields it must not answer anybody else.
    private func identified(by answer: OriginAnswer) -> StoredResponse? {
        let length = answer.fields[.contentRange].flatMap { ContentRange($0) }?.completeLength
        let known = candidates.entries.first {
            let known = $0.response.extent.completeLength(storedLength: $0.bodyLength.bytes)
            return isNominated($0.response)
                && Combination.isAllowed(
                    $0.response.fields, with: answer.fields, mayOmitCoding: length != nil && length == known)
                && !(prepared.settings.transportDecodes && $0.response.fields.contains(.contentEncoding))
        }
        guard let known else { return nil }
        var part = freshen(known.response, with: answer)
        part.status = answer.head.status
        return part
    }

    /// §4.3.5: the stored responses that "could have been chosen" for a GET, updated by an answer to HEAD. Those that
    /// it outdates come last: a response that is outdated leaves a doubt about what is confirmed after it.
    private func headUpdates(by answer: OriginAnswer) -> [StoredEntry] {
        var (freshened, outdated): ([StoredEntry], [StoredEntry]) = ([], [])
        for candidate in candidates.entries where isNominated(candidate.response) {
            var entry = candidate
            switch headFreshening(entry, by: answer) {
            case .freshened(let response) where mayKeep(response, from: answer.fields):
                entry.response = response
                freshened.append(entry)
            case .outdated(let response):
                entry.response = response
                outdated.append(entry)
            case .freshened, .unrelated: break
            }
        }
        return freshened + outdated
    }

    /// An answer to HEAD for a stored response (§4.3.5).
    func headFreshening(_ entry: StoredEntry, by answer: OriginAnswer) -> HeadFreshening {
        HeadFreshening.decide(
            entry.response, storedLength: entry.bodyLength.bytes, status: answer.head.status,
            head: keepingPlace(of: entry.response, answer.fields), answering: fields,
            requestTime: answer.requestTime, responseTime: answer.responseTime, in: kind)
    }

    /// Clear Site Data §4.1: from secure origins only. A shared cache ignores it, because it serves other users as
    /// well. So does what is fetched ahead of need: no page has asked, and one bad file must not remove the good ones.
    func clearsOrigin(_ fields: HTTPFields) -> Bool {
        guard kind == .private, context.preload == nil, let key else { return false }
        return ClearSiteData.clearsCache(fields) && TrustworthyOrigin.isPotentiallyTrustworthy(origin: key.uri)
    }

    // MARK: Failure

    /// Takes a failure before any response head.
    ///
    /// - Parameter isAnswered: Whether the origin has answered all the same, with something that is of no use.
    mutating func failed(_ error: TransportError, at now: WallInstant, isAnswered: Bool = false) -> Action {
        if case .headProbe(let entry)? = question, let action = headProbeFailed(entry, error) { return action }
        guard let entry = question?.fallback, error.code != .certificateUntrusted else {
            return fail(EngineError(error))
        }
        originFailure = EngineError(error)
        if error.code.isDisconnection {
            // The origin can't be reached: for this exchange, and for rules about connectivity, that is a
            // disconnection.
            let disconnected = rules.decision(for: exchange(context.connectivity.withoutNetwork))
            if disconnected.verdict == .onlyIfStored {
                // The answer to a validation in the background serves the next request.
                let isLate = error.code == .timedOut && hasFallback && prepared.settings.hasPatience
                policy = disconnected
                status.detail = disconnected.rule.map { isLate ? $0 + "/time-out" : $0 }
                return serve(entry, isLate ? .staleWhileRevalidating : .stale, now, isHit: !isAnswered)
            }
        }
        // §4.2.4: "A cache MUST NOT generate a stale response unless it is disconnected", nor where forbidden.
        if error.code == .timedOut, timeout != nil {
            // The stored response answers; the background validation gets the origin's answer for the next request.
            // This is no hit (RFC 9211 §2.1): it was forwarded, and no answer came in time.
            status.detail = policy.rule.map { $0 + "/time-out" }
            return serve(entry, .staleWhileRevalidating, now, StaleReason.ifError.rawValue, isHit: false)
        }
        let failure: StaleReason.Failure = error.code.isDisconnection ? .unreachable : .brokenAnswer
        guard let reason = staleReason(failure, for: entry, at: now) else { return fail(EngineError(error)) }
        return serve(entry, .stale, now, reason.rawValue, isHit: !isAnswered)
    }
}
