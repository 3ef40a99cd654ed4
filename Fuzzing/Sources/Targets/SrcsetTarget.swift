@testable import PageSyntax

/// A `srcset`.
enum SrcsetTarget: FuzzTarget {
    static let name = "srcset"
    static let shapes = [
        HostileShape(","), HostileShape("a,"), HostileShape("a 1x,"), HostileShape("("), HostileShape("a ("),
        HostileShape(" "), HostileShape(",", after: "a"), HostileShape("1"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        var end = 0
        for candidate in Srcset.candidates(input.bytes) {
            let raw = input.bytes[candidate]
            try claim(candidate.lowerBound >= end && !raw.isEmpty, "one behind the other", [candidate])
            end = candidate.upperBound
            try claim(!raw.contains { $0 <= 0x20 && $0.isSpace }, "a URL has no spaces", [candidate])
            try claim(raw.last != 0x2C && raw.first != 0x2C, "and no comma around it", [candidate])
        }
    }
}
