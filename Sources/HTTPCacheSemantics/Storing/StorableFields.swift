import HTTPTypes

/// Which fields of a response are stored, RFC 9111 §3.1.
package enum StorableFields {
    /// "Caches MUST include all received response header fields — including unrecognized ones — when storing a
    /// response", except the connection's own and the proxy's.
    ///
    /// `Cache-Status` of caches closer to the origin is stored: each cache appends to it (RFC 9211 §2).
    ///
    /// - Parameter kind: Decides which directives count: where a targeted field governs a shared cache, the
    ///   qualified `no-cache` of `Cache-Control` is ignored, and its own counts (RFC 9213 §2.2).
    package static func select(from fields: HTTPFields, in kind: CacheKind = .private) -> HTTPFields {
        var kept = fields
        HopByHopFields.remove(from: &kept)
        var dropped: Set<HTTPField.Name> = [.proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization]
        // §5.2.2.4: leaving out the fields that `no-cache="name"` lists prevents their reuse without validation.
        // §5.2.2.7: a private cache need not do that for `private="name"`, and a shared one stores no such response.
        // Fields that decide about reuse stay; a list that names one counts as no-cache for the whole response.
        let qualified = CachingDirectives(fields, in: kind).control.qualifiedFieldNames("no-cache") ?? []
        dropped.formUnion(Set(qualified).subtracting(CacheControl.fieldsThatDecide))
        return kept.filter { !dropped.contains($0.name) }
    }
}
