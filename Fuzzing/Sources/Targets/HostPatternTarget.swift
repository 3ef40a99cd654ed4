import HTTPCacheSemantics
import HTTPTypes

@testable import CacheRules

/// A host in a rule: a line with the pattern, a line with the authority of a request.
enum HostPatternTarget: FuzzTarget {
    static let name = "host-pattern"
    static let shapes = [
        HostileShape("a"), HostileShape("*."), HostileShape(":"), HostileShape("0", after: "a:"), HostileShape("["),
        HostileShape("a.", after: "*.b\n"), HostileShape("0", after: "*:80\na:"), HostileShape(".", after: "*\n"),
        HostileShape("*"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        let (text, presented) = (lines[0], lines.count > 1 ? lines[1] : "")
        let pattern = HostPattern(text)
        try claim(HostPattern(pattern.text) == pattern, "what is printed is read again", [text])
        try claim(HostPattern(pattern.text).problem == pattern.problem, "with the same problem", [text])
        let rules = RuleList([Rule("r", .bypass, when: .host([text]))])
        for scheme in ["http", "https"] {
            let request = HTTPRequest(method: .get, scheme: scheme, authority: presented, path: "/")
            let exchange = Exchange(request: request, destination: .fetch, connectivity: .connected)
            let fits = rules.decision(for: exchange).verdict == .bypass
            guard pattern.problem == nil, let authority = Authority(presented) else { continue }
            let expected = Self.fits(text, authority, scheme)
            try claim(fits == expected, "it fits where its definition says so", [text, scheme, presented])
        }
    }

    /// Matches by the parts that floor 0 reads.
    private static func fits(_ pattern: String, _ presented: Authority, _ scheme: String) -> Bool {
        let isDomain = pattern.hasPrefix("*.")
        let isAny = pattern == "*" || pattern.hasPrefix("*:")
        let name = isDomain ? String(pattern.dropFirst(2)) : isAny ? "any" + pattern.dropFirst() : pattern
        guard let wanted = Authority(name) else { return false }
        if let port = wanted.port, port != presented.port ?? (scheme == "http" ? 80 : 443) { return false }
        // The final dot of the DNS root.
        var host = presented.host.utf8[...]
        if host.count > 1, host.last == 0x2E { host = host.dropLast() }
        if isAny { return true }
        guard isDomain else { return host.elementsEqual(wanted.host.utf8) }
        let domain = Array(("." + wanted.host).utf8)
        // An address has no subdomains.
        return host.count > domain.count && host.suffix(domain.count).elementsEqual(domain)
            && !wanted.host.utf8.contains(0x3A)
    }
}
