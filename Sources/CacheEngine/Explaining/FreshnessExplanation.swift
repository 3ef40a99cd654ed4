import CacheRules
import HTTPCacheSemantics

/// A stored response's freshness in words: which field, rule or mode decided what.
struct FreshnessExplanation {
    let judged: JudgedFreshness

    init(_ judged: JudgedFreshness) { self.judged = judged }

    var effective: FreshnessInfo { judged.effective }
    var basis: ReuseDecision.Basis { judged.basis }
    var policy: PolicyDecision { judged.policy }
    var rule: String { policy.rule.map { "rule '\($0)'" } ?? "the policy" }
    private var stated: FreshnessInfo { judged.stated }

    /// How long the rule still lets the response answer without a validation; `nil` without an expiry.
    var untilExpiry: Duration? { policy.expiry.map { $0 - effective.currentAge(at: judged.time) } }
    var isExpired: Bool { judged.isExpired }

    /// Where the lifetime comes from, in a few words.
    var lifetime: String {
        let (lifetime, response) = (effective.lifetime, judged.response)
        let text = ReadableDuration.isForEver(lifetime.duration) ? "for ever" : ReadableDuration.text(lifetime.duration)
        switch lifetime.source {
        case .sMaxage: return "\(text), from s-maxage"
        case .maxAge: return "\(text), from max-age"
        case .expires: return "\(text), from Expires minus Date"
        case .rule: return "\(text), from \(rule)"
        case .invalid: return "none: what the response says about it can't be read, so it counts as stale"
        case .heuristic:
            guard response.fields.contains(.lastModified), lifetime.duration > .zero else {
                let reason =
                    response.fields.contains(.lastModified)
                    ? "its Last-Modified can't be read, or is no earlier than the response"
                    : "has no Last-Modified to guess from"
                return "none: the response states none, and \(reason)"
            }
            return "\(text), a tenth of the time since Last-Modified, at most 7 d"
        }
    }

    /// The considerations besides age, in the order in which they decide.
    func findings(request: RequestDirectives) -> [Explanation.Step] {
        var steps = ofRule + ofResponse + Self.findings(of: request)
        if judged.time + ReuseDecision.clockTolerance < effective.responseTime {
            steps.note("Clock", "RFC 9111 §4.2.3", "it is behind the response's arrival, so the age is unknown")
        }
        return steps
    }

    private var ofRule: [Explanation.Step] {
        var steps: [Explanation.Step] = []
        if let expiry = policy.expiry, let left = untilExpiry {
            let rest =
                isExpired
                ? "that ended \(ReadableDuration.text(.zero - left)) ago, so it must be validated"
                : "\(ReadableDuration.text(left)) of it is left"
            steps.note(
                "Expiry", "",
                "\(rule) lets it answer unvalidated up to an age of \(ReadableDuration.text(expiry)); \(rest)")
        }
        switch policy.verdict {
        case .revalidate: steps.note("revalidate", "", "\(rule) requires validation before every use\(ignoredByMode)")
        case .networkFirst(let timeout):
            let wait = timeout.map { ", or sends nothing within \(ReadableDuration.text($0))" } ?? ""
            let rest = wantsConfirmation ? notInMode : "; the store answers when the origin fails\(wait)"
            steps.note(
                "network-first", "", "\(rule) asks the origin first\(ignoredByMode.isEmpty ? rest : ignoredByMode)")
        case .cacheFirst:
            steps.note("cache-first", "", "\(rule) lets it answer, stale or not\(wantsConfirmation ? notInMode : "")")
        case .onlyIfStored: steps.note("only-if-stored", "", "\(rule) lets it answer, stale or not")
        default: break
        }
        return steps
    }

    private var ofResponse: [Explanation.Step] {
        var steps: [Explanation.Step] = []
        let ignored = ignored(byRule: !judged.verdictValidates)
        if judged.response.needsValidation {
            let reason =
                judged.response.status.code >= 400
                ? "an error may pass at any time, so the origin is asked each time"
                : "a later answer of the origin shows that it may be outdated"
            steps.note("Outdated", "RFC 9111 §4.3", reason + ignored)
        } else if stated.mustValidate {
            steps.note("no-cache", "RFC 9111 §5.2.2.4", "must be validated before every use\(ignored)")
        }
        if stated.forbidsStale {
            let ignored = self.ignored(byRule: !effective.forbidsStale)
            steps.note(
                "Never stale", "RFC 9111 §4.2.4",
                "the response forbids being served stale, also when the origin is gone"
                    + (ignored.isEmpty ? "; without a network a rule may serve it all the same" : ignored))
        } else if effective.forbidsStale {
            steps.note("Never stale", "", "\(rule) forbids serving it stale, also when the origin is gone")
        }
        if effective.isImmutable {
            let finding = "does not change while it is fresh; a reload need not ask"
            steps.note(
                "immutable", stated.isImmutable ? "RFC 8246 §2" : "",
                stated.isImmutable ? finding : "\(rule): \(finding)")
        }
        if let window = effective.staleWhileRevalidate {
            let isStated = window == stated.staleWhileRevalidate
            steps.note(
                "stale-while-revalidate", isStated ? "RFC 5861 §3" : "",
                "usable \(ReadableDuration.lasting(window)) after it became stale, while it is validated"
                    + (isStated ? "" : ", by \(rule)") + (wantsConfirmation ? notInMode : ""))
        }
        if let window = effective.staleIfError, !isNetworkFirst {
            let isStated = window == stated.staleIfError
            steps.note(
                "stale-if-error", isStated ? "RFC 5861 §4" : "",
                "stands in for errors \(ReadableDuration.lasting(window)) after it became stale"
                    + (isStated ? "" : ", by \(rule)") + (wantsConfirmation ? notInMode : ""))
        }
        return steps
    }

    /// Whether the client accepts a stored response only once the origin has confirmed it.
    var wantsConfirmation: Bool { judged.ground == .confirmation }

    private var notInMode: String { ", but not in this cache mode" }

    /// Says that the client's cache mode ignores what the rule or the response demands, if it does.
    private var ignoredByMode: String {
        judged.requestMode.acceptsAnyAge && judged.ground == .anyAge ? ", which the cache mode ignores" : ""
    }

    private func ignored(byRule ignores: Bool) -> String {
        let acceptsAll = policy.verdict == .onlyIfStored || policy.verdict == .cacheFirst && !wantsConfirmation
        return ignores || acceptsAll ? ", which \(rule) ignores" : ignoredByMode
    }

    var isNetworkFirst: Bool { if case .networkFirst = policy.verdict { true } else { false } }

    private static func findings(of request: RequestDirectives) -> [Explanation.Step] {
        var steps: [Explanation.Step] = []
        if request.noCache { steps.note("Request no-cache", "RFC 9111 §5.2.1.4", "the request wants validation") }
        if let limit = request.maxAge {
            steps.note(
                "Request max-age", "RFC 9111 §5.2.1.1", "the request accepts an age of \(ReadableDuration.text(limit))")
        }
        if let needed = request.minFresh {
            steps.note(
                "Request min-fresh", "RFC 9111 §5.2.1.3", "\(ReadableDuration.text(needed)) of freshness must be left")
        }
        switch request.maxStale {
        case .none: break
        case .any: steps.note("Request max-stale", "RFC 9111 §5.2.1.2", "the request accepts any staleness")
        case .upTo(let limit):
            steps.note(
                "Request max-stale", "RFC 9111 §5.2.1.2",
                "the request accepts \(ReadableDuration.text(limit)) of staleness")
        }
        if request.onlyIfCached {
            steps.note("Request only-if-cached", "RFC 9111 §5.2.1.7", "the request accepts a stored response only")
        }
        return steps
    }
}

extension [Explanation.Step] {
    mutating func note(_ title: String, _ section: String, _ finding: String) {
        append(.init(title: title, section: section, finding: finding))
    }
}

extension FreshnessLifetime.Source {
    /// The section that defines the source.
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

/// A duration for people: its two largest units, such as `3 d 4 h` or `12 min 5 s`.
package enum ReadableDuration {
    private static let units: [(name: String, seconds: Int64)] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]

    /// Fifty years: a longer duration stands for no end.
    private static let ever = Duration.seconds(50 * 365 * 86_400)

    /// Whether it is longer than 50 years in either direction, and so stands for no end.
    package static func isForEver(_ duration: Duration) -> Bool { duration > ever || duration < .zero - ever }

    /// How long something lasts: `for 10 min`, or `for ever` beyond 50 years.
    package static func lasting(_ duration: Duration, _ preposition: String = "for") -> String {
        duration > ever ? "for ever" : preposition + " " + text(duration)
    }

    /// An age or a length of time; `more than 50 years` beyond that.
    package static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let total = seconds.magnitude
        guard total > 0 else { return attoseconds == 0 ? "0 s" : "less than a second" }
        if isForEver(duration) { return (seconds < 0 ? "-" : "") + "more than 50 years" }
        var rest = Int64(total)
        var parts: [String] = []
        for unit in units where parts.count < 2 {
            let count = rest / unit.seconds
            if count > 0 { parts.append("\(count) \(unit.name)") } else if !parts.isEmpty { break }
            rest -= count * unit.seconds
        }
        return (seconds < 0 ? "-" : "") + parts.joined(separator: " ")
    }
}
