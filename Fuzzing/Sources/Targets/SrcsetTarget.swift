@testable import PageSyntax

/// A `srcset`, and what chooses among its candidates.
enum SrcsetTarget: FuzzTarget {
    static let name = "srcset"
    static let shapes = [
        HostileShape(","), HostileShape("a,"), HostileShape("a 1x,"), HostileShape("("), HostileShape("a ("),
        HostileShape(" "), HostileShape(",", after: "a"), HostileShape("1"), HostileShape("a 1w,(x)1px,"),
        HostileShape("(width)and"), HostileShape("calc("), HostileShape("1px+"), HostileShape("not("),
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
        // The same text as each of the attributes that choose.
        let text = String(decoding: input.bytes, as: UTF8.self)
        let screen = PageScreen(width: 390, height: 844, density: 3)
        _ = MediaQuery.matches(text, screen)
        let urls = Set(
            Srcset.candidates(Array(text.utf8)).map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) })
        let chosen = Srcset.chosen(text, sizes: text, source: "source", on: screen)
        try claim(!chosen.isEmpty && chosen.isSubset(of: urls.union(["source"])), "one of them", chosen.sorted())
    }
}
