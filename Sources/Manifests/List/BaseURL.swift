import HTTPCacheSemantics

/// The URL that the paths of a list are relative to.
package enum BaseURL {
    static let help =
        "an https URL (http for loopback only) in lower case up to its path, ending in \"/\", without query or user"

    /// Whether a text is a base in its only spelling: an absolute URL whose host and path need no further reading.
    ///
    /// http is for loopback alone: elsewhere the network could answer for the site.
    package static func isBase(_ text: String) -> Bool {
        guard let parts = TargetURI.split(text), parts.scheme == "https" || parts.scheme == "http",
            TrustworthyOrigin.isPotentiallyTrustworthy(origin: text),
            TargetURI.normalized(scheme: parts.scheme, authority: parts.authority, path: parts.path) == text,
            isAuthority(parts.authority), parts.path.utf8.last == 0x2F
        else { return false }
        return isPath(parts.path)
    }

    /// Whether a path that begins with `/` is in its only spelling.
    package static func isPath(_ path: String) -> Bool { ListedPath.problem(String(path.dropFirst())) == nil }

    /// Whether host and port are in the spelling that browsers give them: `0x7f.1` and `:0443` are not.
    package static func isAuthority(_ text: String) -> Bool {
        guard text.utf8.allSatisfy(isHostOctet) else { return false }
        var host = Substring(text)
        if let colon = text.utf8.lastIndex(of: 0x3A), text.utf8.last != 0x5D {
            let port = text[text.utf8.index(after: colon)...]
            guard port.utf8.first != 0x30, UInt16(port) != nil else { return false }
            host = text[..<colon]
        }
        return !host.isEmpty && (host.utf8.first == 0x5B || isName(host) || isAddress(host))
    }

    /// Whether browsers take it for a name: URL Standard §3.5, "ends in a number".
    private static func isName(_ host: Substring) -> Bool {
        guard let last = host.split(separator: ".").last, !host.utf8.contains(0x3A) else { return false }
        return !last.utf8.starts(with: "0x".utf8) && !last.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Four decimal numbers without zeros before them.
    private static func isAddress(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { "\($0)" == part } ?? false }
    }

    /// Letters in lower case, digits, and what an address or a port has.
    private static func isHostOctet(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x61...0x7A).contains(octet)
            || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D].contains(octet)
    }
}
