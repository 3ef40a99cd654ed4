import HTTPCacheSemantics

/// A path of a list: one or more names with `/` between them, which every server, proxy and browser reads alike.
///
/// It is a URL's path, so other octets than those of RFC 3986 §3.3 are percent-encoded. What one reader decodes, joins
/// or removes and another does not is refused: dot segments and empty ones, `\`, encoded letters, dots and slashes, a
/// scheme, a query. So base and path need only be joined, and RFC 3986 §5.2 would give the same URL (the fuzzer
/// compares). A `/` at the end is allowed, and the empty path, which is the base itself: documents have such URLs.
enum ListedPath {
    /// In octets.
    static let limit = 2_048

    /// - Returns: Why the path is refused; `nil` for a good one.
    static func problem(_ path: String, mayBeginAsScheme: Bool = false) -> String? {
        var path = path
        return path.withUTF8 { problem($0, mayBeginAsScheme) }
    }

    private static func problem(_ bytes: UnsafeBufferPointer<UInt8>, _ mayBeginAsScheme: Bool) -> String? {
        guard bytes.count <= limit else { return "it has more than \(limit) octets" }
        var start = 0
        var index = 0
        while index <= bytes.count {
            guard index < bytes.count, bytes[index] != 0x2F else {
                let segment = bytes[start..<index]
                if segment.isEmpty, index < bytes.count { return "it has an empty segment, or begins with \"/\"" }
                if (1...2).contains(segment.count), segment.allSatisfy({ $0 == 0x2E }) { return "it has a dot segment" }
                if start == 0, !mayBeginAsScheme, segment.contains(0x3A) {
                    return "its first segment has a \":\", as a scheme has"
                }
                (start, index) = (index + 1, index + 1)
                continue
            }
            if bytes[index] == 0x25 {
                let octets = PercentEncoding.decoded(bytes[index...].prefix(3))
                guard index + 2 < bytes.count, octets.count == 1, let octet = octets.first else {
                    return "\"%\" needs two hexadecimal digits after it"
                }
                if octet < 0x20 || [0x7F, 0x2F, 0x5C].contains(octet) || TargetURI.isUnreserved(octet) {
                    return "it has a percent-encoded slash, control character, or character that needs no encoding"
                }
                index += 3
            } else {
                guard isLiteral(bytes[index]) else {
                    return "it has a character that must be percent-encoded, or a query, fragment or backslash"
                }
                index += 1
            }
        }
        return nil
    }

    /// Octets that browsers leave in paths: `pchar` of RFC 3986 §3.3, `[`, `]`, `|` (URL Standard).
    static func isLiteral(_ octet: UInt8) -> Bool {
        if TargetURI.isUnreserved(octet) { return true }
        switch octet {
        case 0x21, 0x24, 0x26...0x2C, 0x3A, 0x3B, 0x3D, 0x40, 0x5B, 0x5D, 0x7C: return true
        default: return false
        }
    }
}

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
