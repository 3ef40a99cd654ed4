import HTTPCacheSemantics

@testable import Manifests

/// A path of a list and a base: one line each.
enum ListedPathTarget: FuzzTarget {
    static let name = "listed-path"
    static let shapes = [
        HostileShape("a/"), HostileShape("../"), HostileShape("%2e%2e/"), HostileShape("a"), HostileShape("/"),
        HostileShape("%"),
        HostileShape("a/", after: "a\nhttps://a.test/"), HostileShape("a", after: "a\nhttps://"),
        HostileShape("@", after: "\nhttps://"),
        HostileShape(":", after: "\nhttps://a"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let (path, line) = (input.lines[0], input.lines.count > 1 ? input.lines[1] : "")
        var base = "https://a.test/shop/"
        if BaseURL.isBase(line) {
            try check(base: line)
            base = line
        }
        guard ListedPath.problem(path) == nil else { return }
        let url = base + path
        try claim(
            TargetURI.resolve(path, against: base)?.isSame(as: url) == true, "as RFC 3986 resolves it", [path, url])
        try claim(TargetURI.haveSameOrigin(url, base), "of the same origin", [path, url])
        try claim(path.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "printable", [path])
        try claim(!path.utf8.contains { "\\?#\"<>^`{}".utf8.contains($0) }, "without what readers differ about", [path])
        // However often a server decodes it: no segment walks up, and none becomes two.
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if segments.last == "" { segments.removeLast() }
        for segment in segments {
            let decoded = Self.decoded(segment)
            try claim(!["", ".", ".."].contains(decoded), "a name", [path])
            try claim(
                !decoded.utf8.contains { $0 == 0x2F || $0 == 0x5C || $0 < 0x20 || $0 == 0x7F }, "one name", [path])
        }
    }

    private static func check(base: String) throws(BrokenClaim) {
        try claim(base.utf8.last == 0x2F, "a folder", [base])
        try claim(TargetURI.resolve("", against: base) == base, "in its only spelling", [base])
        try claim(!base.utf8.contains { "?#\\ ".utf8.contains($0) }, "without query and fragment", [base])
        let authority = base.split(separator: "/").dropFirst().first ?? "@"
        try claim(!authority.utf8.contains(0x40), "without user", [base])
        try claim(TrustworthyOrigin.isPotentiallyTrustworthy(origin: base), "https, or loopback", [base])
    }

    /// Percent-decoding, once; octets beyond ASCII as U+FFFD at worst.
    private static func decoded(_ segment: String) -> String {
        var octets: [UInt8] = []
        var rest = Array(segment.utf8)[...]
        while let octet = rest.popFirst() {
            if octet == 0x25, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                octets.append(value)
                rest = rest.dropFirst(2)
            } else {
                octets.append(octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
