@testable import CacheRules

/// A regular expression of a rule: a line with the pattern, then a text.
enum RegularExpressionTarget: FuzzTarget {
    static let name = "regular-expression"
    static let shapes =
        ["(", "[a", "\\", "a|", "a{9}", "(){9}", "(?:", ")", "^$"].map { HostileShape($0) }
        // Patterns for which a backtracking matcher takes exponential time.
        + ["(a*)*b", "(a|a)*b", "(a?){20}a{20}b", "^(.*a)*$|b", "[^b]*c|a*a*a*b", "(^|a)*$b"].map {
            HostileShape("a", after: $0 + "\n")
        }

    /// The most states times octets of one match; a fraction of a second.
    private static let greatestWork = 4_000_000

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let parts = input.bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let pattern = String(decoding: parts[0], as: UTF8.self)
        var text = parts.count > 1 ? Array(parts[1]) : []
        let expression: RegularExpression
        do throws(RegularExpression.Failure) {
            expression = try RegularExpression(pattern)
        } catch {
            let isInside = (0...min(pattern.utf8.count, RegularExpression.lengthLimit)).contains(error.offset)
            try claim(isInside && !error.message.isEmpty, "refused at a place in the pattern", [pattern, error])
            return
        }
        // The most steps for each octet of a text.
        try claim((1...RegularExpression.stateLimit).contains(expression.program.count), "states", [pattern])
        // The bound is a product, so a large pattern is matched with a part of a long text.
        text.removeLast(max(0, text.count - greatestWork / expression.program.count))
        let fits = fits(expression, text)
        if let checker = RegularExpressionChecker(pattern, text) {
            try claim(checker.fits == fits, "it fits where its definition says so", [pattern, text])
        }
        let whole = String(decoding: text, as: UTF8.self)
        if whole.utf8.elementsEqual(text) {
            try claim(expression.matches(whole) == fits, "a text is its octets", [pattern, whole])
        }
        if fits, !pattern.utf8.contains(where: { [0x5E, 0x24].contains($0) }) {
            try claim(Self.fits(expression, [0x0A] + text + [0xFF]), "any part of a text will do", [pattern, text])
        }
        if let either = try? RegularExpression("(" + pattern + ")|") {
            try claim(Self.fits(either, text), "nothing fits everywhere", [pattern, text])
        }
        if let twice = try? RegularExpression("^(?:" + pattern + "){2}"), Self.fits(twice, text) {
            try claim(fits, "what fits twice fits once", [pattern, text])
        }
    }

    private static func fits(_ expression: RegularExpression, _ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { expression.program.matches($0) }
    }
}
