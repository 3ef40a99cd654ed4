/// Where one set of credentials holds, RFC 9110 §11.5: "the combination of canonical root URI and realm value".
package struct ProtectionSpace: Hashable, Sendable {
    package var origin: WebOrigin
    package var realm: String

    package init(origin: WebOrigin, realm: String) {
        self.origin = origin
        self.realm = realm
    }

    /// Whose memory it is.
    package struct Owner: Hashable, Sendable {
        var account: String
        /// See ``FetchRequest/cacheSite(registrableDomain:)``: what was entered for a site's own pages is not for the
        /// pages of others that use it.
        var site: String

        package init(account: String, site: String) {
            self.account = account
            self.site = site
        }
    }
}
