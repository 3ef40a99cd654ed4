import HTTPTypes

/// Whether a stored response may answer a presented request, RFC 9111 §4.
public enum ReuseDecision: Hashable, Sendable {
    /// Fresh: "fresh (see Section 4.2)". Serve it as it is.
    case reuse
    /// Stale, but allowed to be served as it is by `max-stale` of the request (§4.2.4, §5.2.1.2).
    case reuseStale
    /// Must be validated with the origin first (§4.3).
    case validate(Reason)

    /// Why validation is needed.
    public enum Reason: String, CaseIterable, Sendable {
        case stale
        case noCacheInResponse = "no-cache"
        case noCacheInRequest = "request-no-cache"
        case olderThanMaxAgeInRequest = "request-max-age"
        case notFreshEnough = "request-min-fresh"
    }

    /// The decision together with the figures that led to it.
    public struct Basis: Hashable, Sendable {
        public var decision: ReuseDecision
        public var currentAge: Duration
        public var lifetime: FreshnessLifetime

        /// The freshness that is left; negative once stale.
        public var remaining: Duration { lifetime.duration - currentAge }
    }

    /// Judges a candidate whose key and nominated fields already match.
    ///
    /// - Parameters:
    ///   - response: The candidate.
    ///   - presented: The fields of the presented request.
    ///   - now: The moment of reuse.
    public static func decide(
        _ response: StoredResponse, presented: HTTPFields, at now: WallInstant, in kind: CacheKind
    ) -> Basis {
        let age = response.currentAge(at: now)
        let lifetime = FreshnessLifetime(of: response, in: kind)
        let request = CacheControl(presented)
        let stored = CacheControl(response.fields)
        func basis(_ decision: ReuseDecision) -> Basis {
            Basis(decision: decision, currentAge: age, lifetime: lifetime)
        }
        // "the stored response does not contain the no-cache directive, unless it is successfully validated". The
        // qualified form does not forbid reuse: the fields that it names were not stored (§5.2.2.4).
        if stored.hasUnqualified("no-cache") { return basis(.validate(.noCacheInResponse)) }
        // §5.2.1.4; and §5.4: Pragma no-cache counts where the request has no Cache-Control at all.
        if request.has("no-cache") { return basis(.validate(.noCacheInRequest)) }
        if !presented.contains(.cacheControl), pragmaHasNoCache(presented) {
            return basis(.validate(.noCacheInRequest))
        }
        // §5.2.1.1: "the client prefers a response whose age is less than or equal to the specified number".
        if case .value(let limit) = request.seconds("max-age"), age > limit {
            return basis(.validate(.olderThanMaxAgeInRequest))
        }
        // §5.2.1.3
        if case .value(let needed) = request.seconds("min-fresh"), lifetime.duration - age < needed {
            return basis(.validate(.notFreshEnough))
        }
        // §4.2: response_is_fresh = (freshness_lifetime > current_age)
        if lifetime.duration > age { return basis(.reuse) }
        // §4.2.4: stale only where no directive forbids it, and the request allows it.
        if !forbidsStale(stored, in: kind), let maxStale = request.first("max-stale") {
            guard let argument = maxStale.argument else { return basis(.reuseStale) }
            if let allowed = DeltaSeconds.parse(argument), age - lifetime.duration <= allowed {
                return basis(.reuseStale)
            }
        }
        return basis(.validate(.stale))
    }

    /// §4.2.4: "A cache MUST NOT generate a stale response if it is prohibited by an explicit in-protocol directive
    /// (e.g., by a no-cache response directive, a must-revalidate response directive, or an applicable s-maxage or
    /// proxy-revalidate response directive)".
    public static func forbidsStale(_ directives: CacheControl, in kind: CacheKind) -> Bool {
        if directives.hasUnqualified("no-cache") || directives.has("must-revalidate") { return true }
        return kind == .shared && (directives.has("s-maxage") || directives.has("proxy-revalidate"))
    }

    private static func pragmaHasNoCache(_ fields: HTTPFields) -> Bool {
        guard let name = HTTPField.Name("Pragma") else { return false }
        return ListField.members(fields[values: name]).contains { $0.lowercased() == "no-cache" }
    }
}
