import HTTPTypes

/// Whether a stored response may answer a presented request, RFC 9111 §4.
package enum ReuseDecision: Hashable, Sendable {
    /// Fresh: "fresh (see Section 4.2)". Serve it as it is.
    case reuse
    /// Stale, but allowed to be served as it is by `max-stale` of the request (§4.2.4, §5.2.1.2).
    case reuseStale
    /// Stale, but within `stale-while-revalidate`: serve it as it is, and validate it in the background (RFC 5861 §3).
    case reuseWhileRevalidating
    /// Must be validated with the origin first (§4.3).
    case validate(Reason)

    /// Why validation is needed.
    package enum Reason: String, CaseIterable, Sendable {
        case stale
        case noCacheInResponse = "no-cache"
        case noCacheInRequest = "request-no-cache"
        case olderThanMaxAgeInRequest = "request-max-age"
        case notFreshEnough = "request-min-fresh"
        /// The clock reads earlier than the response's arrival, so its age is unknown.
        case clockSetBack = "clock-set-back"

        /// Whether the request, not the state of the response, demands validation (`fwd=request`, RFC 9211 §2.2).
        package var isRequestsWish: Bool {
            switch self {
            case .noCacheInRequest, .olderThanMaxAgeInRequest, .notFreshEnough: true
            case .stale, .noCacheInResponse, .clockSetBack: false
            }
        }
    }

    /// The decision together with the figures that led to it.
    package struct Basis: Hashable, Sendable {
        package var decision: ReuseDecision
        package var currentAge: Duration
        package var lifetime: FreshnessLifetime

        /// The remaining freshness; negative once stale.
        package var remaining: Duration { lifetime.duration - currentAge }
    }

    /// How much earlier than a response's arrival the clock may read, 60 s: time servers often correct small errors.
    /// Beyond it the age is unknown, and the response must be validated.
    package static let clockTolerance: Duration = .seconds(60)

    /// Judges a candidate whose key and nominated fields already match.
    ///
    /// - Parameters:
    ///   - response: The candidate.
    ///   - presented: The fields of the presented request.
    ///   - now: The moment of reuse.
    package static func decide(
        _ response: StoredResponse, presented: HTTPFields, at now: WallInstant, in kind: CacheKind
    ) -> Basis {
        decide(FreshnessInfo(of: response, in: kind), request: RequestDirectives(presented), at: now)
    }

    /// The same, with the fields of both read before.
    package static func decide(_ freshness: FreshnessInfo, request: RequestDirectives, at now: WallInstant) -> Basis {
        let age = freshness.currentAge(at: now)
        return Basis(
            decision: decision(freshness, request, age: age, now), currentAge: age, lifetime: freshness.lifetime)
    }

    private static func decision(
        _ freshness: FreshnessInfo, _ request: RequestDirectives, age: Duration, _ now: WallInstant
    ) -> ReuseDecision {
        // "the stored response does not contain the no-cache directive, unless it is successfully validated". The
        // qualified form does not forbid reuse: the fields that it names were not stored (§5.2.2.4).
        if freshness.mustValidate { return .validate(.noCacheInResponse) }
        // §5.2.1.4 and §5.4
        if request.noCache { return .validate(.noCacheInRequest) }
        if now + clockTolerance < freshness.responseTime { return .validate(.clockSetBack) }
        let isFresh = freshness.lifetime.duration > age
        // §5.2.1.1: "the client prefers a response whose age is less than or equal to the specified number". While an
        // immutable response is fresh, a reload by max-age=0 can't find another one; RFC 8246 §2.1 demands a signal
        // such as no-cache, which is handled above.
        if let limit = request.maxAge, age > limit, !(freshness.isImmutable && isFresh) {
            return .validate(.olderThanMaxAgeInRequest)
        }
        // §5.2.1.3
        if let needed = request.minFresh, freshness.lifetime.duration - age < needed {
            return .validate(.notFreshEnough)
        }
        // §4.2: response_is_fresh = (freshness_lifetime > current_age)
        if isFresh { return .reuse }
        // §4.2.4: stale only if no directive forbids it, and the request or the response allows it.
        guard !freshness.forbidsStale else { return .validate(.stale) }
        let staleness = age - freshness.lifetime.duration
        switch request.maxStale {
        case .any: return .reuseStale
        case .upTo(let allowed) where staleness <= allowed: return .reuseStale
        case .upTo, .none: break
        }
        // §5.2.1.1: "Unless the max-stale request directive is also present, the client does not wish to receive a
        // stale response."
        if request.maxAge == nil, let window = freshness.staleWhileRevalidate, staleness <= window {
            return .reuseWhileRevalidating
        }
        return .validate(.stale)
    }

    /// §4.2.4: "A cache MUST NOT generate a stale response if it is prohibited by an explicit in-protocol directive
    /// (e.g., by a no-cache response directive, a must-revalidate response directive, or an applicable s-maxage or
    /// proxy-revalidate response directive)".
    package static func forbidsStale(_ directives: CacheControl, in kind: CacheKind) -> Bool {
        if directives.hasUnqualified("no-cache") || directives.has("must-revalidate") { return true }
        return kind == .shared && (directives.has("s-maxage") || directives.has("proxy-revalidate"))
    }
}
