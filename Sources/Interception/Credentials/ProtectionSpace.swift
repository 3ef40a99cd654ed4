/// Where one set of credentials holds, RFC 9110 §11.5: "the combination of canonical root URI and realm value".
struct ProtectionSpace: Hashable, Sendable {
    var origin: WebOrigin
    var realm: String

    /// Whose memory it is.
    struct Owner: Hashable, Sendable {
        var account: String
        /// See ``InterceptedRequest/cacheSite(registrableDomain:)``: what was entered for a site's own pages is not for the
        /// pages of others that use it.
        var site: String
    }
}
