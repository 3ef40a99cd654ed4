import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Lets the machine decide, and writes down what it decided by.
struct Explainer {
    private var machine: ExchangeMachine
    private let now: WallInstant
    private var steps: [Explanation.Step] = []
    private var changes: [String] = []
    private var basis: ReuseDecision.Basis?

    init(_ machine: ExchangeMachine, at now: WallInstant) {
        self.machine = machine
        self.now = now
    }

    private mutating func note(_ title: String, _ section: String, _ finding: String) {
        steps.append(.init(title: title, section: section, finding: finding))
    }

    /// The key whose responses ``explain(_:)`` wants; `nil` when the store is not asked.
    mutating func begin() -> (key: CacheKey?, action: ExchangeMachine.Action) {
        let action = machine.start()
        if let rule = machine.ruling.rule {
            note("Policy", "", "rule '\(rule)' gives the verdict \(machine.ruling.verdict)")
        } else {
            note("Policy", "", "no rule has a verdict, so the protocol decides")
        }
        if machine.context.mode != .protocolDefault {
            note("Cache mode", "Fetch §2.2.5", "'\(machine.context.mode.rawValue)'")
        }
        noteMethod()
        guard case .lookUp(let key) = action else { return (nil, action) }
        let partition = key.partition.isEmpty ? "" : ", in the partition of one account"
        note("Cache key", "RFC 9111 §2", key.uri + partition)
        return (key, action)
    }

    private mutating func noteMethod() {
        let method = machine.request.method.rawValue
        if machine.request.method == .get || machine.request.method == .head {
            if ConditionalRequest.mustForward(machine.fields) {
                note(
                    "Request", "RFC 9111 §4.3.2",
                    "\(method) with If-Match or If-Unmodified-Since, which the origin judges")
            } else {
                note("Request", "RFC 9111 §4", "\(method) may be answered from the store")
            }
        } else {
            note("Request", "RFC 9111 §4", "\(method) is written through to the origin")
        }
    }

    /// The whole, once the store was asked.
    mutating func explain(_ found: [StoredEntry]) -> Explanation {
        let action = machine.lookedUp(found, at: now)
        let candidates = machine.candidates
        note("Stored responses", "RFC 9111 §4", candidates.isEmpty ? "none" : Self.count(candidates.count, "response"))
        if !candidates.isEmpty { noteSelection(candidates) }
        return finish(action)
    }

    private mutating func noteSelection(_ candidates: [StoredEntry]) {
        for entry in candidates where entry.key != machine.key {
            note("Another query", "No-Vary-Search", "\(entry.key.uri) has a query that makes no difference")
        }
        let matching = candidates.filter { $0.response.nominatedFields.match(machine.fields) }
        let names = Set(candidates.flatMap { $0.response.nominatedFields.values.keys }).sorted()
        let nominated = names.isEmpty ? "none nominates request fields" : "nominated: " + names.joined(separator: ", ")
        note("Vary", "RFC 9111 §4.1", "\(matching.count) of \(candidates.count) fit the request (\(nominated))")
        guard let entry = ExchangeMachine.preferred(matching) else {
            changes.append(
                "The request's \(names.joined(separator: ", ")) would have to be as when something was stored.")
            return
        }
        if matching.count > 1 {
            note("Most recent", "RFC 9111 §4.1", "of those, the one dated \(HTTPDate.print(entry.response.date))")
        }
        if !ContentCoding.isAcceptable(entry.response.fields, to: machine.fields) {
            note(
                "Content coding", "RFC 9110 §12.5.3",
                "stored as \(entry.response.fields[.contentEncoding] ?? "?"), which the request does not accept")
            changes.append("A request that accepts the stored content coding could be answered from the store.")
            return
        }
        noteContent(entry)
        noteFreshness(entry)
    }

    private mutating func noteContent(_ entry: StoredEntry) {
        let size = entry.bodyLength.description
        guard case .partial(let parts, let length) = entry.response.extent else {
            note("Content", "RFC 9111 §3", "status \(entry.response.status.code), all of it, \(size)")
            return
        }
        let ranges = parts.map { "\($0.lowerBound)–\($0.upperBound - 1)" }.joined(separator: ", ")
        note(
            "Content", "RFC 9111 §3.3",
            "bytes \(ranges) of \(length.map { String($0) } ?? "an unknown length"), \(size)")
    }

    private mutating func noteFreshness(_ entry: StoredEntry) {
        let response = entry.response
        let terms = machine.ruled(ReuseTerms(of: response, in: machine.kind), at: now)
        let basis = ReuseDecision.decide(terms, request: machine.terms, at: now)
        self.basis = basis
        note("Freshness lifetime", terms.lifetime.source.section, terms.lifetime.explanation(of: response))
        let resident = ReadableDuration.text(now - response.responseTime)
        note(
            "Current age", "RFC 9111 §4.2.3",
            "\(ReadableDuration.text(basis.currentAge)): \(ReadableDuration.text(terms.initialAge)) on arrival, "
                + "\(resident) here")
        note(
            "Freshness", "RFC 9111 §4.2",
            basis.remaining > .zero
                ? "fresh for another \(ReadableDuration.text(basis.remaining))"
                : "stale for \(ReadableDuration.text(basis.currentAge - terms.lifetime.duration))")
        for finding in terms.findings(request: machine.terms, at: now) {
            note(finding.title, finding.section, finding.finding)
        }
        if machine.ruling.validation == .head, !machine.mayAskByHead {
            note(
                "HEAD first", "", "not now: at this host \(HeadTrials.patience) in a row saved no GET")
        }
        changes += terms.changes(basis, hasValidator: !ConditionalRequest.validators(of: response).isEmpty)
    }

    /// The whole, when the machine has decided.
    func finish(_ action: ExchangeMachine.Action) -> Explanation {
        let (answer, summary, conditions) = verdict(action)
        var all = steps
        all.append(.init(title: "Answer", section: "", finding: summary))
        return Explanation(
            method: machine.request.method.rawValue, uri: machine.key?.uri ?? "", answer: answer, summary: summary,
            steps: all, conditions: conditions, changes: changes, cacheStatus: machine.status.description,
            currentAge: basis?.currentAge.components.seconds,
            freshnessLifetime: basis?.lifetime.duration.components.seconds,
            lifetimeSource: basis?.lifetime.source.rawValue)
    }

    private func verdict(
        _ action: ExchangeMachine.Action
    ) -> (Explanation.Answer, String, [String]) {
        switch action {
        case .serve(_, .fresh): return (.stored, "answered from the store; the origin is not asked", [])
        case .serve(_, .staleWhileRevalidating):
            return (.staleWhileRevalidating, "answered from the store at once, and validated in the background", [])
        case .serve: return (.stale, "answered from the store, though stale", [])
        case .forward(let head, _):
            let sent = Self.conditions.compactMap { name in
                head.headerFields[name].map { "\(name.rawName): \($0)" }
            }
            let fields = sent.isEmpty ? "" : " with " + sent.joined(separator: " and ")
            if machine.resuming != nil {
                return (.completed, "the origin is asked for the rest\(fields)", sent)
            }
            if machine.inquiry == .underWay {
                return (
                    .validated,
                    "validated: the origin is asked by HEAD\(fields); a 304, or a 200 with the same validators, lets the "
                        + "stored response be used, anything else is followed by a GET", sent
                )
            }
            if machine.selected != nil, !machine.asked.isEmpty {
                return (
                    .validated, "validated: the origin is asked\(fields); a 304 lets the stored response be used", sent
                )
            }
            return (
                .forwarded, "forwarded to the origin\(fields) (\(machine.status.forward?.rawValue ?? "miss"))", sent
            )
        case .fail(let error): return (.failed, error.message, [])
        case .lookUp, .freshen, .relay: return (.forwarded, "forwarded to the origin", [])
        }
    }

    private static let conditions: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifRange, .range, .ifMatch, .ifUnmodifiedSince,
    ]

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "one \(noun)" : "\(number) \(noun)s"
    }
}
