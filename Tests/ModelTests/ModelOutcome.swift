/// The states after one exchange of an allowed kind; none if it was not allowed.
struct ModelOutcome {
    let cache: ModelKind
    private(set) var exchange: ModelExchange
    /// The records stored before the exchange.
    let records: [ModelRecord]
    /// The lists of records that may be stored after the exchange.
    var next: [[ModelRecord]] = []
    /// Why the exchange is not allowed, if that is worth saying.
    var complaints: [String] = []

    init(cache: ModelKind, exchange: ModelExchange, records: [ModelRecord]) {
        self.cache = cache
        self.exchange = exchange
        self.records = records
    }

    var request: ModelRequest { exchange.request }
    var answer: ModelAnswer { exchange.answer }
    var validation: ModelValidation { ModelValidation(cache: cache, request: request) }

    mutating func take(_ action: ModelAction) {
        switch action {
        case .answer(let record):
            guard exchange.contacts.isEmpty, answer.saysHit, !answer.saysForwarded else { return }
            if fits(record, at: exchange.answeredAt) { next.append(records) }
        case .answerAndValidate(let record):
            guard !exchange.contacts.isEmpty, answer.saysHit, fits(record, at: exchange.presentedAt) else { return }
            // The validation is a request of the cache's own.
            var behind = self
            behind.exchange.request.method = "GET"
            behind.exchange.request.fields = request.fields.without(
                ["if-none-match", "if-modified-since", "if-range", "range"])
            behind.background(record)
            next += behind.next
        case .refuse:
            guard exchange.contacts.isEmpty, answer.failure != nil, answer.status == 504 else { return }
            next.append(records)
        case .ask(let chosen, let mustBeConditional):
            // RFC 9211 §2.1: hit says that the request "was not forwarded"; it does not define what a failed attempt
            // is.
            let isForwarded = answer.saysForwarded != answer.saysHit
            guard let contact = exchange.contacts.first, isForwarded || answer.failure != nil else { return }
            if answer.saysHit, contact.response != nil, contact.response?.status ?? 0 < 500 { return }
            if let complaint = validation.complaint(
                about: contact, records, chosen: chosen, mustBeConditional: mustBeConditional)
            {
                complaints.append(complaint)
                return
            }
            asked(0, chosen)
        }
    }

    func fits(_ record: ModelRecord, at now: Int64, confirmedBy response: ModelResponse? = nil) -> Bool {
        ModelAnswers(cache: cache, request: request, now: now, news: response?.fields.endToEnd).answers(from: record)
            .contains { $0.fits(answer) }
    }

    // MARK: After the origin was asked

    mutating func asked(_ index: Int, _ chosen: ModelRecord?) {
        let contact = exchange.contacts[index]
        let isLast = index == exchange.contacts.count - 1
        switch contact.reply {
        case .failure(let failure):
            if isLast { failed(failure, chosen) }
        case .response(let response) where response.status == 304 && request.isRead:
            notModified(index, response, chosen)
        case .response(let response):
            // An error to the cache's own range is not what the client asked for (RFC 9111 §3.4: combining is
            // optional), unless the server is down.
            let isOwnRange = contact.fields.has("range") && !request.fields.has("range")
            if isOwnRange, response.status >= 300, ![408, 429, 502, 503, 504].contains(response.status) {
                return isLast ? () : asked(index + 1, nil)
            }
            guard isLast else { return }
            let replaces = replacesErrors(response, chosen)
            if replaces.canBe, let chosen, fits(chosen, at: exchange.answeredAt) { next.append(records) }
            if replaces != .yes, relays(response) { next += kept(after: contact, response, chosen) }
            if response.status == 206, !request.fields.has("range") { complete(contact, response) }
        }
    }

    /// Takes a failure: §4.2.4, with our choice to serve stale unless that is forbidden.
    mutating func failed(_ failure: ModelFailure, _ chosen: ModelRecord?) {
        var isStale = ModelVerdict.no
        if let chosen, !chosen.isInvalid, ModelRanges.canAnswer(request, from: chosen) {
            isStale = mayServeStale(chosen, after: failure)
            if isStale.canBe, fits(chosen, at: exchange.answeredAt) { next.append(records) }
        }
        guard isStale != .yes, answer.failure != nil else { return }
        let statuses: [Int] =
            switch failure {
            case .noAddress, .refused, .timedOut, .closedEarly: [504]
            case .malformed, .untrusted: [502]
            }
        if statuses.contains(answer.status) { next.append(records) }
    }

    private func mayServeStale(_ record: ModelRecord, after failure: ModelFailure) -> ModelVerdict {
        // A stale response never hides a bad certificate.
        if failure == .untrusted { return .no }
        let isFresh = ModelFreshness.isFresh(record, at: exchange.answeredAt, cache)
        let directives = record.policy(cache).directives
        if ModelFreshness.forbidsStale(record, cache) {
            if cache.hasDisconnectedRule { return .either }
            return isFresh && !directives.hasUnqualified("no-cache") ? .either : .no
        }
        // The request asked for a fresher response; these directives are advisory.
        let isDemanding = ["no-cache", "max-age", "min-fresh"].contains { request.directives.has($0) }
        if isFresh || isDemanding || request.fields.has("pragma") { return .either }
        if directives.has("no-cache") { return .either }
        switch failure {
        case .noAddress, .refused, .timedOut, .closedEarly: return .yes
        case .malformed, .untrusted: return .either
        }
    }

    /// RFC 5861 §4.
    private func replacesErrors(_ response: ModelResponse, _ chosen: ModelRecord?) -> ModelVerdict {
        guard let chosen, [500, 502, 503, 504].contains(response.status),
            !chosen.isInvalid, ModelRanges.canAnswer(request, from: chosen)
        else { return .no }
        let directives = chosen.policy(cache).directives
        if ModelFreshness.forbidsStale(chosen, cache) { return .no }
        let staleness = ModelFreshness.staleness(chosen, at: exchange.answeredAt, cache)
        let windows = [directives.seconds("stale-if-error"), request.directives.seconds("stale-if-error")]
            .compactMap(\.value)
        guard let window = windows.max() else { return .no }
        if staleness > window * 1000 { return .no }
        // It is unknown when the response became stale.
        if chosen.isMarkedStale { return .either }
        let isDemanding = ["no-cache", "max-age", "min-fresh"].contains { request.directives.has($0) }
        return isDemanding || staleness == window * 1000 || staleness < 0 || directives.has("no-cache") ? .either : .yes
    }

    // MARK: Other responses

    func relays(_ response: ModelResponse) -> Bool {
        let hasContent = request.method != "HEAD" && ![204, 304].contains(response.status)
        var seen = answer
        if response.isTruncated, hasContent {
            guard seen.brokeOff, response.body.hasPrefix(seen.body) else { return false }
            seen.brokeOff = false
            seen.body = response.body
        }
        let fields = response.fields.endToEnd
        let expected = ModelExpected(
            status: response.status, required: fields, free: ["content-length"],
            body: hasContent ? response.body : "")
        guard answer.failure == nil, seen.fields.values("age") == fields.values("age") else { return false }
        return expected.fits(seen)
    }

    /// The states after a response that was relayed.
    mutating func kept(
        after contact: ModelContact, _ response: ModelResponse, _ chosen: ModelRecord?
    ) -> [[ModelRecord]] {
        guard ModelCache.invalidates(request, response) else { return kept(records, contact, response, chosen) }
        return ModelCache.invalidated(records).flatMap { kept($0, contact, response, chosen) }
    }

    mutating func kept(
        _ before: [ModelRecord], _ contact: ModelContact, _ response: ModelResponse, _ chosen: ModelRecord?
    ) -> [[ModelRecord]] {
        if request.method == "HEAD" {
            guard response.status == 200 else { return [before] }
            return validation.freshenedByHead(before, contact, response).flatMap { Self.onePerVariant($0) }
        }
        if response.status == 206 || response.isTruncated {
            if response.status != 206, !answer.saysStored { return outdated(before, by: response) }
            return ModelParts(cache: cache, request: request).kept(before, contact, response, isTold: answer.saysStored)
        }
        var verdict = ModelStoring.mayStore(response, to: request, cache)
        // It can't answer without validation, so it need not be stored.
        if response.fields.list("vary").contains("*") { verdict = verdict && .either }
        if chosen != nil, response.status >= 500 { verdict = verdict && .either }
        if verdict == ModelVerdict(!answer.saysStored) {
            complaints.append(answer.saysStored ? "it may not be stored" : "it must be stored, and is said not to be")
            return []
        }
        if answer.saysStored { return Self.stored(record(contact, response), among: before) }
        return outdated(before, by: response)
    }

    /// The records after a response that is not stored: "none of the stored responses nominated in the conditional
    /// request are suitable". Our choice: what the request selects is validated from then on, also where the request
    /// was not conditional; a server that fails, or is asked too much, has not said so.
    func outdated(_ records: [ModelRecord], by response: ModelResponse) -> [[ModelRecord]] {
        guard request.method == "GET", (200...499).contains(response.status),
            ![400, 407, 408, 412, 416, 421, 425, 429, 431].contains(response.status),
            !cache.isShared || !request.fields.has("authorization")
        else { return [records] }
        return [[ModelVerdict.yes], [.yes, .either]].map { selected in
            records.map { selected.contains(ModelSelection.matches($0, request)) ? $0.markedStale : $0 }
        }
    }

    func record(_ contact: ModelContact, _ response: ModelResponse) -> ModelRecord {
        ModelRecord(
            contact: contact.number, status: response.status,
            fields: ModelStoring.storedFields(response.fields, cache), nominating: request.fields,
            requestTime: contact.requestTime, responseTime: contact.responseTime, body: response.body,
            held: [0..<response.body.utf8.count], turn: contact.number)
    }

    /// Our choice: a response replaces the stored one of the same variant, and a whole one all older ones that its
    /// request selects.
    static func stored(_ record: ModelRecord, among before: [ModelRecord]) -> [[ModelRecord]] {
        let kept = before.filter { other in
            !other.isSameVariant(as: record)
                && !(record.isComplete && other.responseTime <= record.requestTime
                    && ModelSelection.isNominated(other, selecting: record.nominating))
        }
        return [kept + [record]]
    }

    /// The possible states when an update has turned several records into the same variant: one of them stays.
    static func onePerVariant(_ records: [ModelRecord]) -> [[ModelRecord]] {
        for record in records {
            let rivals = records.filter { $0.isSameVariant(as: record) }
            guard rivals.count > 1 else { continue }
            let others = records.filter { !$0.isSameVariant(as: record) }
            return onePerVariant(others).flatMap { rest in rivals.map { rest + [$0] } }
        }
        return [records]
    }

    /// §3.3: "by making a subsequent range request … and combining the successful response with the stored response".
    private mutating func complete(_ contact: ModelContact, _ response: ModelResponse) {
        let parts = ModelParts(cache: cache, request: request)
        for (part, whole) in parts.completions(records, contact, response)
        where fits(whole, at: exchange.answeredAt, confirmedBy: response) {
            let isBarred = validation.mustNotKeep(response, over: part)
            if isBarred.canBe, !answer.saysStored { next.append(records) }
            if isBarred != .yes, answer.saysStored { next += ModelParts.replaced(part, by: whole, among: records) }
        }
    }
}
