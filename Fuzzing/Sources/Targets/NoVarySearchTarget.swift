@testable import HTTPCacheSemantics

/// `No-Vary-Search`: a line with the field, then lines with the URIs of a stored response and a presented request.
enum NoVarySearchTarget: FuzzTarget {
    static let name = "no-vary-search"
    static let shapes =
        HostileShape.list(after: "params=(")
        + [
            HostileShape("\"a\" ", after: "params=("), HostileShape("key-order,"),
            HostileShape("a&", after: "key-order\nhttp://a/?"), HostileShape("%", after: "params=()\nhttp://a/?"),
            HostileShape("%E9&", after: "key-order\nhttp://a/?"), HostileShape("=", after: "key-order\nhttp://a/?"),
        ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        let rule = NoVarySearch(lines: [lines[0]])
        try claim(
            NoVarySearch(lines: [lines[0], "params=1"]) == NoVarySearch(), "a broken list is the default", [lines])
        let stored = lines.count > 1 ? lines[1] : "https://example.org/?" + lines[0]
        let presented = lines.count > 2 ? lines[2] : stored + "&a=b"
        let isMatch = rule.match(stored, presented)
        try claim(rule.match(presented, stored) == isMatch, "symmetric", [rule, stored, presented])
        let isURI = TargetURI.split(stored) != nil
        try claim(rule.match(stored, stored) == isURI, "a URI is equivalent to itself", [rule, stored])
        if NoVarySearch().match(stored, presented) {
            try claim(isMatch, "what differs in nothing", [rule, stored, presented])
        }
        guard isMatch else { return }
        try claim(TargetURI.haveSameOrigin(stored, presented), "of one origin", [stored, presented])
        let loose = NoVarySearch(ignoresKeyOrder: true, parameters: rule.parameters)
        try claim(loose.match(stored, presented), "without their order as well", [rule, stored, presented])
        let blind = NoVarySearch(parameters: .only([]))
        try claim(blind.match(stored, presented), "without any query as well", [stored, presented])
    }
}
