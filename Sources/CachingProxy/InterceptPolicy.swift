#if Proxy
/// The hosts whose TLS the proxy decrypts; every other host is tunnelled unread.
public enum InterceptPolicy: Hashable, Sendable {
    /// None: plain http alone is cached.
    case none
    case only([HostNamePattern])
    /// All but these. For tools that show a page, not for a listener that others use.
    case allExcept([HostNamePattern])

    /// Intercepts all hosts but ``signInHosts``.
    public static let forWebViews = InterceptPolicy.allExcept(signInHosts)

    /// Hosts where people type a password or a card number.
    public static let signInHosts = [
        "accounts.google.com", "appleid.apple.com", "login.microsoftonline.com", "login.live.com", "*.okta.com",
        "*.auth0.com", "*.paypal.com", "*.stripe.com",
    ].map { HostNamePattern($0) }

    /// Whether the proxy opens TLS for this host.
    package func includes(_ host: String) -> Bool {
        switch self {
        case .none: false
        case .only(let patterns): patterns.contains { $0.matches(host) }
        case .allExcept(let patterns): !patterns.contains { $0.matches(host) }
        }
    }
}
#endif
