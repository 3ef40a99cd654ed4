import HTTPCacheSemantics

/// Reading `Cache-Status`, RFC 9211 §2: the lines of the field.
enum CacheStatusListTarget: FuzzTarget {
    static let name = "cache-status-list"
    static let shapes =
        HostileShape.list() + HostileShape.list(after: "a; detail=")
        + [HostileShape("a; hit,"), HostileShape("; ttl=1", after: "a"), HostileShape("9", after: "a; ttl=")]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let members = CacheStatus.list(lines: input.lines)
        for member in members {
            try claim(member.forwardStatus.map { (100...999).contains($0) } ?? true, "three digits", [member])
            try claim(member.timeToLive.map { abs($0) < 1_000_000_000_000_000 } ?? true, "fifteen digits", [member])
            var checker = StructuredListChecker(member.description)
            try claim(checker.isOneItem(), "what is printed is an Item", [member])
        }
        // Contradicting parameters are not printed, so only the second reading is stable.
        let printed = members.map(\.description)
        let again = CacheStatus.list(lines: printed)
        try claim(again.map(\.description) == printed, "what is printed is read again", [printed, again])
        try claim(again.map(\.cache) == members.map(\.cache), "every cache with its name", [members, again])
        try claim(again.map(\.isHit) == members.map(\.isHit), "and whether it was a hit", [members, again])
    }
}
