import HTTPTypes

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
        guard let value = response.fields.lines(.lastModified).combined,
            let modified = HTTPDate.parse(value, now: response.responseTime)
        else { return .zero }
        return max(.zero, min(longest, (response.date - modified) / fractionDivisor))
    }
}
