import HTTPCacheSemantics
import HTTPTypes

extension ReuseTerms {
    /// What besides age decides about this response, in the order in which it does.
    func findings(request: RequestTerms, at now: WallInstant) -> [Explanation.Step] {
        var steps: [Explanation.Step] = []
        func note(_ title: String, _ section: String, _ finding: String) {
            steps.append(.init(title: title, section: section, finding: finding))
        }
        if mustValidate {
            note("no-cache", "RFC 9111 §5.2.2.4", "must be validated before every use")
        }
        if forbidsStale {
            note(
                "Never stale", "RFC 9111 §4.2.4",
                "the response forbids being served stale, also when the origin is gone")
        }
        if isImmutable { note("immutable", "RFC 8246 §2", "does not change while it is fresh; a reload need not ask") }
        if let window = staleWhileRevalidate {
            note(
                "stale-while-revalidate", "RFC 5861 §3",
                "usable for \(ReadableDuration.text(window)) after it became stale, while it is validated")
        }
        if let window = staleIfError {
            note(
                "stale-if-error", "RFC 5861 §4",
                "stands in for errors for \(ReadableDuration.text(window)) after it became stale")
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
        if now + ReuseDecision.clockTolerance < responseTime {
            note("Clock", "RFC 9111 §4.2.3", "it stands before the response's arrival, so the age can't be told")
        }
        return steps
    }

    /// What would lead to another answer.
    func changes(_ basis: ReuseDecision.Basis, hasValidator: Bool) -> [String] {
        var changes: [String] = []
        let age = ReadableDuration.text(basis.currentAge)
        switch basis.decision {
        case .reuse:
            let rest = ReadableDuration.text(basis.remaining)
            changes.append(
                hasValidator
                    ? "In \(rest) it is stale and will be validated."
                    : "In \(rest) it is stale and will be fetched again.")
        case .reuseStale: changes.append("Without max-stale in the request it would be validated.")
        case .reuseWhileRevalidating: changes.append("After the window it will be validated before it is used.")
        case .validate(.stale):
            changes.append("A max-age above \(age) would let the store answer.")
            if staleWhileRevalidate == nil, !forbidsStale {
                changes.append("stale-while-revalidate would let the store answer at once, and validate afterwards.")
            }
        case .validate(.noCacheInResponse):
            changes.append("Without no-cache in the response, and with a max-age above \(age), the store could answer.")
        case .validate(.noCacheInRequest), .validate(.olderThanMaxAgeInRequest), .validate(.notFreshEnough):
            changes.append("Without that wish of the request the store could answer by the response's own terms.")
        case .validate(.clockSetBack): changes.append("A clock that runs on from when the response was stored.")
        }
        if !hasValidator, basis.decision != .reuse {
            changes.append("With an ETag or Last-Modified, asking would cost a 304 instead of the whole response.")
        }
        return changes
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

extension FreshnessLifetime {
    /// Where the lifetime comes from, in a few words.
    func explanation(of response: StoredResponse) -> String {
        let text = ReadableDuration.text(duration)
        switch source {
        case .sMaxage: return "\(text), from s-maxage"
        case .maxAge: return "\(text), from max-age"
        case .expires: return "\(text), from Expires minus Date"
        case .rule: return "\(text), from the rule"
        case .invalid: return "none: what the response says about it can't be read, so it counts as stale"
        case .heuristic:
            guard response.fields.contains(.lastModified), duration > .zero else {
                return "none: the response states none, and has no Last-Modified to guess from"
            }
            return "\(text), a tenth of the time since Last-Modified, at most 7 d"
        }
    }
}
