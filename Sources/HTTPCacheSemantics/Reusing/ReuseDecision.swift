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
    ///   - freshness: Of the candidate.
    ///   - request: Of the presented request.
    ///   - now: The moment of reuse.
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

/// Why a stale response may be served without validation, RFC 9111 §4.2.4. The raw value is the `detail` of
/// `Cache-Status`.
package enum StaleReason: String, Hashable, Sendable, CaseIterable {
    /// The request accepts it (§5.2.1.2).
    case maxStale = "max-stale"
    /// The response allows it while it is validated in the background (RFC 5861 §3).
    case whileRevalidating = "stale-while-revalidate"
    /// The response or the request prefers it to an error (RFC 5861 §4).
    case ifError = "stale-if-error"
    /// The origin can't be reached: the cache is disconnected from it (§4.2.4).
    case unreachable = "origin-unreachable"

    /// A result other than a usable response.
    package enum Failure: Hashable, Sendable {
        /// A status of RFC 5861 §4: 500, 502, 503 or 504.
        case serverError
        /// No response, because the origin is unreachable.
        case unreachable
        /// No usable response, though the origin was reached.
        case brokenAnswer
    }

    /// RFC 5861 §4: "In this context, an error is any situation that would result in a 500, 502, 503, or 504 HTTP
    /// response status code being returned."
    package static func isError(_ status: Int) -> Bool {
        [500, 502, 503, 504].contains(status)
    }

    /// Whether a stored response may be served in place of a failure.
    ///
    /// - Returns: `nil` when the failure must be passed on.
    package static func afterFailure(
        _ failure: Failure, freshness: FreshnessInfo, request: RequestDirectives, at now: WallInstant
    ) -> StaleReason? {
        // §5.2.2.2: "in the case where a cache is disconnected from the origin, it MUST generate an error response
        // rather than reuse a stale response"; no-cache forbids it too (§4.2.4). A response that the origin has
        // replaced only counts as stale (§4.3.5).
        if freshness.forbidsStale { return nil }
        let staleness = freshness.staleness(at: now)
        let windows = [freshness.staleIfError, request.staleIfError].compactMap { $0 }
        if let longest = windows.max(), staleness <= longest { return .ifError }
        // §4.2.4: an unreachable origin is reason enough.
        return failure == .unreachable ? .unreachable : nil
    }
}

/// The demands of a request on a stored response, RFC 9111 §5.2.1, read from its fields once.
package struct RequestDirectives: Hashable, Sendable {
    /// §5.2.1.4, or `Pragma: no-cache` in a request without `Cache-Control` (§5.4).
    package var noCache = false
    /// §5.2.1.5
    package var noStore = false
    /// §5.2.1.7
    package var onlyIfCached = false
    /// §5.2.1.1: the greatest age; `nil` for any.
    package var maxAge: Duration?
    /// §5.2.1.3: the least remaining freshness; `nil` for any.
    package var minFresh: Duration?
    /// §5.2.1.2: how stale the response may be.
    package var maxStale: MaxStale = .none
    /// RFC 5861 §4
    package var staleIfError: Duration?

    /// The argument of `max-stale`.
    package enum MaxStale: Hashable, Sendable {
        case none
        case upTo(Duration)
        /// Without an argument: "the client will accept a stale response of any age".
        case any
    }

    package init(_ presented: HTTPFields) {
        let lines = presented.lines(.cacheControl)
        if case .none = lines {
            // §5.4: "When the Cache-Control header field is also present … the Pragma header field … is ignored".
            noCache = Self.pragmaHasNoCache(presented)
            return
        }
        let control = CacheControl(lines)
        noCache = control.has("no-cache")
        noStore = control.has("no-store")
        onlyIfCached = control.has("only-if-cached")
        maxAge = control.seconds("max-age").value
        minFresh = control.seconds("min-fresh").value
        staleIfError = control.seconds("stale-if-error").value
        if let directive = control.first("max-stale") {
            guard let argument = directive.argument else {
                maxStale = .any
                return
            }
            // An argument that is not a number allows no staleness.
            maxStale = DeltaSeconds.parse(argument).map { .upTo($0) } ?? .none
        }
    }

    private static func pragmaHasNoCache(_ fields: HTTPFields) -> Bool {
        ListField.members(fields.lines(.pragma).all).contains { $0.lowercased() == "no-cache" }
    }
}

/// How a request wants the cache to be used, in addition to its fields: the cache modes of the Fetch standard §2.2.5
/// and Foundation's `NSURLRequest.CachePolicy`. Each has six behaviours, and they share five.
package enum CacheMode: String, Hashable, Sendable, CaseIterable {
    /// Fetch `default`, `useProtocolCachePolicy`: RFC 9111.
    case protocolDefault = "default"
    /// Fetch `no-store`: neither look up nor store, and ask caches on the way not to either.
    case noStore = "no-store"
    /// Fetch `reload`, `reloadIgnoringLocalAndRemoteCacheData`: no look-up here or on the way; the answer is stored. A
    /// stored page is shown where the origin fails, as it is without a network.
    case reload
    /// `reloadIgnoringLocalCacheData`: as ``reload``, but caches on the way may answer.
    case reloadIgnoringLocal = "reload-ignoring-local"
    /// Fetch `no-cache`, `reloadRevalidatingCacheData`: a stored response is used only after successful validation; a
    /// page also where the origin fails.
    case revalidate = "no-cache"
    /// Fetch `force-cache`, `returnCacheDataElseLoad`: a stored response at any age, else the origin's.
    case preferStored = "force-cache"
    /// Fetch `only-if-cached`, `returnCacheDataDontLoad`: a stored response at any age, else none.
    case onlyIfStored = "only-if-cached"

    /// - Parameter fetchMode: The `cache` member of a fetch request, exactly as Fetch spells it.
    package init?(fetchMode: String) {
        guard let mode = CacheMode(rawValue: fetchMode), mode != .reloadIgnoringLocal else { return nil }
        self = mode
    }

    /// The field in which a load that an app begins in a web view says its mode, as WebKit keeps `cachePolicy` to
    /// itself. It is for Larder, which sends it to no server.
    package static let field = HTTPField.Name("Larder-Cache-Mode") ?? .cacheControl

    /// Takes ``field`` out of a request's fields.
    ///
    /// - Returns: `nil` where it is not there, or says no mode.
    package static func take(from fields: inout HTTPFields) -> CacheMode? {
        guard let stated = fields[field] else { return nil }
        fields[field] = nil
        return CacheMode(rawValue: stated)
    }

    /// Whether the store may answer at all.
    package var looksUp: Bool {
        switch self {
        case .noStore, .reload, .reloadIgnoringLocal: false
        case .protocolDefault, .revalidate, .preferStored, .onlyIfStored: true
        }
    }

    /// Whether a stored response answers at any age.
    package var acceptsAnyAge: Bool { self == .preferStored || self == .onlyIfStored }
}
