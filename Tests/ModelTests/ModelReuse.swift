/// What a cache may do with a presented request before it asks the origin.
enum ModelAction: Hashable, Sendable, CustomStringConvertible {
    /// Answer with this record and leave the origin alone.
    case answer(ModelRecord)
    /// Answer with this record, then validate it in the background (RFC 5861 §3).
    case answerAndValidate(ModelRecord)
    /// Ask the origin; the record, if any, is the one that would be validated.
    case ask(ModelRecord?, mustBeConditional: Bool)
    /// Answer 504 and leave the origin alone.
    case refuse

    var description: String {
        switch self {
        case .answer(let record): "answer from #\(record.contact) without asking"
        case .answerAndValidate(let record): "answer from #\(record.contact) and validate in the background"
        case .ask(nil, false): "ask the origin"
        case .ask(nil, true): "ask the origin with the tags of all variants"
        case .ask(.some(let record), true): "ask the origin with the validators of #\(record.contact)"
        case .ask(.some(let record), false): "ask the origin, with or without the validators of #\(record.contact)"
        case .refuse: "answer 504 without asking"
        }
    }
}

/// RFC 9111 §4: "When presented with a request, a cache MUST NOT reuse a stored response unless".
struct ModelReuse {
    var cache: ModelKind
    var request: ModelRequest
    var now: Int64
    /// Our promise: a response served stale without a network is validated before its next use, also within the window
    /// of RFC 5861 §3. The model leaves open when exactly it was stale.
    var mayBeOwed = false

    func actions(_ records: [ModelRecord]) -> [ModelAction] {
        // "A cache MUST write through requests with methods that are unsafe"; the store answers GET and HEAD only, and
        // §4.3.2: If-Match and If-Unmodified-Since "are not applicable to a cache".
        guard request.isRead, !request.fields.has("if-match"), !request.fields.has("if-unmodified-since") else {
            if request.isDisconnected {
                // RFC 9110 §13.1.1: a cache "MAY ignore" the two.
                return [.refuse] + (request.isRead ? records.map { .answer($0) } : [])
            }
            let ask = ModelAction.ask(nil, mustBeConditional: false)
            return request.directives.has("only-if-cached") ? [ask, .refuse] : [ask]
        }
        var all: [ModelAction] = []
        for chosen in ModelSelection.chosen(records, for: request) {
            for action in chosen.map({ actions(chosen: $0) }) ?? missed(records) where !all.contains(action) {
                all.append(action)
            }
        }
        // Our guard may also check the coding only after the most recent response is chosen, and try no other.
        let isRefused = records.contains {
            ModelSelection.acceptsCoding(of: $0, request) == .no && ModelSelection.isNominated($0, request)
        }
        if isRefused { all += missed([]).filter { !all.contains($0) } }
        return all
    }

    private var mayAsk: Bool { !request.isDisconnected && !request.directives.has("only-if-cached") }

    private func missed(_ records: [ModelRecord]) -> [ModelAction] {
        let isConditional =
            request.method == "GET" && !request.fields.has("range")
            && !ModelSelection.variants(records, missedBy: request).isEmpty
        return [mayAsk ? .ask(nil, mustBeConditional: isConditional) : .refuse]
    }

    private func ask(_ record: ModelRecord, mustBeConditional: Bool = false) -> [ModelAction] {
        [mayAsk ? .ask(record, mustBeConditional: mustBeConditional) : .refuse]
    }

    private func actions(chosen record: ModelRecord) -> [ModelAction] {
        if record.isInvalid { return ask(record) }
        guard ModelRanges.canAnswer(request, from: record) else { return ask(record) }
        if request.isDisconnected { return disconnected(record) }
        var all: [ModelAction] = []
        let needed = needsValidation(record)
        if needed != .yes { all.append(.answer(record)) }
        if needed != .no { all += stale(record) }
        return all
    }

    /// Whether the record can't be used as it is.
    private func needsValidation(_ record: ModelRecord) -> ModelVerdict {
        let directives = record.policy(cache).directives
        // "the stored response does not contain the no-cache directive, unless it is successfully validated" If a part
        // has shown that the origin has another representation, our choice is to ask, even with max-stale.
        if directives.hasUnqualified("no-cache") || record.isMarkedStale { return .yes }
        if ModelFreshness.isAgeUnknown(record, at: now) { return .yes }
        // A qualified one "is often handled by caches as if an unqualified no-cache directive was received".
        let qualified: ModelVerdict = directives.has("no-cache") ? .either : .no
        let isFresh = ModelFreshness.isFresh(record, at: now, cache)
        return ModelVerdict(!isFresh) || qualified || requestDemands(record)
    }

    /// The request directives of §5.2.1, which this cache honours although the standard says MAY.
    private func requestDemands(_ record: ModelRecord) -> ModelVerdict {
        let directives = request.directives
        if directives.has("no-cache") { return .yes }
        let age = ModelFreshness.age(record, at: now)
        var verdict = ModelVerdict.no
        switch directives.seconds("max-age") {
        case .absent: break
        case .unreadable: verdict = .either
        case .value(let limit) where age > limit:
            // RFC 8246 §2: no validation "during the freshness lifetime".
            if record.policy(cache).directives.has("immutable") { break }
            // With max-stale as well, the client contradicts itself.
            verdict = directives.has("max-stale") ? .either : .yes
        case .value: break
        }
        switch directives.seconds("min-fresh") {
        case .absent: break
        case .unreadable: verdict = verdict || .either
        case .value(let margin):
            let remaining = ModelFreshness.lifetime(record, cache) - age * 1000
            if remaining < margin * 1000 { verdict = verdict || .yes }
        }
        // §5.4 deprecates Pragma; treating it as no-cache is what older caches do.
        if !request.fields.has("cache-control"), request.fields.list("pragma").contains("no-cache") {
            verdict = verdict || .either
        }
        return verdict
    }

    /// The actions when the record can't be used as fresh: serve it stale if that is allowed, else ask the origin.
    private func stale(_ record: ModelRecord) -> [ModelAction] {
        let isConditional =
            record.hasValidator && request.method == "GET" && !request.fields.has("range")
            && !ModelFreshness.isFresh(record, at: now, cache)
        let ask = ask(record, mustBeConditional: isConditional)
        let isUnusable = record.isMarkedStale || ModelFreshness.isAgeUnknown(record, at: now)
        if isUnusable || ModelFreshness.forbidsStale(record, cache) {
            return ask
        }
        let verdict = acceptsStale(record)
        var all: [ModelAction] = verdict.canBe ? [.answer(record)] : []
        if verdict != .yes {
            var background = validatesInBackground(record)
            // The origin may not be asked: serve stale, or refuse.
            if !mayAsk, background.canBe {
                background = .either
                all.append(.answer(record))
            } else if background.canBe {
                all.append(.answerAndValidate(record))
            }
            if background != .yes || mayBeOwed { all += ask }
        }
        return all
    }

    /// §5.2.1.2, max-stale.
    private func acceptsStale(_ record: ModelRecord) -> ModelVerdict {
        let directives = request.directives
        guard directives.has("max-stale"), !directives.has("no-cache") else { return .no }
        // A fresh response that is too old, or not fresh for long enough, is no case for max-stale.
        let isBound = directives.has("max-age") || directives.has("min-fresh")
        if ModelFreshness.isFresh(record, at: now, cache) || isBound { return .either }
        if directives.all.first(where: { $0.name == "max-stale" })?.argument == nil { return .yes }
        guard let limit = directives.seconds("max-stale").value else { return .either }
        return ModelVerdict(ModelFreshness.staleness(record, at: now, cache) <= limit * 1000)
    }

    /// RFC 5861 §3: the window begins when the response becomes stale.
    private func validatesInBackground(_ record: ModelRecord) -> ModelVerdict {
        let directives = request.directives
        guard !record.isMarkedStale, !directives.has("no-cache"), directives.seconds("max-age").value == nil,
            directives.seconds("min-fresh").value ?? 0 == 0,
            let window = record.policy(cache).directives.seconds("stale-while-revalidate").value
        else { return .no }
        // Their values can't be read, or demand nothing.
        if directives.has("max-age") || directives.has("min-fresh") { return .either }
        if !request.fields.has("cache-control"), request.fields.list("pragma").contains("no-cache") { return .either }
        // A qualified no-cache may count as an unqualified one.
        if record.policy(cache).directives.has("no-cache") { return .either }
        let staleness = ModelFreshness.staleness(record, at: now, cache)
        return staleness == window * 1000 ? .either : ModelVerdict(staleness < window * 1000)
    }

    /// RFC 9111 §4.2.4 lets a disconnected cache serve stale responses. This cache also serves those that forbid it, a
    /// named departure; the model leaves that open.
    private func disconnected(_ record: ModelRecord) -> [ModelAction] {
        let isForbidden = ModelFreshness.forbidsStale(record, cache) && needsValidation(record) != .no
        let isDemanding = requestDemands(record) != .no || record.policy(cache).directives.has("no-cache")
        return isForbidden || isDemanding ? [.answer(record), .refuse] : [.answer(record)]
    }
}
