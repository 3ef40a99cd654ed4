import HTTPCacheSemantics
import HTTPTypes

/// What a response itself says about how long it may be reused.
public enum StatedFreshness: String, Hashable, Sendable, CaseIterable {
    /// A `max-age` or `Expires`, and no unqualified `no-cache` (RFC 9111 §4.2.1).
    case explicit
    /// An unqualified `no-cache`, whatever else it says (§5.2.2.4), or a `must-revalidate` with no lifetime before it
    /// (§5.2.2.2): to be asked for before reuse.
    case noCache = "no-cache"
    /// None of these: a cache would have to guess (§4.2.2).
    case unstated

    /// As a private cache reads the fields.
    public init(_ fields: HTTPFields) {
        let control = CacheControl(fields)
        if control.hasUnqualified("no-cache") {
            self = .noCache
        } else if control.has("max-age") || fields.contains(.expires) {
            self = .explicit
        } else {
            self = control.has("must-revalidate") ? .noCache : .unstated
        }
    }
}
