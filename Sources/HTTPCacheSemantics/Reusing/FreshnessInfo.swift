import HTTPTypes

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
        mustValidate = response.needsValidation || control.hasUnqualified("no-cache")
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
