import HTTPCacheSemantics

/// The URL that the paths of a list are relative to.
public enum BaseURL {
    static let help =
        "an https URL (http for loopback only) in lower case up to its path, ending in \"/\", without query or user"

    /// Whether a text is a base in its only spelling: an absolute URL whose host and path need no further reading.
    ///
    /// http is for loopback alone: elsewhere the network could answer for the site.
    public static func isBase(_ text: String) -> Bool {
        guard let parts = TargetURI.split(text), parts.scheme == "https" || parts.scheme == "http",
            TrustworthyOrigin.isPotentiallyTrustworthy(origin: text),
            TargetURI.normalized(scheme: parts.scheme, authority: parts.authority, path: parts.path) == text,
            parts.authority.utf8.allSatisfy(isHostOctet), parts.path.utf8.last == 0x2F
        else { return false }
        return ListedPath.problem(String(parts.path.dropFirst())) == nil
    }

    /// Letters in lower case, digits, and what an address or a port has.
    private static func isHostOctet(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x61...0x7A).contains(octet)
            || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D].contains(octet)
    }
}
