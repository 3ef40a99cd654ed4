import CacheRules
import HTTPCacheSemantics

/// Changes that would lead to another answer.
extension FreshnessExplanation {
    /// One sentence for each change that would lead to another answer.
    func changes(hasValidator: Bool) -> [String] {
        if wantsConfirmation { return [withoutMode] }
        if let grant = anyAgeGrant { return [without(grant)] + (expiryAhead(hasValidator).map { [$0] } ?? []) }
        if judged.response.status.code >= 400, case .validate = basis.decision {
            return ["The server answered with an error; once it has the file, the next request gets that."]
        }
        var changes: [String] = []
        switch basis.decision {
        case .reuse: changes.append(whenReused(hasValidator: hasValidator))
        case .reuseStale: changes.append("Without max-stale in the request it would be validated.")
        case .reuseWhileRevalidating:
            let isEndless = effective.staleWhileRevalidate.map(ReadableDuration.isForEver) ?? false
            changes.append(
                isEndless
                    ? "Without the verdict \(policy.verdict) of \(rule) it would be validated before it is used."
                    : "After the window it will be validated before it is used.")
            if let left = untilExpiry, isEndless {
                changes = ["In \(ReadableDuration.text(left)) the expiry of \(rule) ends this."]
            }
        case .validate(.stale): changes += whenStale
        case .validate(.noCacheInResponse): changes.append(whenValidationIsDue)
        case .validate(.noCacheInRequest), .validate(.olderThanMaxAgeInRequest), .validate(.notFreshEnough):
            changes.append("Without that request directive the response's own freshness would decide.")
        case .validate(.clockSetBack):
            changes.append("With a clock that is not behind the response's arrival the store could answer.")
        }
        if case .staleWhileRevalidate = policy.verdict, StatedFreshness(judged.response.fields) == .unstated {
            changes.append("If its page comes new from the server, it is asked about first (rule 'older-than-page').")
        }
        if !hasValidator, basis.decision != .reuse {
            changes.append("With an ETag or Last-Modified, asking would cost a 304 instead of the whole response.")
        }
        return changes
    }

    /// The answer without the client's cache mode, which has every response validated.
    private var withoutMode: String {
        let mode = "Without the cache mode \(judged.requestMode.rawValue)"
        let lacksConsent =
            if case .validate = basis.decision { policy.verdict != .cacheFirst || isExpired } else { false }
        return lacksConsent ? "\(mode) it would be validated as well." : "\(mode) the store would answer."
    }

    /// The cache mode and the verdict that let the store answer whatever the age; `nil` if none does, or an expiry has
    /// ended it.
    private var anyAgeGrant: String? {
        var grants: [String] = []
        if judged.requestMode.acceptsAnyAge { grants.append("the cache mode \(judged.requestMode.rawValue)") }
        if [.cacheFirst, .onlyIfStored].contains(policy.verdict) {
            grants.append("the verdict \(policy.verdict) of \(rule)")
        }
        guard judged.ground == .anyAge else { return nil }
        return grants.joined(separator: " and ")
    }

    private func without(_ grant: String) -> String {
        let isConfirmed = judged.requestMode == .revalidate
        return switch basis.decision {
        case .reuse where !isConfirmed && !ReadableDuration.isForEver(basis.remaining):
            "Without \(grant) it would answer as well, for another \(ReadableDuration.text(basis.remaining))."
        case .reuse where !isConfirmed, .reuseStale where !isConfirmed: "Without \(grant) it would answer as well."
        case .reuseWhileRevalidating where !isConfirmed:
            "Without \(grant) it would answer as well, and be validated in the background."
        case .reuse, .reuseStale, .reuseWhileRevalidating, .validate: "Without \(grant) it would be validated."
        }
    }

    /// When the expiry will end the permission to answer whatever the age.
    private func expiryAhead(_ hasValidator: Bool) -> String? {
        guard policy.verdict != .onlyIfStored, let left = untilExpiry else { return nil }
        let then = hasValidator ? "will be validated" : "will be fetched again"
        return "In \(ReadableDuration.text(left)) it is past the expiry of \(rule) and \(then)."
    }

    private func whenReused(hasValidator: Bool) -> String {
        let then = hasValidator ? "will be validated" : "will be fetched again"
        if let left = untilExpiry, left < basis.remaining, let ahead = expiryAhead(hasValidator) { return ahead }
        if ReadableDuration.isForEver(basis.remaining) {
            let source = effective.lifetime.source == .rule ? " by \(rule)" : ""
            return "It does not become stale\(source); a request with no-cache still asks the origin."
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
                "A window above \(ReadableDuration.text(effective.staleness(at: judged.time))) in \(rule), now "
                    + "\(ReadableDuration.text(window)), would let the store answer at once, and validate afterwards.")
        } else if effective.staleWhileRevalidate == nil, !effective.forbidsStale {
            changes.append("stale-while-revalidate would let the store answer at once, and validate afterwards.")
        }
        return changes
    }

    /// Changes for a response that the origin has to confirm before every use.
    private var whenValidationIsDue: String {
        let age = ReadableDuration.text(basis.currentAge)
        let isFresh = basis.remaining > .zero
        if isExpired, !judged.verdictValidates || judged.acceptsAnyAge {
            let more = isFresh || judged.acceptsAnyAge ? "" : ", and a max-age above it,"
            return "An expiry above \(age) in \(rule)\(more) would let the store answer."
        }
        if isNetworkFirst, StatedFreshness(judged.response.fields) == .unstated {
            return
                "It states no freshness; a max-age would let the store answer for that long. \(StatedFreshness.advice)"
        }
        if policy.verdict == .revalidate || isNetworkFirst {
            return "Without the verdict \(policy.verdict) of \(rule) the response's own terms would decide"
                + (isExpired ? ", were it not past the rule's expiry." : ".")
        }
        if judged.response.needsValidation {
            return "Once the origin has confirmed it, or sent another, the store can answer."
        }
        return "Without no-cache in the response, and with a max-age above \(age), the store could answer."
    }
}

extension StatedFreshness {
    /// The cure at the server of a page that states none.
    package static let advice =
        "'Cache-Control: no-cache' has all caches ask; larder audit prints lines for nginx and Caddy."
}
