/// A server wants a user name and a password, and none are known.
package struct CredentialQuestion: Hashable, Sendable {
    /// The server's origin: always that of the document in the address bar, or the one to come.
    package var origin: WebOrigin
    /// The server's name for what it protects. Its own words: show them as such, beside the origin.
    /// Without control characters and those that turn the direction of text.
    package var realm: String
    /// How often credentials were refused for this request.
    package var previousFailureCount: Int

    package init(origin: WebOrigin, realm: String, previousFailureCount: Int = 0) {
        self.origin = origin
        let shown = realm.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }
        self.realm = String(String.UnicodeScalarView(shown))
        self.previousFailureCount = previousFailureCount
    }

    /// Asks the app, or its user. The task is cancelled when no request waits for the answer any more.
    package typealias Asker = @Sendable (CredentialQuestion) async -> CredentialAnswer
}

/// The answer to a ``CredentialQuestion``.
package enum CredentialAnswer: Hashable, Sendable {
    /// Send these.
    ///
    /// - remembered: Whether this process uses them for the protection space's later requests too.
    case use(BasicCredentials, remembered: Bool = true)
    /// The page gets the server's answer, with status 401.
    case showResponse
    /// The load fails.
    case cancel
}

/// Where one set of credentials holds, RFC 9110 §11.5: "the combination of canonical root URI and realm value".
package struct ProtectionSpace: Hashable, Sendable {
    /// The credentials are remembered for this one alone.
    package var owner: Owner
    package var origin: WebOrigin
    package var realm: String

    package init(owner: Owner, origin: WebOrigin, realm: String) {
        (self.owner, self.origin, self.realm) = (owner, origin, realm)
    }

    /// The owner of a memory of credentials.
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
