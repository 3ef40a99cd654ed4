#if Proxy
/// For which hosts the proxy opens TLS; every other host is tunnelled unread.
public enum InterceptPolicy: Hashable, Sendable {
    /// For none: plain http alone is cached.
    case none
    case only([HostNamePattern])
    /// For all but these. For tools that show a page, not for a listener that others use.
    case allExcept([HostNamePattern])

    public func includes(_ host: String) -> Bool {
        switch self {
        case .none: false
        case .only(let patterns): patterns.contains { $0.matches(host) }
        case .allExcept(let patterns): !patterns.contains { $0.matches(host) }
        }
    }
}
#endif
