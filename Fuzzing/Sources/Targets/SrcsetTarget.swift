@testable import PageSyntax

/// A `srcset`; and, as they read the same bytes, the time and URL of a refresh.
enum SrcsetTarget: FuzzTarget {
    static let name = "srcset"
    static let shapes = [
        HostileShape(","), HostileShape("a,"), HostileShape("a 1x,"), HostileShape("("), HostileShape("a ("),
        HostileShape(" "), HostileShape(",", after: "a"), HostileShape("1"), HostileShape("1;url="),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        var end = 0
        for candidate in Srcset(input.bytes).candidates {
            let raw = input.bytes[candidate.range]
            try claim(candidate.range.lowerBound >= end && !raw.isEmpty, "one behind the other", [candidate])
            end = candidate.range.upperBound
            try claim(!raw.contains { $0 <= 0x20 && $0.isSpace }, "a URL has no spaces", [candidate])
            try claim(raw.last != 0x2C && raw.first != 0x2C, "and no comma around it", [candidate])
            try claim(String(decoding: raw, as: UTF8.self).isSame(as: candidate.url), "as it is written", [candidate])
        }
        if let range = MetaRefresh.urlRange(input.bytes) {
            try claim(range.lowerBound >= 0 && range.upperBound <= input.bytes.count, "within the text", [range])
        }
    }
}
