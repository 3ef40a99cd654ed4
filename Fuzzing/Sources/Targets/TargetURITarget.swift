import HTTPCacheSemantics
import HTTPTypes

/// Target URIs, RFC 9110 §4.2.3 and RFC 3986 §5.2: a line with a reference, then a line with a base URI.
enum TargetURITarget: FuzzTarget {
    static let name = "target-uri"
    static let shapes = [
        HostileShape("/", after: "http://a"), HostileShape("../", after: "http://a/"), HostileShape("./"),
        HostileShape("@", after: "http://"), HostileShape(":", after: "http://a"), HostileShape("a", after: "http://"),
        HostileShape("?", after: "?"), HostileShape("\u{E9}", after: "http://"), HostileShape("%"),
        HostileShape("../", after: "../\nhttp://a/"), HostileShape("/", after: "../\nhttp://a"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        let (reference, base) = (lines[0], lines.count > 1 ? lines[1] : "http://example.org/a/b?c")
        for text in [reference, base] {
            guard let parts = TargetURI.split(text) else { continue }
            try claim(!parts.authority.isEmpty && parts.path.utf8.first == 0x2F, "host and path", [text])
            try claim(!parts.path.utf8.contains(0x23), "no fragment", [text])
            // An invalid authority is never used, so its text need not be canonical.
            guard Authority(parts.authority) != nil else { continue }
            let normalized = TargetURI.normalized(scheme: parts.scheme, authority: parts.authority, path: parts.path)
            try checkNormalized(normalized)
            try claim(
                TrustworthyOrigin.isPotentiallyTrustworthy(origin: normalized)
                    == TrustworthyOrigin.isPotentiallyTrustworthy(origin: text), "trust has no spelling", [text])
            try checkKey(text, parts, normalized)
        }
        let hasAuthority = [reference, "http:" + reference, base].compactMap { TargetURI.split($0)?.authority }
        guard hasAuthority.allSatisfy({ Authority($0) != nil }) else { return }
        guard let target = TargetURI.resolve(reference, against: base) else { return }
        try claim(target.hasPrefix("http://") || target.hasPrefix("https://"), "http or https", [target])
        guard let parts = TargetURI.split(target), Authority(parts.authority) != nil else { return }
        try checkNormalized(target)
        try claim(TargetURI.haveSameOrigin(target, target), "the same origin as itself", [target])
        try claim(
            TargetURI.haveSameOrigin(target, base) == TargetURI.haveSameOrigin(base, target), "symmetric",
            [target, base])
        // §5.2.2: a reference without a path keeps the base's path, dots and all.
        guard let again = TargetURI.resolve(target, against: base) else {
            throw BrokenClaim(description: "a resolved reference resolves: \(target.debugDescription)")
        }
        try claim(TargetURI.resolve(again, against: base) == again, "without dots it resolves to itself", [again])
        guard let first = reference.utf8.first, ![0x23, 0x3F].contains(first) else { return }
        try claim(again == target, "what is resolved has no dots left", [reference, base, target, again])
    }

    private static func checkNormalized(_ text: String) throws(BrokenClaim) {
        try claim(text.utf8.allSatisfy { $0 < 0x80 }, "a URI is ASCII (RFC 3986 §2)", [text])
        guard let parts = TargetURI.split(text) else {
            throw BrokenClaim(description: "a normalised URI is one: \(text.debugDescription)")
        }
        let again = TargetURI.normalized(scheme: parts.scheme, authority: parts.authority, path: parts.path)
        try claim(again.isSame(as: text), "normalising twice is normalising once", [text, again])
    }

    private static func checkKey(
        _ text: String, _ parts: (scheme: String, authority: String, path: String), _ normalized: String
    ) throws(BrokenClaim) {
        let request = HTTPRequest(
            method: .get, scheme: parts.scheme.uppercased(), authority: parts.authority, path: parts.path + "#x")
        guard let key = CacheKey(request) else {
            throw BrokenClaim(description: "an absolute URI has a key: \(text.debugDescription)")
        }
        // The request type turns control characters into spaces.
        guard parts.authority.isSame(as: request.authority ?? ""), (parts.path + "#x").isSame(as: request.path ?? "")
        else { return }
        let comparable = TargetURI.comparable(normalized)
        try claim(key.uri.isSame(as: normalized), "a key is the normalised URI", [key.uri, normalized])
        try claim(
            PercentEncoding.decoded(comparable.utf8) == PercentEncoding.decoded(normalized.utf8),
            "equivalent spellings are of the same octets (RFC 3986 §6.2.2)", [comparable, normalized])
        let again = TargetURI.comparable(comparable)
        try claim(again.isSame(as: comparable), "what is comparable stays", [comparable, again])
    }
}
