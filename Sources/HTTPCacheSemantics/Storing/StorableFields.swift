import HTTPTypes

/// Which fields of a response are stored, RFC 9111 §3.1.
public enum StorableFields {
    /// "Caches MUST include all received response header fields — including unrecognized ones — when storing a
    /// response", except the connection's own and the proxy's.
    ///
    /// `Cache-Status` of caches nearer the origin is kept: RFC 9211 §2 says each cache appends to it.
    ///
    /// - Parameter kind: Whose directives count: where a targeted field governs a shared cache, the
    ///   qualified `no-cache` of `Cache-Control` is ignored, and its own counts (RFC 9213 §2.2).
    public static func select(from fields: HTTPFields, in kind: CacheKind = .private) -> HTTPFields {
        var kept = fields
        HopByHopFields.remove(from: &kept)
        var dropped: Set<HTTPField.Name> = [.proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization]
        // §5.2.2.7 and §5.2.2.4: fields named by the qualified forms are left out here, which a private cache need
        // not do for `private`; for `no-cache="name"` not storing them keeps them from being reused unvalidated.
        // Fields that decide about reuse stay; a list that names one counts as no-cache for the whole response.
        let qualified = CachingDirectives(fields, in: kind).control.qualifiedFieldNames("no-cache") ?? []
        dropped.formUnion(Set(qualified).subtracting(CacheControl.fieldsThatDecide))
        return kept.filter { !dropped.contains($0.name) }
    }
}
