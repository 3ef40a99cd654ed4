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

    /// The fault of the pattern, and advice; `nil` if it is valid.
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
}

/// A pattern for paths as rules files have it, such as `/item/*`, for others than rules.
package struct PathGlob: Sendable {
    private let pattern: GlobPattern

    /// - Returns: `nil` for what no rules file takes.
    package init?(_ text: String) {
        let pattern = GlobPattern(text, isPath: true)
        guard pattern.pathProblem == nil else { return nil }
        self.pattern = pattern
    }

    /// The time for a path grows by it; 0 if two comparisons suffice.
    package var stateCount: Int { pattern.stateCount }

    /// - Parameter path: Without its query.
    package func fits(_ path: String) -> Bool {
        var path = path
        return path.withUTF8 { pattern.fits($0) }
    }
}

/// A query item by its name, and by its value if patterns are given.
struct QueryItemPattern: Hashable, Sendable {
    let name: [UInt8]
    /// `nil` for any value, or none.
    let values: [GlobPattern]?

    init(_ name: String, _ values: [String]?) {
        self.name = Array(name.utf8)
        self.values = values.map { $0.map { GlobPattern($0, isPath: false) } }
    }

    /// `&` separates items, and the first `=` of an item separates its name and value.
    func fits(_ subject: borrowing Subject) -> Bool {
        let query = subject.query
        var start = 0
        while start < query.count {
            let end = query[start...].firstIndex(of: 0x26) ?? query.count
            let equals = query[start..<end].firstIndex(of: 0x3D) ?? end
            if Subject.Bytes(rebasing: query[start..<equals]).equals(name) {
                guard let values else { return true }
                let value = Subject.Bytes(rebasing: query[min(equals + 1, end)..<end])
                if values.contains(where: { $0.fits(value) }) { return true }
            }
            start = end + 1
        }
        return false
    }
}
