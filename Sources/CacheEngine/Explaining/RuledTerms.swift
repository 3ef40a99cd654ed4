import CacheRules
import HTTPCacheSemantics

/// The terms of a stored response, and what a policy made of them: who is to be named for each finding.
struct RuledTerms {
    /// What decides.
    let terms: FreshnessInfo
    let basis: ReuseDecision.Basis
    /// What the response says by itself.
    private let stated: FreshnessInfo
    /// By the policy's decision, but with no regard to its expiry.
    private let lasting: FreshnessInfo
    /// Whether the origin has shown another state, as an answer to HEAD can.
    private let isOutdated: Bool
    /// What the client asked for; a verdict can make another one of it.
    private let clientsMode: CacheMode
    /// Whether the store answers whatever the age, by the client's wish or by a verdict.
    private let acceptsAnyAge: Bool
    private let policy: PolicyDecision
    private let now: WallInstant

    init(_ response: StoredResponse, _ machine: ExchangeMachine, at now: WallInstant) {
        self.now = now
        policy = machine.policy
        clientsMode = machine.context.mode
        acceptsAnyAge = machine.mode.acceptsAnyAge
        isOutdated = response.needsValidation
        stated = FreshnessInfo(of: response, in: machine.kind)
        terms = machine.ruled(stated, at: now)
        var endless = machine
        endless.policy = PolicyDecision(verdict: policy.verdict, rule: policy.rule, ignoring: policy.ignoring)
        lasting = endless.ruled(stated, at: now)
        basis = ReuseDecision.decide(terms, request: machine.terms, at: now)
    }

    /// In words; `nil` where no rule has a verdict.
    static func verdict(_ policy: PolicyDecision) -> String? {
        policy.rule.map { "rule '\($0)' gives the verdict \(policy.verdict)" }
    }

    private var rule: String { policy.rule.map { "rule '\($0)'" } ?? "the policy" }

    /// How long the rule still lets the response answer without a validation; `nil` without an expiry.
    private var untilExpiry: Duration? { policy.expiry.map { $0 - terms.currentAge(at: now) } }

    private var isExpired: Bool { untilExpiry.map { $0 < .zero } ?? false }

    /// Where the lifetime comes from, in a few words.
    func lifetime(of response: StoredResponse) -> String {
        let lifetime = terms.lifetime
        let text = ReadableDuration.isForEver(lifetime.duration) ? "for ever" : ReadableDuration.text(lifetime.duration)
        switch lifetime.source {
        case .sMaxage: return "\(text), from s-maxage"
        case .maxAge: return "\(text), from max-age"
        case .expires: return "\(text), from Expires minus Date"
        case .rule: return "\(text), from \(rule)"
        case .invalid: return "none: what the response says about it can't be read, so it counts as stale"
        case .heuristic:
            guard response.fields.contains(.lastModified), lifetime.duration > .zero else {
                return "none: the response states none, and has no Last-Modified to guess from"
            }
            return "\(text), a tenth of the time since Last-Modified, at most 7 d"
        }
    }

    /// What besides age decides about this response, in the order in which it does.
    func findings(request: RequestDirectives) -> [Explanation.Step] {
        let clock = Explanation.Step(
            title: "Clock", section: "RFC 9111 §4.2.3",
            finding: "it stands before the response's arrival, so the age can't be told")
        let isSetBack = now + ReuseDecision.clockTolerance < terms.responseTime
        return ofRule + ofResponse + Self.findings(of: request) + (isSetBack ? [clock] : [])
    }

    private var ofRule: [Explanation.Step] {
        var steps: [Explanation.Step] = []
        func note(_ title: String, _ finding: String) {
            steps.append(.init(title: title, section: "", finding: finding))
        }
        if let expiry = policy.expiry, let left = untilExpiry {
            let rest =
                isExpired
                ? "that ended \(ReadableDuration.text(.zero - left)) ago, so it must be validated"
                : "\(ReadableDuration.text(left)) of it is left"
            note(
                "Expiry", "\(rule) lets it answer unvalidated up to an age of \(ReadableDuration.text(expiry)); \(rest)"
            )
        }
        switch policy.verdict {
        case .revalidate: note("revalidate", "\(rule) has it validated before every use\(passedOverByMode)")
        case .networkFirst(let timeout):
            let wait = timeout.map { ", or sends nothing within \(ReadableDuration.text($0))" } ?? ""
            let rest = wantsConfirmation ? notInMode : "; the store answers when the origin fails\(wait)"
            note(
                "network-first",
                "\(rule) has the origin asked first\(passedOverByMode.isEmpty ? rest : passedOverByMode)")
        case .cacheFirst:
            note("cache-first", "\(rule) lets it answer, stale or not\(wantsConfirmation ? notInMode : "")")
        case .onlyIfStored: note("only-if-stored", "\(rule) lets it answer, stale or not")
        default: break
        }
        return steps
    }

    private var ofResponse: [Explanation.Step] {
        var steps: [Explanation.Step] = []
        func note(_ title: String, _ section: String, _ finding: String) {
            steps.append(.init(title: title, section: section, finding: finding))
        }
        let passedOver = passedOver(byRule: !lasting.mustValidate)
        if isOutdated {
            note("Another state", "RFC 9111 §4.3.5", "the origin has shown another state by HEAD\(passedOver)")
        } else if stated.mustValidate {
            note("no-cache", "RFC 9111 §5.2.2.4", "must be validated before every use\(passedOver)")
        }
        if stated.forbidsStale {
            let passedOver = self.passedOver(byRule: !terms.forbidsStale)
            note(
                "Never stale", "RFC 9111 §4.2.4",
                "the response forbids being served stale, also when the origin is gone\(passedOver)")
        } else if terms.forbidsStale {
            note("Never stale", "", "\(rule) forbids that it is served stale, also when the origin is gone")
        }
        if terms.isImmutable {
            let finding = "does not change while it is fresh; a reload need not ask"
            note(
                "immutable", stated.isImmutable ? "RFC 8246 §2" : "",
                stated.isImmutable ? finding : "\(rule): \(finding)")
        }
        if let window = terms.staleWhileRevalidate {
            let isStated = window == stated.staleWhileRevalidate
            note(
                "stale-while-revalidate", isStated ? "RFC 5861 §3" : "",
                "usable \(ReadableDuration.lasting(window)) after it became stale, while it is validated"
                    + (isStated ? "" : ", by \(rule)") + (wantsConfirmation ? notInMode : ""))
        }
        if let window = terms.staleIfError, !isNetworkFirst {
            let isStated = window == stated.staleIfError
            note(
                "stale-if-error", isStated ? "RFC 5861 §4" : "",
                "stands in for errors \(ReadableDuration.lasting(window)) after it became stale"
                    + (isStated ? "" : ", by \(rule)") + (wantsConfirmation ? notInMode : ""))
        }
        return steps
    }

    /// Whether the client accepts what is stored only once the origin has confirmed it.
    private var wantsConfirmation: Bool { clientsMode == .revalidate && policy.verdict != .onlyIfStored }

    private var notInMode: String { ", but not in this cache mode" }

    /// What the client's mode does to wishes of the rule or of the response.
    private var passedOverByMode: String {
        clientsMode.acceptsAnyAge && !isExpired ? ", which the cache mode passes over" : ""
    }

    private func passedOver(byRule passes: Bool) -> String {
        let acceptsAll = policy.verdict == .onlyIfStored || policy.verdict == .cacheFirst && !wantsConfirmation
        return passes || acceptsAll ? ", which \(rule) passes over" : passedOverByMode
    }

    private var isNetworkFirst: Bool { if case .networkFirst = policy.verdict { true } else { false } }

    private static func findings(of request: RequestDirectives) -> [Explanation.Step] {
        var steps: [Explanation.Step] = []
        func note(_ title: String, _ section: String, _ finding: String) {
            steps.append(.init(title: title, section: section, finding: finding))
        }
        if request.noCache { note("Request no-cache", "RFC 9111 §5.2.1.4", "the request wants validation") }
        if let limit = request.maxAge {
            note(
                "Request max-age", "RFC 9111 §5.2.1.1", "the request accepts an age of \(ReadableDuration.text(limit))")
        }
        if let needed = request.minFresh {
            note("Request min-fresh", "RFC 9111 §5.2.1.3", "\(ReadableDuration.text(needed)) of freshness must be left")
        }
        switch request.maxStale {
        case .none: break
        case .any: note("Request max-stale", "RFC 9111 §5.2.1.2", "the request accepts any staleness")
        case .upTo(let limit):
            note(
                "Request max-stale", "RFC 9111 §5.2.1.2",
                "the request accepts \(ReadableDuration.text(limit)) of staleness")
        }
        if request.onlyIfCached {
            note("Request only-if-cached", "RFC 9111 §5.2.1.7", "the request accepts a stored response only")
        }
        return steps
    }
}

// MARK: Another answer

extension RuledTerms {
    /// What would lead to another answer.
    func changes(hasValidator: Bool) -> [String] {
        if wantsConfirmation { return [withoutMode] }
        if let author = anyAgesAuthor { return [without(author)] + (expiryAhead(hasValidator).map { [$0] } ?? []) }
        var changes: [String] = []
        switch (basis.decision, policy.verdict) {
        case (.reuse, _): changes.append(whenReused(hasValidator: hasValidator))
        case (.reuseStale, _): changes.append("Without max-stale in the request it would be validated.")
        case (.reuseWhileRevalidating, _):
            let isEndless = terms.staleWhileRevalidate.map(ReadableDuration.isForEver) ?? false
            changes.append(
                isEndless
                    ? "Without the verdict \(policy.verdict) of \(rule) it would be validated before it is used."
                    : "After the window it will be validated before it is used.")
            if let left = untilExpiry, isEndless { changes = ["In \(ReadableDuration.text(left)) \(rule) ends this."] }
        case (.validate(.stale), _): changes += whenStale
        case (.validate(.noCacheInResponse), _): changes.append(whenValidationIsDue)
        case (.validate(.noCacheInRequest), _), (.validate(.olderThanMaxAgeInRequest), _),
            (.validate(.notFreshEnough), _):
            changes.append("Without that wish of the request the store could answer by the response's own terms.")
        case (.validate(.clockSetBack), _):
            changes.append("A clock that runs on from when the response was stored.")
        }
        if !hasValidator, basis.decision != .reuse {
            changes.append("With an ETag or Last-Modified, asking would cost a 304 instead of the whole response.")
        }
        return changes
    }

    /// The client's wish to have everything confirmed.
    private var withoutMode: String {
        let mode = "Without the cache mode \(clientsMode.rawValue)"
        let lacksConsent =
            if case .validate = basis.decision { policy.verdict != .cacheFirst || isExpired } else { false }
        return lacksConsent ? "\(mode) it would be validated as well." : "\(mode) the store would answer."
    }

    /// Whose wish it is that the store answers whatever the age; `nil` where nobody's is, or an expiry has ended it.
    private var anyAgesAuthor: String? {
        var authors: [String] = []
        if clientsMode.acceptsAnyAge { authors.append("the cache mode \(clientsMode.rawValue)") }
        if [.cacheFirst, .onlyIfStored].contains(policy.verdict) {
            authors.append("the verdict \(policy.verdict) of \(rule)")
        }
        guard policy.verdict == .onlyIfStored || acceptsAnyAge && !isExpired else { return nil }
        return authors.joined(separator: " and ")
    }

    private func without(_ author: String) -> String {
        let isConfirmed = clientsMode == .revalidate
        return switch basis.decision {
        case .reuse where !isConfirmed && !ReadableDuration.isForEver(basis.remaining):
            "Without \(author) it would answer as well, for another \(ReadableDuration.text(basis.remaining))."
        case .reuse where !isConfirmed, .reuseStale where !isConfirmed: "Without \(author) it would answer as well."
        case .reuseWhileRevalidating where !isConfirmed:
            "Without \(author) it would answer as well, and be validated in the background."
        case .reuse, .reuseStale, .reuseWhileRevalidating, .validate: "Without \(author) it would be validated."
        }
    }

    /// When the expiry will end the leave to answer whatever the age.
    private func expiryAhead(_ hasValidator: Bool) -> String? {
        guard policy.verdict != .onlyIfStored, let left = untilExpiry else { return nil }
        let then = hasValidator ? "will be validated" : "will be fetched again"
        return "In \(ReadableDuration.text(left)) it is older than \(rule) lets it become, and \(then)."
    }

    private func whenReused(hasValidator: Bool) -> String {
        let then = hasValidator ? "will be validated" : "will be fetched again"
        if let left = untilExpiry, left < basis.remaining, let ahead = expiryAhead(hasValidator) { return ahead }
        if ReadableDuration.isForEver(basis.remaining) {
            let author = terms.lifetime.source == .rule ? " by \(rule)" : ""
            return "It does not become stale\(author); a request with no-cache has the origin asked."
        }
        return "In \(ReadableDuration.text(basis.remaining)) it is stale and \(then)."
    }

    private var whenStale: [String] {
        let age = ReadableDuration.text(basis.currentAge)
        if case .fresh = policy.verdict {
            return ["A duration above \(age) in \(rule) would let the store answer."]
        }
        var changes = ["A max-age above \(age) would let the store answer."]
        if case .staleWhileRevalidate(let window?) = policy.verdict {
            changes.append(
                "A window above \(ReadableDuration.text(terms.staleness(at: now))) in \(rule), now "
                    + "\(ReadableDuration.text(window)), would let the store answer at once, and validate afterwards.")
        } else if terms.staleWhileRevalidate == nil, !terms.forbidsStale {
            changes.append("stale-while-revalidate would let the store answer at once, and validate afterwards.")
        }
        return changes
    }

    /// Whose wish it is that the origin confirms the response before every use.
    private var whenValidationIsDue: String {
        let age = ReadableDuration.text(basis.currentAge)
        let isFresh = basis.remaining > .zero
        if isExpired, !lasting.mustValidate || acceptsAnyAge {
            let more = isFresh || acceptsAnyAge ? "" : ", and a max-age above it,"
            return "An expiry above \(age) in \(rule)\(more) would let the store answer."
        }
        if policy.verdict == .revalidate || isNetworkFirst {
            return "Without the verdict \(policy.verdict) of \(rule) the response's own terms would decide"
                + (isExpired ? ", were it not older than the rule lets it become." : ".")
        }
        if isOutdated { return "Once the origin has confirmed it, or sent another, the store can answer." }
        return "Without no-cache in the response, and with a max-age above \(age), the store could answer."
    }
}

extension FreshnessLifetime.Source {
    /// The section that defines it.
    var section: String {
        switch self {
        case .sMaxage: "RFC 9111 §5.2.2.10"
        case .maxAge: "RFC 9111 §5.2.2.1"
        case .expires: "RFC 9111 §5.3"
        case .heuristic: "RFC 9111 §4.2.2"
        case .invalid: "RFC 9111 §4.2.1"
        case .rule: ""
        }
    }
}
