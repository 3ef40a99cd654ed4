import HTTPCacheSemantics

/// A pattern for host and port: `example.com`, `*.example.com` (every subdomain, not the domain itself) or `*`; with
/// `:port` only for that port.
struct HostPattern: Hashable, Sendable {
    /// The printed form, in lower case.
    let text: String
    private let isWildcard: Bool
    /// The octets to compare: a whole host, or a domain after a dot.
    private let name: [UInt8]
    private let port: [UInt8]?

    init(_ text: String) {
        self.text = text.asciiLowercased
        var rest = Substring(self.text)
        if !rest.hasSuffix("]"), let colon = rest.lastIndex(of: ":") {
            let digits = rest[rest.index(after: colon)...].utf8
            // A port is a decimal number, as in the request: leading zeros do not count.
            port = Array(digits.dropLast().drop { $0 == 0x30 } + digits.suffix(1))
            rest = rest[..<colon]
        } else {
            port = nil
        }
        isWildcard = rest == "*" || rest.hasPrefix("*.")
        name = Array((isWildcard ? rest.dropFirst() : rest).utf8)
    }

    /// What is wrong with it, and advice; `nil` if it is valid.
    var problem: String? {
        if text.contains("/") { return "A host has no scheme and no path, as in \"www.example.com\"." }
        let bare = text == "*" || text.hasPrefix("*:") ? "x" + text.dropFirst() : text
        let host = isWildcard && name.count > 1 ? String(text.dropFirst(2)) : bare
        if isWildcard, name.count > 1, Self.isAddress(host) {
            return "There are no hosts below an address; write \"\(host)\" for it alone."
        }
        if host.contains("*") { return "A host may begin with \"*.\"; another \"*\" has no meaning in it." }
        if Authority(host) == nil || host.hasSuffix(":") || host.hasSuffix(".") {
            return
                "\"\(text)\" is not a host; write a name in ASCII (xn--… for others), an address or \"*.\" and a "
                + "domain."
        }
        return nil
    }

    /// IPv6 addresses have brackets (RFC 3986 §3.2.2); for browsers a host that ends in a number is IPv4 (URL Standard
    /// §3.5), and no top-level domain is a number (RFC 3696 §2).
    private static func isAddress(_ host: String) -> Bool {
        if host.hasPrefix("[") { return true }
        let last = host.prefix { $0 != ":" }.split(separator: ".").last
        return last.map { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } ?? false
    }

    /// The domain that every matching host equals or is below; `nil` for `*`.
    var prefilterDomain: [UInt8]? {
        if name.isEmpty { return nil }
        return isWildcard ? Array(name.dropFirst()) : name
    }

    func fits(_ subject: borrowing Subject) -> Bool {
        if let port, !subject.port.equals(port), !(subject.port.isEmpty && port.elementsEqual(subject.defaultPort)) {
            return false
        }
        // A domain is not below itself: at least one octet must precede the dot.
        return isWildcard
            ? subject.host.count > name.count && subject.host.hasSuffix(lowercase: name)
            : subject.host.equals(lowercase: name)
    }

    /// Whether it fits every host that the other one fits.
    func covers(_ other: HostPattern) -> Bool {
        guard port == nil || port == other.port else { return false }
        guard isWildcard else { return !other.isWildcard && name == other.name }
        return other.name.suffix(name.count).elementsEqual(name)
            && (other.isWildcard || other.name.count > name.count)
    }

    static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
