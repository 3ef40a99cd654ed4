#if Proxy
import OriginDialing

/// A host name, or `*.` and the names below it.
public struct HostNamePattern: Hashable, Sendable {
    /// In lower case.
    public var text: String

    /// - Parameter text: `shop.test` matches that name only; `*.shop.test` every name below it, not itself; `*` all.
    public init(_ text: String) {
        self.text = text.lowercased()
    }

    package func matches(_ host: String) -> Bool {
        let host = host.lowercased()
        if text == "*" { return true }
        guard text.hasPrefix("*.") else { return text == host }
        return host.hasSuffix(text.dropFirst()) && host.count > text.count - 1 && Self.isHost(host)
    }

    /// Whether a text is a name or an address that a connection can be made to. `*.shop.test` is not one: a certificate
    /// for it would hold for every name below.
    ///
    /// Letters, digits, hyphens and underscores in labels of up to 63 octets (RFC 1123 §2.1; underscores are in use), 253
    /// in all, and a dot at the end where there is one; or an IPv6 address without its brackets.
    static func isHost(_ text: String) -> Bool {
        if text.utf8.contains(Octet.colon) { return IPAddressBytes.parse(text) != nil }
        let name = text.hasSuffix(".") ? text.dropLast() : text[...]
        guard name.utf8.count <= 253 else { return false }
        return name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                    default: false
                    }
                }
        }
    }
}
#endif
