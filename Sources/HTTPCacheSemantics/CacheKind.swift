/// Whether a cache serves one user or many, RFC 9111 §1.
package enum CacheKind: String, Hashable, Sendable, CaseIterable {
    /// Dedicated to a single user: a web view's cache. Stores `private` and authenticated responses.
    case `private`
    /// Serves several users: a reverse proxy. Obeys `s-maxage`, `private`, `proxy-revalidate` and §3.5.
    case shared
}
