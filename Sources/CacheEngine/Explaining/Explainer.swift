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
        if machine.context.connectivity != .connected {
            note("Network", "", machine.context.connectivity.description)
        }
        if let verdict = RuledTerms.verdict(machine.policy) {
            note("Policy", "", verdict)
        } else if machine.rules.looksAtResponse {
            note("Policy", "", "no rule has a verdict before a response is known")
        } else {
            note("Policy", "", Self.protocolDecides)
        }
        if machine.context.mode != .protocolDefault {
            note(
                "Cache mode", "Fetch §2.2.5",
                "'\(machine.context.mode.rawValue)': \(Self.meaning(machine.context.mode))")
        }
        if case .lookUp = action { noteMethod(isLookedUp: true) } else { noteMethod(isLookedUp: false) }
        guard case .lookUp(let key) = action else { return (nil, action) }
        let partition = key.partition.isEmpty ? "" : ", in the partition of one account"
        note("Cache key", "RFC 9111 §2", key.uri + partition)
        return (key, action)
    }

    private static func meaning(_ mode: CacheMode) -> String {
        switch mode {
        case .protocolDefault: "the protocol decides"
        case .noStore: "the store is neither asked nor filled"
        case .reload: "the origin is asked past every cache, and what comes is stored"
        case .reloadIgnoringLocal: "the origin is asked past this cache, and what comes is stored"
        case .revalidate: "what is stored is used only once the origin has confirmed it"
        case .preferStored: "what is stored is used whatever its age"
        case .onlyIfStored: "what is stored is used whatever its age, and the origin is not asked"
        }
    }

    private static let protocolDecides = "no rule has a verdict, so the protocol decides"

    private mutating func noteMethod(isLookedUp: Bool) {
        let method = machine.request.method.rawValue
        guard machine.request.method == .get || machine.request.method == .head else {
            note("Request", "RFC 9111 §4", "\(method) is written through to the origin")
            return
        }
        if isLookedUp {
            note("Request", "RFC 9111 §4", "\(method) may be answered from the store")
        } else if let rule = machine.policy.rule, machine.isBypassed {
            note("Request", "", "\(method) is not answered from the store: rule '\(rule)' keeps it out")
        } else if ConditionalRequest.mustForward(machine.fields) {
            note(
                "Request", "RFC 9111 §4.3.2",
                "\(method) with If-Match or If-Unmodified-Since, which the origin judges")
        } else if let rule = machine.policy.rule, case .reload = machine.policy.verdict {
            note("Request", "", "\(method) is not answered from the store: rule '\(rule)' wants the origin's answer")
        } else if !machine.mode.looksUp {
            note("Request", "Fetch §2.2.5", "\(method) is not answered from the store in this cache mode")
        } else {
            note("Request", "RFC 9111 §4", "\(method) is not answered from the store")
        }
    }

    /// The whole, once the store was asked.
    mutating func explain(_ found: [StoredEntry]) -> Explanation {
        let first = machine.policy
        let action = machine.lookedUp(found, at: now)
        let candidates = machine.candidates
        if candidates.isEmpty, machine.policy != first {
            // Only a stored response that fits can have changed the policy's decision, and the new one wants none of them.
            note("Stored responses", "RFC 9111 §4", "there is one that fits")
            notePolicy(after: first)
            note("Use", "", "with that verdict nothing stored answers")
        } else {
            note(
                "Stored responses", "RFC 9111 §4",
                candidates.isEmpty ? "none" : Self.count(candidates.count, "response"))
            if candidates.isEmpty { noteForbidden() }
        }
        if !candidates.isEmpty { noteSelection(candidates, after: first) }
        return finish(action)
    }

    /// What the answer must not be if it is to be stored, as far as rules that look at it say so.
    private mutating func noteForbidden() {
        for finding in machine.rules.findings(for: machine.exchange(machine.context.connectivity)) {
            switch finding.outcome {
            case .decides: return
            case .waitsForResponse(let condition):
                guard let rule = machine.rules[finding.rule] as? Rule, rule.verdict == .neverStore else { continue }
                note("Storing", "", "should the answer have \(condition), rule '\(finding.rule)' stores nothing of it")
            case .doesNotApply, .hasNoOpinion: break
            }
        }
    }

    /// Fields that the request lacks, and that are taken from what is stored.
    mutating func noteTaken(_ names: [String]) {
        guard !names.isEmpty else { return }
        note(
            "Request fields", "RFC 9111 §4.1",
            "the request has no \(names.joined(separator: ", ")); what the stored response was asked for with is taken")
    }

    /// What the rules say once they know the stored response.
    private mutating func notePolicy(after first: PolicyDecision) {
        switch machine.disbelief {
        case .error?:
            if let rule = machine.policy.rule {
                return note("Policy again", "", "rule '\(rule)' promises nothing of an error; the protocol decides")
            }
        case .notAsNamed(let breach, let rule)?:
            note(
                "Hashed name", "",
                "rule '\(rule ?? "")' believes the name of a file; the response is not what the name says: "
                    + "it has \(breach)")
            return note("Policy again", "", RuledTerms.verdict(machine.policy) ?? Self.protocolDecides)
        case nil: break
        }
        guard machine.rules.looksAtResponse else { return }
        if machine.policy == first, first.rule != nil { return }
        note("Policy again", "", RuledTerms.verdict(machine.policy) ?? Self.protocolDecides)
    }

    private mutating func noteSelection(_ candidates: [StoredEntry], after first: PolicyDecision) {
        for entry in candidates where entry.key != machine.key {
            note("Another query", "No-Vary-Search", "\(entry.key.uri) has a query that makes no difference")
        }
        // Which of them fit was decided before the rules knew one.
        let passesOver = first.ignoring.contains(.vary)
        let matching = candidates.filter { passesOver || $0.response.nominatedFields.match(machine.fields) }
        let names = Set(candidates.flatMap { $0.response.nominatedFields.values.keys }).sorted()
        var nominated = names.isEmpty ? "none nominates request fields" : "nominated: " + names.joined(separator: ", ")
        if passesOver, !names.isEmpty { nominated += "; rule '\(first.rule ?? "")' passes over Vary" }
        note("Vary", "RFC 9111 §4.1", "\(matching.count) of \(candidates.count) fit the request (\(nominated))")
        let readable = matching.filter { machine.answersOrigin($0.response) }
        if readable.isEmpty, let other = matching.first {
            let allowed = other.response.fields[.accessControlAllowOrigin].map { "'\($0)'" } ?? "none"
            note(
                "Origin", "Fetch §3.3.5",
                "the stored response allows \(allowed), and the request is of '\(machine.fields[.origin] ?? "")'")
            changes.append("With Vary: Origin the server would have each origin's response stored beside the others.")
            return
        }
        guard let entry = ExchangeMachine.preferred(readable) else {
            changes.append(
                "The request's \(names.joined(separator: ", ")) would have to be as when something was stored.")
            return
        }
        if readable.count > 1 {
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
        notePolicy(after: first)
        noteFreshness(entry)
    }

    private mutating func noteContent(_ entry: StoredEntry) {
        let size = entry.bodyLength.description
        let extent = entry.response.extent
        guard case .partial(_, let length) = extent, let parts = extent.parts else {
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
        let ruled = RuledTerms(response, machine, at: now)
        let (terms, basis) = (ruled.terms, ruled.basis)
        self.basis = basis
        note("Freshness lifetime", terms.lifetime.source.section, ruled.lifetime(of: response))
        let resident = ReadableDuration.text(now - response.responseTime)
        note(
            "Current age", "RFC 9111 §4.2.3",
            "\(ReadableDuration.text(basis.currentAge)): \(ReadableDuration.text(terms.initialAge)) on arrival, "
                + "\(resident) here")
        note(
            "Freshness", "RFC 9111 §4.2",
            basis.remaining > .zero
                ? "fresh " + ReadableDuration.lasting(basis.remaining, "for another")
                : "stale for \(ReadableDuration.text(basis.currentAge - terms.lifetime.duration))")
        steps += ruled.findings(request: machine.terms)
        if machine.policy.validation == .head, !machine.mayProbeByHead {
            note(
                "HEAD first", "", "not now: at this host \(HeadProbeHistory.timeout) in a row saved no GET")
        }
        changes += ruled.changes(hasValidator: !ConditionalRequest.validators(of: response).isEmpty)
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
            if machine.headProbe == .underWay {
                return (
                    .validated,
                    "validated: the origin is asked by HEAD\(fields); a 304, or a 200 with the same validators, lets the "
                        + "stored response be used, anything else is followed by a GET\(standIn)",
                    sent
                )
            }
            if machine.selected != nil, !machine.asked.isEmpty {
                return (
                    .validated,
                    "validated: the origin is asked\(fields); a 304 lets the stored response be used\(standIn)", sent
                )
            }
            return (
                .forwarded,
                "forwarded to the origin\(fields) (\(machine.status.forward?.rawValue ?? "miss"))\(standIn)", sent
            )
        case .fail(let error): return (.failed, error.message, [])
        case .lookUp, .freshen, .relay: return (.forwarded, "forwarded to the origin", [])
        }
    }

    /// When the stored response answers although the origin is asked.
    private var standIn: String {
        guard machine.selected != nil, machine.mode != .revalidate, case .networkFirst = machine.policy.verdict else {
            return ""
        }
        guard let timeout = machine.timeout else { return "; the stored response answers when the origin fails" }
        return "; the stored response answers when the origin fails, or sends nothing within "
            + ReadableDuration.text(timeout)
    }

    private static let conditions: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifRange, .range, .ifMatch, .ifUnmodifiedSince,
    ]

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "one \(noun)" : "\(number) \(noun)s"
    }
}
