import HTTPTypes

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
