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
    /// - Parameters:
    ///   - whenUnreachable: Whether an unreachable origin is sufficient reason, as §4.2.4 allows. Otherwise only
    ///     `stale-if-error` is.
    /// - Returns: `nil` when the failure must be passed on.
    package static func afterFailure(
        _ failure: Failure, freshness: FreshnessInfo, request: RequestDirectives, at now: WallInstant,
        whenUnreachable: Bool
    ) -> StaleReason? {
        // §5.2.2.2: "in the case where a cache is disconnected from the origin, it MUST generate an error response
        // rather than reuse a stale response"; no-cache forbids it too (§4.2.4). A response that the origin has
        // replaced only counts as stale (§4.3.5).
        if freshness.forbidsStale { return nil }
        let staleness = freshness.staleness(at: now)
        let windows = [freshness.staleIfError, request.staleIfError].compactMap { $0 }
        if let longest = windows.max(), staleness <= longest { return .ifError }
        return failure == .unreachable && whenUnreachable ? .unreachable : nil
    }
}
