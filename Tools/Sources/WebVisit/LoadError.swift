/// Why a main document did not load, in the web view's terms.
public struct LoadError: Hashable, Sendable, Codable {
    /// Whose number ``code`` is, such as `WebKitNetworkError`; `tls` for a certificate that was refused.
    public var domain: String
    /// The number within the domain; for `tls` a sum of GLib's `GTlsCertificateFlags`.
    public var code: Int
    /// A sentence for people, as the web view put it.
    public var message: String

    /// An error as the web view reported it.
    public init(domain: String, code: Int, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }
}
