import HTTPTypes

/// The directives that govern a response in a kind of cache: `Cache-Control`, or a targeted field instead of it.
package struct CachingDirectives: Hashable, Sendable {
    package var control: CacheControl
    /// Whether a targeted field replaces `Cache-Control`. Then `Expires` does not count either: "the cache MUST ignore
    /// the Cache-Control and Expires header fields in that response" (RFC 9213 §2.2).
    package var isTargeted: Bool

    /// Only shared caches honour targeted fields: `CDN-Cache-Control` is meant for them (RFC 9213 §3.1).
    package init(_ fields: HTTPFields, in kind: CacheKind) {
        let targeted =
            kind == .shared
            ? TargetedCacheControl.directives(fields, names: TargetedCacheControl.sharedCacheTargets) : nil
        control = targeted ?? CacheControl(fields)
        isTargeted = targeted != nil
    }
}
