import HTTPTypes

@testable import HTTPCacheSemantics

/// Entity tags, RFC 9110 §8.8.3, alone and as `If-None-Match`: a list or a tag in each line.
enum EntityTagTarget: FuzzTarget {
    static let name = "entity-tag"
    static let shapes = [
        HostileShape("\""), HostileShape("\"a\","), HostileShape("W/"), HostileShape("W/\"\","), HostileShape(","),
        HostileShape("\\\""), HostileShape(" ", after: "\"a\""), HostileShape("\"a\"\n"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        let alone = lines.compactMap { EntityTag($0) }
        for tag in alone {
            let again = EntityTag(tag.description)
            try claim(again == tag, "what is printed is read again", [tag])
            try claim(tag.weaklyMatches(tag), "a tag matches itself weakly", [tag])
            try claim(tag.stronglyMatches(tag) == !tag.isWeak, "and strongly only where it is strong", [tag])
            try claim(!tag.opaque.utf8.contains { $0 <= 0x20 || $0 == 0x22 || $0 == 0x7F }, "etagc", [tag])
            try claim(!tag.opaque.hasLostOctets, "no tag stands for lost octets", [tag])
        }
        for (one, other) in zip(alone, alone.dropFirst()) {
            try claim(one.weaklyMatches(other) == other.weaklyMatches(one), "symmetric", [one, other])
            try claim(one.stronglyMatches(other) == other.stronglyMatches(one), "symmetric", [one, other])
            try claim(!one.stronglyMatches(other) || one.weaklyMatches(other), "strong is weak", [one, other])
            try claim((one == other) == one.description.isSame(as: other.description), "equality", [one, other])
        }

        let listed = EntityTag.list(lines)
        let printed = listed.map(\.description)
        try claim(EntityTag.list(printed) == listed, "a list that is printed is read again", [printed])
        try claim(EntityTag.list([printed.joined(separator: ",")]) == listed, "in one line as well", [printed])
        guard let last = listed.last else { return }
        let response = StoredResponse(
            status: .ok, fields: [.eTag: last.description], requestTime: WallInstant(unixSeconds: 0),
            responseTime: WallInstant(unixSeconds: 0))
        let presented: HTTPFields = [.ifNoneMatch: printed.joined(separator: ", ")]
        try claim(
            ConditionalRequest.isSatisfied(by: response, presented: presented),
            "a condition that lists the stored tag holds (§13.1.2)", [printed])
    }
}
