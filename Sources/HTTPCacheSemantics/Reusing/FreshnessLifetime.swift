import HTTPTypes

/// How long after its generation a response is fresh, and what decided that. RFC 9111 §4.2.1.
package struct FreshnessLifetime: Hashable, Sendable {
    /// What decided.
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
        self.init(HeuristicFreshness.lifetime(of: response, directives: directives), source: .heuristic)
    }
}
