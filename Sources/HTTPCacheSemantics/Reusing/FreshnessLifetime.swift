import HTTPTypes

/// How long after its generation a response is fresh, and what decided that. RFC 9111 §4.2.1.
package struct FreshnessLifetime: Hashable, Sendable {
    /// The field or rule that decided.
    package enum Source: String, Hashable, Sendable {
        case sMaxage = "s-maxage"
        case maxAge = "max-age"
        case expires = "expires"
        /// §4.2.2: the response states no explicit freshness.
        case heuristic
        /// The explicit freshness information is unreadable; the response counts as stale.
        case invalid
        /// A rule of the cache's operator, whatever the response says; never the result of reading a response.
        case rule
    }

    package var duration: Duration
    package var source: Source

    package init(_ duration: Duration, source: Source) {
        self.duration = duration
        self.source = source
    }

    /// "A cache can calculate the freshness lifetime by evaluating the following rules and using the first match."
    package init(of response: StoredResponse, in kind: CacheKind) {
        self.init(of: response, directives: CachingDirectives(response.fields, in: kind), in: kind)
    }

    init(of response: StoredResponse, directives caching: CachingDirectives, in kind: CacheKind) {
        let directives = caching.control
        if kind == .shared {
            switch directives.seconds("s-maxage") {
            case .value(let value): self.init(value, source: .sMaxage); return
            case .invalid: self.init(.zero, source: .invalid); return
            case .absent: break
            }
        }
        switch directives.seconds("max-age") {
        case .value(let value): self.init(value, source: .maxAge); return
        case .invalid: self.init(.zero, source: .invalid); return
        case .absent: break
        }
        if !caching.isTargeted, let value = response.fields.firstLine(.expires) {
            // §5.3: "A cache recipient MUST interpret invalid date formats, especially the value "0", as
            // representing a time in the past."
            guard let expires = HTTPDate.parse(value, now: response.responseTime) else {
                self.init(.zero, source: .invalid)
                return
            }
            self.init(max(.zero, expires - response.date), source: .expires)
            return
        }
        // It may be meant for one user (§7.3), and nobody said that it is for others.
        let isPersonal = kind == .shared && response.fields.contains(.setCookie)
        self.init(
            isPersonal ? .zero : HeuristicFreshness.lifetime(of: response, directives: directives), source: .heuristic)
    }
}

/// Freshness without an explicit expiration time, RFC 9111 §4.2.2.
package enum HeuristicFreshness {
    /// The share of the time since `Last-Modified`: "a typical setting of this fraction might be 10%".
    package static let fractionDivisor = 10
    /// The longest heuristic lifetime, seven days. Our choice; the standard sets no limit.
    package static let longest: Duration = .seconds(7 * 86_400)

    /// Status codes "defined as heuristically cacheable" by RFC 9110 §15.1, and 451 by RFC 7725 §3.
    package static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 451, 501: return true
        default: return false
        }
    }

    /// A tenth of the time between `Last-Modified` and `Date`, zero without a usable `Last-Modified`.
    ///
    /// "A cache MUST NOT use heuristics to determine freshness when an explicit expiration time is present": the
    /// caller has checked that.
    static func lifetime(of response: StoredResponse, directives: CacheControl) -> Duration {
        // Explicitly cacheable (`public`) responses of other statuses may use heuristics as well.
        guard isHeuristicallyCacheable(response.status.code) || directives.has("public") else { return .zero }
        guard let value = response.fields.combined(.lastModified),
            let modified = HTTPDate.parse(value, now: response.responseTime)
        else { return .zero }
        return max(.zero, min(longest, (response.date - modified) / fractionDivisor))
    }
}

extension StoredResponse {
    /// The time since the origin generated or last validated this response.
    ///
    /// `current_age` of RFC 9111 §4.2.3. Never negative: a `Date` in the future and a clock that was set back both mean
    /// age zero.
    ///
    /// - Parameter now: The moment of reuse, read from the clock that stamped ``responseTime``.
    /// - Returns: Zero or more, with the precision of that clock. `Age` carries it in whole seconds.
    package func currentAge(at now: WallInstant) -> Duration {
        let residentTime = max(.zero, now - responseTime)
        return correctedInitialAge + residentTime
    }

    /// `corrected_initial_age` of §4.2.3.
    var correctedInitialAge: Duration {
        let apparentAge = max(.zero, responseTime - date)
        let responseDelay = max(.zero, responseTime - requestTime)
        let correctedAgeValue = ageValue + responseDelay
        return max(apparentAge, correctedAgeValue)
    }

    /// `age_value`: the field's first member if it is a number, else zero. "Although it is defined as a singleton
    /// header field, a cache encountering a message with a list-based Age field value SHOULD use the first member of
    /// the field value, discarding subsequent ones", and an invalid value is ignored (§5.1).
    private var ageValue: Duration {
        let lines = fields.lines(.age)
        if case .one(let line) = lines, let age = DeltaSeconds.parse(line) { return age }
        guard let first = ListField.members(lines.all).first else { return .zero }
        return DeltaSeconds.parse(first) ?? .zero
    }
}

/// The freshness of a stored response and its limits on reuse, read from its fields once.
package struct FreshnessInfo: Hashable, Sendable {
    /// §4.2.1
    package var lifetime: FreshnessLifetime
    /// `corrected_initial_age` of §4.2.3: the age when the response arrived.
    package var initialAge: Duration
    /// `response_time` of §4.2.3.
    package var responseTime: WallInstant
    /// The response has an unqualified `no-cache` (§5.2.2.4) or ``StoredResponse/needsValidation`` (§4.3.5).
    package var mustValidate: Bool
    /// See ``StoredResponse/needsValidation``.
    package var isDoubtful: Bool
    /// See ``ReuseDecision/forbidsStale(_:in:)``.
    package var forbidsStale: Bool
    /// RFC 8246 §2: the representation will not change while it is fresh.
    package var isImmutable: Bool
    /// How long after becoming stale the response may be served while it is validated (RFC 5861 §3); `nil` without
    /// the directive.
    package var staleWhileRevalidate: Duration?
    /// How long after becoming stale the response may answer in place of an error (RFC 5861 §4); `nil` without the
    /// directive.
    package var staleIfError: Duration?

    package init(of response: StoredResponse, in kind: CacheKind) {
        let directives = CachingDirectives(response.fields, in: kind)
        let control = directives.control
        lifetime = FreshnessLifetime(of: response, directives: directives, in: kind)
        initialAge = response.correctedInitialAge
        responseTime = response.responseTime
        isDoubtful = response.needsValidation
        mustValidate = isDoubtful || control.hasUnqualified("no-cache")
        forbidsStale = ReuseDecision.forbidsStale(control, in: kind)
        isImmutable = control.has("immutable")
        staleWhileRevalidate = control.seconds("stale-while-revalidate").value
        staleIfError = control.seconds("stale-if-error").value
    }

    /// `current_age` of §4.2.3, see ``StoredResponse/currentAge(at:)``.
    package func currentAge(at now: WallInstant) -> Duration {
        initialAge + max(.zero, now - responseTime)
    }

    /// The remaining freshness in whole seconds; negative once stale (`ttl`, RFC 9211 §2.4).
    package func timeToLive(at now: WallInstant) -> Int64 {
        (lifetime.duration - currentAge(at: now)).components.seconds
    }

    /// How long the response has been stale; zero or less while it is fresh.
    package func staleness(at now: WallInstant) -> Duration {
        currentAge(at: now) - lifetime.duration
    }
}
