#if Proxy
import HTTPCacheSemantics

/// The names that a reverse proxy answers to.
///
/// A page can have its own name lead to this machine (DNS rebinding) and read what is served here as if it were its own.
/// An origin that looks at `Host` would refuse it; but the origin sees the name that we give it. So we look.
struct ReverseNames: Sendable {
    /// Besides those of loopback.
    let others: [HostNamePattern]

    /// - Parameters:
    ///   - text: Of the target or of `Host`; `nil` where an HTTP/1.0 client sends none, as no browser does.
    ///   - port: The one that the connection came to.
    func include(_ text: String?, port: Int?) -> Bool {
        guard let text else { return true }
        guard let authority = Authority(text) else { return false }
        if Self.isLoopback(authority.host), authority.port ?? 80 == port { return true }
        return others.contains { $0.matches(authority.host) }
    }

    /// RFC 6761 §6.3; RFC 1122 §3.2.1.3; RFC 4291 §2.5.3.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" { return true }
        guard let bytes = IPAddressBytes.parse(host) else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
}
#endif
