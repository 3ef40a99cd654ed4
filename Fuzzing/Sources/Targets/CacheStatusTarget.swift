import HTTPCacheSemantics

/// Printing `Cache-Status`, RFC 9211 §2: a line with the detail, then words such as `hit`, `stored`,
/// `collapsed`, a reason, a freshness and a status.
enum CacheStatusTarget: FuzzTarget {
    static let name = "cache-status"
    static let shapes = [
        HostileShape("\""), HostileShape("\\"), HostileShape("\u{E9}", after: "\n"), HostileShape("a", after: "x\n"),
        HostileShape("9", after: "x\n"), HostileShape("stored ", after: "x\n"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        var status = CacheStatus()
        status.detail = lines[0]
        for word in lines.dropFirst().flatMap({ $0.split(separator: " ") }) {
            switch word {
            case "hit": status.isHit = true
            case "stored": status.isStored = true
            case "collapsed": status.isCollapsed = true
            default:
                if let reason = ForwardReason(rawValue: String(word)) { status.forward = reason }
                guard let number = Int64(word) else { continue }
                if status.timeToLive == nil { status.timeToLive = number } else { status.forwardStatus = Int(number) }
            }
        }
        let text = status.description
        var checker = StructuredListChecker(text)
        try claim(checker.isOneItem(), "a member of a List (RFC 8941 §3.1)", [status, text])
        let keys = checker.keys
        try claim(Set(keys).count == keys.count, "each parameter once", [text])
        try claim(!(keys.contains("hit") && keys.contains("fwd")), "hit excludes fwd (§2.1)", [text])
        try claim(keys.contains("hit") == status.isHit, "hit is said", [text])
        for key in ["fwd-status", "stored", "collapsed"] where keys.contains(key) {
            try claim(keys.contains("fwd"), "goes with fwd only", [key, text])
        }
    }
}
