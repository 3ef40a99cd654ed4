import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Puts in words what the machine decided and noted in its trace. It decides nothing itself.
struct Explainer {
    private let machine: ExchangeMachine
    private var steps: [Explanation.Step] = []
    private var changes: [String] = []
    private var candidates: [StoredEntry] = []
    private var basis: ReuseDecision.Basis?
    private var selected: StoredEntry?
    private let takesCookie: Bool

    /// - Parameters:
    ///   - machine: The machine after its decision, with its trace.
    ///   - taken: The names of the fields that the request lacked and that were taken from a stored response.
    init(_ machine: ExchangeMachine, taken: [String]) {
        self.machine = machine
        takesCookie = taken.contains("cookie")
        noteBeginning()
        for decision in machine.trace ?? [] { note(decision, taken: taken) }
    }

    private mutating func note(_ title: String, _ section: String, _ finding: String) {
        steps.note(title, section, finding)
    }

    private mutating func noteBeginning() {
        if machine.context.connectivity != .connected {
            note("Network", "", machine.context.connectivity.description)
        }
        if let verdict = Self.verdict(machine.prepared.decision) {
            note("Policy", "", verdict)
        } else if machine.rules.looksAtResponse {
            note("Policy", "", "no rule has a verdict before a response is known")
        } else {
            note("Policy", "", Self.protocolDecides)
        }
        if machine.prepared.policy.distrustsHashedNames, HashedName(path: machine.request.path ?? "") != nil {
            note(
                "Hashed name", "",
                "this host has changed the bytes behind a name with a hash; for a day none of its names counts as one")
        }
        if machine.context.mode != .protocolDefault {
            note(
                "Cache mode", "Fetch §2.2.5",
                "'\(machine.context.mode.rawValue)': \(Self.meaning(machine.context.mode))")
        }
    }

    private mutating func note(_ decision: TracedDecision, taken: [String]) {
        switch decision {
        case .passes(let cause): notePassing(cause)
        case .looksUp:
            note("Request", "RFC 9111 §4", "\(machine.request.method.rawValue) may be answered from the store")
            noteKey(taken)
        case .found(let entries):
            candidates = entries
            note("Stored responses", "RFC 9111 §4", entries.isEmpty ? "none" : Self.count(entries.count, "response"))
            for entry in entries where entry.key != machine.key {
                note("Another query", "No-Vary-Search", "\(entry.key.uri) has a query that makes no difference")
            }
        case .variants(let fitting, let readable, let preferred, let ignoresVary):
            noteVariants(fitting, readable, preferred, ignoresVary)
        case .refusesCoding(let entry):
            note(
                "Content coding", "RFC 9110 §12.5.3",
                "stored as \(entry.response.fields[.contentEncoding] ?? "?"), which the request does not accept")
            changes.append("A request that accepts the stored content coding could be answered from the store.")
        case .keptForRelease:
            note(
                "Release", "",
                "a newer response is stored; without its origin a page gets the files that it was last shown with, "
                    + "or all of the release in force")
        case .selected(let entry):
            selected = entry
            noteContent(entry)
        case .policy(let policy, let rejection): notePolicy(policy, rejection)
        case .judged(let judged): note(judged)
        case .skipsHeadProbe:
            note("HEAD first", "", "not now: at this host the last \(HeadProbeHistory.mostWasted) saved no GET")
        }
    }

    /// In words; `nil` where no rule has a verdict.
    private static func verdict(_ policy: PolicyDecision) -> String? {
        policy.rule.map { "rule '\($0)' gives the verdict \(policy.verdict)" }
    }

    private static func meaning(_ mode: CacheMode) -> String {
        switch mode {
        case .protocolDefault: "the protocol decides"
        case .noStore: "the store is neither asked nor filled"
        case .reload: "the origin is asked past every cache, and its response is stored"
        case .reloadIgnoringLocal: "the origin is asked past this cache, and its response is stored"
        case .revalidate: "a stored response is used only once the origin has confirmed it"
        case .preferStored: "a stored response is used whatever its age"
        case .onlyIfStored: "a stored response is used whatever its age, and the origin is not asked"
        }
    }

    private static let protocolDecides = "no rule has a verdict, so the protocol decides"

    private mutating func notePassing(_ cause: PassCause) {
        let method = machine.request.method.rawValue
        let rule = machine.policy.rule ?? ""
        switch cause {
        case .storedResponse: note("Use", "", "under that verdict no stored response answers")
        case .method: note("Request", "RFC 9111 §4", "\(method) is written through to the origin")
        case .rule: note("Request", "", "\(method) is not answered from the store: rule '\(rule)' keeps it out")
        case .preconditions:
            note(
                "Request", "RFC 9111 §4.3.2",
                "\(method) with If-Match or If-Unmodified-Since, which the origin judges")
        case .mode: note("Request", "Fetch §2.2.5", "\(method) is not answered from the store in this cache mode")
        case .reload:
            note("Request", "", "\(method) is not answered from the store: rule '\(rule)' wants the origin's answer")
        case .content: note("Request", "RFC 9111 §4", "\(method) with content is not answered from the store")
        }
    }

    private mutating func noteKey(_ taken: [String]) {
        guard let key = machine.key else { return }
        let partition = key.partition.isEmpty ? "" : ", in the partition of one account"
        let site = key.site.isEmpty ? "" : ", for pages of \(key.site)"
        note("Cache key", "RFC 9111 §2", key.uri + partition + site)
        guard !taken.isEmpty else { return }
        note(
            "Request fields", "RFC 9111 §4.1",
            "\(taken.joined(separator: ", ")) not given here; a response that is stored for any value fits")
    }

    /// The rules' second answer, to the stored response.
    private mutating func notePolicy(_ policy: PolicyDecision, _ rejection: ExchangeMachine.RuleRejection?) {
        switch rejection {
        case .error?:
            if let rule = policy.rule {
                return note("Policy, again", "", "rule '\(rule)' does not apply to an error; the protocol decides")
            }
        case .notAsNamed(let breach, let rule)?:
            note(
                "Hashed name", "",
                "rule '\(rule ?? "")' trusts hashed names, but the response is not what its name promises: "
                    + "it has \(breach)")
            return note("Policy, again", "", Self.verdict(policy) ?? Self.protocolDecides)
        case nil: break
        }
        if policy == machine.prepared.decision, policy.rule != nil { return }
        note("Policy, again", "", Self.verdict(policy) ?? Self.protocolDecides)
    }

    private mutating func noteVariants(
        _ fitting: [StoredEntry], _ readable: [StoredEntry], _ preferred: StoredEntry?, _ ignoresVary: Bool
    ) {
        let aside = candidates.count { StoredNotes.isSetAside($0.response) }
        if aside > 0 {
            let hint = machine.fields[.referer] == nil ? "; with Referer, the answer is what that page gets" : ""
            note(
                "Set aside", "",
                "\(Self.count(aside, "older response")) for pages that were last shown with them, or of a release, "
                    + "where there is no network" + hint)
        }
        let names = Set(candidates.flatMap { $0.response.nominatedFields.values.keys })
            .filter(VerifiedContent.isNominated).sorted()
        var nominated = names.isEmpty ? "none nominates request fields" : "nominated: " + names.joined(separator: ", ")
        if ignoresVary, !names.isEmpty {
            nominated += "; rule '\(machine.prepared.decision.rule ?? "")' ignores Vary"
        }
        note("Vary", "RFC 9111 §4.1", "\(fitting.count) of \(candidates.count - aside) fit the request (\(nominated))")
        if readable.isEmpty, let other = fitting.first {
            let allowed = other.response.fields[.accessControlAllowOrigin].map { "'\($0)'" } ?? "none"
            note(
                "Origin", "Fetch §3.3.5",
                "the stored response allows \(allowed), but the request's origin is '\(machine.fields[.origin] ?? "")'")
            changes.append("With Vary: Origin, each origin's response would be stored beside the others.")
        } else if let preferred {
            guard readable.count > 1 else { return }
            let omitted = readable.contains { $0.response.nominatedFields.values.isEmpty }
            let isVarying = !preferred.response.nominatedFields.values.isEmpty
            note(
                "Most recent", "RFC 9111 §4.1",
                "of those\(omitted && isVarying ? " with Vary" : ""), the one dated "
                    + HTTPDate.print(preferred.response.date))
        } else if let name = machine.passesOver?.name {
            let differing = name == ScriptCookies.name ? "cookies that no server has set" : "fields of the web view"
            note("Vary", "", "without a network, \(differing) keep no stored response away (\(name))")
        } else {
            note("Vary", "RFC 9111 §4.1", machine.varyMiss ?? "none fits")
            changes.append(
                "The request's \(names.joined(separator: ", ")) would have to match those of a stored response.")
        }
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

    private mutating func note(_ judged: JudgedFreshness) {
        let words = FreshnessExplanation(judged)
        let (effective, basis) = (judged.effective, judged.basis)
        self.basis = basis
        note("Freshness lifetime", effective.lifetime.source.section, words.lifetime)
        let resident = ReadableDuration.text(judged.time - judged.response.responseTime)
        note(
            "Current age", "RFC 9111 §4.2.3",
            "\(ReadableDuration.text(basis.currentAge)): \(ReadableDuration.text(effective.initialAge)) on arrival, "
                + "\(resident) here")
        note(
            "Freshness", "RFC 9111 §4.2",
            basis.remaining > .zero
                ? "fresh " + ReadableDuration.lasting(basis.remaining, "for another")
                : "stale for \(ReadableDuration.text(basis.currentAge - effective.lifetime.duration))")
        steps += words.findings(request: machine.directives)
        changes += words.changes(hasValidator: !ConditionalRequest.validators(of: judged.response).isEmpty)
    }

    /// The whole explanation, once the machine has decided.
    ///
    /// - Parameter past: Why nothing is stored, and how long ago that happened; `nil` where nobody knows.
    func explanation(
        of action: ExchangeMachine.Action, past: (event: PastEvent, ago: Duration)? = nil
    ) -> Explanation {
        let (answer, decision, conditions) = Self.answer(action, of: machine)
        var summary = decision
        if takesCookie, answer != .forwarded, answer != .failed {
            summary += "; with another cookie than the one that it was stored for, it would not fit"
        }
        var (all, changes) = (steps, changes)
        if candidates.isEmpty, machine.candidates.time != nil {
            if let past {
                all.note("Last time", "", "\(ReadableDuration.text(past.ago)) ago: \(past.event.words)")
            } else if answer == .forwarded, machine.context.mode == .protocolDefault {
                changes.append("Whether it is stored is known once its server answers: larder store refresh URL.")
            }
        }
        all.note("Answer", "", summary)
        return Explanation(
            method: machine.request.method.rawValue, uri: machine.key?.uri ?? "", answer: answer, summary: summary,
            steps: all, conditions: conditions, changes: changes, warnings: warnings,
            cacheStatus: machine.status.description,
            currentAge: basis?.currentAge.components.seconds,
            freshnessLifetime: basis?.lifetime.duration.components.seconds,
            lifetimeSource: basis?.lifetime.source.rawValue)
    }

    /// The mistakes of the server in the selected response.
    private var warnings: [String] {
        guard let response = selected?.response else { return [] }
        return ReceivedResponse(
            target: machine.request.path ?? "/", destination: machine.context.destination,
            status: response.status.code, fields: response.fields, requestFields: machine.fields,
            time: response.responseTime
        ).mistakes.filter { $0.name != "hashed" || !machine.prepared.policy.distrustsHashedNames }.map(\.words)
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "one \(noun)" : "\(number) \(noun)s"
    }
}

/// The machine's last decision in one sentence.
extension Explainer {
    static func answer(
        _ action: ExchangeMachine.Action, of machine: ExchangeMachine
    ) -> (Explanation.Answer, summary: String, conditions: [String]) {
        switch action {
        case .serve(_, .fresh): return (.stored, "answered from the store; the origin is not asked", [])
        case .serve(_, .staleWhileRevalidating):
            return (.staleWhileRevalidating, "answered from the store at once, and validated in the background", [])
        case .serve where (machine.status.timeToLive ?? -1) >= 0:
            return (.stale, "answered from the store, as the origin does not answer", [])
        case .serve: return (.stale, "answered from the store, though stale", [])
        case .forward(let head, _): return question(head, of: machine)
        case .fail(let error): return (.failed, error.message, [])
        case .lookUp, .freshen, .relay: return (.forwarded, "forwarded to the origin", [])
        }
    }

    private static func question(
        _ head: HTTPRequest, of machine: ExchangeMachine
    ) -> (Explanation.Answer, summary: String, conditions: [String]) {
        let sent = conditions.compactMap { name in head.headerFields[name].map { "\(name.rawName): \($0)" } }
        let fields = sent.isEmpty ? "" : " with " + sent.joined(separator: " and ")
        let fallback = fallback(of: machine)
        switch machine.question {
        case .rest?: return (.completed, "the origin is asked for the rest\(fields)", sent)
        case .headProbe?:
            return (
                .validated,
                "validated: the origin is asked by HEAD\(fields); a 304, or a 200 with the same validators, lets the "
                    + "stored response be used, anything else is followed by a GET\(fallback)", sent
            )
        case .validation(_, .some)?:
            return (
                .validated,
                "validated: the origin is asked\(fields); a 304 lets the stored response be used\(fallback)", sent
            )
        case .validation(_, nil)?, .whole?, nil:
            let reason = machine.forwardReason?.rawValue ?? "miss"
            return (.forwarded, "forwarded to the origin\(fields) (\(reason))\(fallback)", sent)
        }
    }

    /// When the stored response answers although the origin is asked.
    private static func fallback(of machine: ExchangeMachine) -> String {
        guard machine.hasFallback, case .networkFirst = machine.policy.verdict else { return "" }
        guard let timeout = machine.timeout else { return "; the stored response answers when the origin fails" }
        return "; the stored response answers when the origin fails, or sends nothing within "
            + ReadableDuration.text(timeout)
    }

    private static let conditions: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifRange, .range, .ifMatch, .ifUnmodifiedSince,
    ]
}
