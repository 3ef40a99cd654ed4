#if Proxy
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes

/// The addresses of a reverse proxy's origin in its answers, made to lead to the proxy again, and the proxy's own in
/// requests, made to name the origin.
///
/// An address of the origin's own becomes one without scheme and host, which a client resolves against the address that
/// it asked (RFC 9110 §10.2.2): by whatever name it reached the proxy. Addresses of others, and all that stands in
/// content, stay as they are. The store keeps the origin's addresses.
struct OriginAddresses: Sendable {
    private let origin: String
    private let scheme: String
    /// Without its port, in lower case.
    private let host: String

    init(_ target: (scheme: String, authority: String)) {
        scheme = target.scheme
        origin = TargetURI.normalized(scheme: target.scheme, authority: target.authority, path: "/")
        host = Authority(target.authority)?.host.lowercased() ?? target.authority.lowercased()
    }

    /// Has `Origin` and `Referer` name the origin where they name the proxy.
    ///
    /// Frameworks compare both with `Host`, in which the origin finds its own name, and refuse a form that seems to
    /// come from another site (OWASP, Cross-Site Request Forgery Prevention, "Verifying Origin With Standard
    /// Headers"). Those of other sites stay as they are and are refused as before.
    ///
    /// - Parameter host: The `Host` of the request.
    func translate(_ fields: inout HTTPFields, askedFor host: String?) {
        guard let host = host?.lowercased() else { return }
        for name in [HTTPField.Name.origin, .referer] {
            guard let value = fields[name] else { continue }
            let (named, rest) = TargetURI.splitAfterAuthority(value)
            guard ["http://" + host, "https://" + host].contains(named.lowercased()) else { continue }
            fields[name] = String(origin.dropLast() + rest)
        }
    }

    func translate(_ fields: inout HTTPFields) {
        let names = [HTTPField.Name.location, .contentLocation, .setCookie]
        guard names.contains(where: { fields.contains($0) }) else { return }
        fields = HTTPFields(fields.map { translated($0) })
    }

    /// The field as a client is to see it; the same octets where nothing in it is the origin's.
    func translated(_ field: HTTPField) -> HTTPField {
        let (old, new) = (field.value, self.value(field))
        guard new != old else { return field }
        var field = field
        field.value = new
        return field
    }

    private func value(_ field: HTTPField) -> String {
        // Octets that are no UTF-8 can't be written again. Clients drop a TAB inside an address (URL Standard §4.4),
        // which would make another one of what is written here.
        guard !field.value.contains("\u{FFFD}") else { return field.value }
        switch field.name {
        case .location, .contentLocation: return field.value.contains("\t") ? field.value : reference(field.value)
        case .setCookie: return cookie(field.value)
        default: return field.value
        }
    }

    private func reference(_ field: String) -> String {
        // Without a scheme it has that of the origin.
        let value = field.hasPrefix("//") ? scheme + ":" + field : field
        let (named, rest) = TargetURI.splitAfterAuthority(value)
        // A user's name and password would be lost: such an address is left as it is.
        guard let parts = TargetURI.split(value), Authority(parts.authority) != nil, !named.contains("@"),
            TargetURI.normalized(scheme: parts.scheme, authority: parts.authority, path: "/") == origin
        else { return field }
        let path = rest.hasPrefix("/") ? rest : "/" + rest
        // With a second slash it would name a host (RFC 3986 §4.2); browsers read "\" as one (URL Standard §4.4).
        return "/\\".contains(path.dropFirst().first ?? "x") ? "/." + path : path
    }

    /// RFC 6265 §5.3: a client refuses a cookie for a domain that it did not ask. Without `Domain` the cookie is for
    /// the host that it asked. Of several the last one counts, §5.2.3: but not if it is empty.
    ///
    /// The proxy is asked over plain http, where WebKit keeps no cookie that is `Secure` (measured with WebKitGTK), and
    /// Chromium none that is `SameSite=None` without it (RFC 6265bis §5.7). A name that begins with `__Secure-` or
    /// `__Host-` wants `Secure`, so that its cookie stays as it is.
    private func cookie(_ value: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        let attributes = parts.dropFirst().map { Self.attribute($0) }
        let domain = attributes.last { $0.name == "domain" && !$0.value.isEmpty }?.value
        let isOwn = domain.map { host == $0 || host.hasSuffix("." + $0) } ?? false
        let name = value.trimmingWhitespace.lowercased()
        let losesSecure = scheme == "https" && !name.hasPrefix("__secure-") && !name.hasPrefix("__host-")
        let kept = zip(parts.dropFirst(), attributes).filter { _, attribute in
            switch attribute.name {
            case "domain": !isOwn
            case "secure": !losesSecure
            case "samesite": !(losesSecure && attribute.value == "none")
            default: true
            }
        }
        return (parts.prefix(1) + kept.map(\.0)).joined(separator: ";")
    }

    /// In lower case; the value without a dot in front.
    private static func attribute(_ text: Substring) -> (name: String, value: String) {
        // §5.2: "Remove any leading or trailing WSP characters".
        let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0).trimmingWhitespace.lowercased() }
        let value = pair.dropFirst().first ?? ""
        return (pair[0], value.hasPrefix(".") ? String(value.dropFirst()) : value)
    }
}
#endif
