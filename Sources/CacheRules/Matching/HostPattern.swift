import HTTPCacheSemantics

/// `example.com`, `*.example.com` (every host below it, not itself), `*`; with `:port` for that port alone.
struct HostPattern: Hashable, Sendable {
    /// As it is printed: in lower case.
    let text: String
    private let isWildcard: Bool
    /// What is compared: a whole host, or a domain with the dot before it.
    private let name: [UInt8]
    private let port: [UInt8]?

    init(_ text: String) {
        self.text = text.asciiLowercased
        var rest = Substring(self.text)
        if !rest.hasSuffix("]"), let colon = rest.lastIndex(of: ":") {
            let digits = rest[rest.index(after: colon)...].utf8
            // As in the request: a port is a number in decimal.
            port = Array(digits.dropLast().drop { $0 == 0x30 } + digits.suffix(1))
            rest = rest[..<colon]
        } else {
            port = nil
        }
        isWildcard = rest == "*" || rest.hasPrefix("*.")
        name = Array((isWildcard ? rest.dropFirst() : rest).utf8)
    }

    /// What is wrong with it, and what helps; `nil` where nothing is.
    var problem: String? {
        if text.contains("/") { return "A host stands without scheme and path, as in \"www.example.com\"." }
        let bare = text == "*" || text.hasPrefix("*:") ? "x" + text.dropFirst() : text
        let host = isWildcard && name.count > 1 ? String(text.dropFirst(2)) : bare
        if isWildcard, name.count > 1, Self.isAddress(host) {
            return "There are no hosts below an address; write \"\(host)\" for it alone."
        }
        if host.contains("*") { return "A host may begin with \"*.\"; another \"*\" has no meaning in it." }
        if Authority(host) == nil || host.hasSuffix(":") || host.hasSuffix(".") {
            return
                "\"\(text)\" is no host; write a name in ASCII (xn--… for others), an address or \"*.\" and a domain."
        }
        return nil
    }

    /// IPv6 stands in brackets (RFC 3986 §3.2.2); what ends in a number is IPv4 to browsers (URL Standard §3.5), and no
    /// top-level domain is one (RFC 3696 §2).
    private static func isAddress(_ host: String) -> Bool {
        if host.hasPrefix("[") { return true }
        let last = host.prefix { $0 != ":" }.split(separator: ".").last
        return last.map { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } ?? false
    }

    /// The domain that every host it fits is or lies below; `nil` for `*`.
    var gateDomain: [UInt8]? {
        if name.isEmpty { return nil }
        return isWildcard ? Array(name.dropFirst()) : name
    }

    func fits(_ subject: borrowing Subject) -> Bool {
        if let port, !subject.port.equals(port), !(subject.port.isEmpty && port.elementsEqual(subject.defaultPort)) {
            return false
        }
        // A domain of its own does not lie below itself: one more octet must stand before the dot.
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
