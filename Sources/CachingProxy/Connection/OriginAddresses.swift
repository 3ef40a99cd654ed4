#if Proxy
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes

/// The addresses of a reverse proxy's origin in its answers, made to lead to the proxy again.
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
        guard let parts = TargetURI.split(value), Authority(parts.authority) != nil,
            TargetURI.normalized(scheme: parts.scheme, authority: parts.authority, path: "/") == origin,
            let start = value.firstRange(of: "://"), !hasUserInformation(value[start.upperBound...])
        else { return field }
        let rest = value[start.upperBound...].drop { !"/?#".contains($0) }
        let path = rest.hasPrefix("/") ? String(rest) : "/" + rest
        // With a second slash it would name a host (RFC 3986 §4.2); browsers read "\" as one (URL Standard §4.4).
        return "/\\".contains(path.dropFirst().first ?? "x") ? "/." + path : path
    }

    /// It would be lost: such an address is left as it is.
    private func hasUserInformation(_ rest: Substring) -> Bool {
        rest.prefix { !"/?#".contains($0) }.contains("@")
    }

    /// RFC 6265 §5.3: a client refuses a cookie for a domain that it did not ask. Without `Domain` the cookie is for
    /// the host that it asked. Of several the last one counts, §5.2.3: but not if it is empty.
    private func cookie(_ value: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        let domain = parts.dropFirst().compactMap { Self.domain($0) }.last { !$0.isEmpty }
        guard let domain, host == domain || host.hasSuffix("." + domain) else { return value }
        return parts.enumerated().filter { $0.offset == 0 || Self.domain($0.element) == nil }.map { String($0.element) }
            .joined(separator: ";")
    }

    /// The value of an attribute `Domain`, without a dot in front; `nil` for every other attribute.
    private static func domain(_ attribute: Substring) -> String? {
        // §5.2: "Remove any leading or trailing WSP characters".
        let pair = attribute.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0).trimmingWhitespace.lowercased() }
        guard pair[0] == "domain" else { return nil }
        let value = pair.dropFirst().first ?? ""
        return value.hasPrefix(".") ? String(value.dropFirst()) : value
    }
}
#endif
