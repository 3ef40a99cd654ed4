/// Why a main document did not load, in the web view's terms.
package struct LoadError: Hashable, Sendable, Codable {
    /// The domain of ``code``, such as `WebKitNetworkError`; `tls` for a refused certificate.
    package var domain: String
    /// The number within the domain; for `tls` a sum of GLib's `GTlsCertificateFlags`.
    package var code: Int
    /// A sentence for people, as the web view put it.
    package var message: String

    /// An error as the web view reported it.
    package init(domain: String, code: Int, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }
}
