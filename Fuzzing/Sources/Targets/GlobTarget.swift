@testable import CacheRules

/// A pattern with `*`, `**` and `?`: a line with the pattern, then a text.
enum GlobTarget: FuzzTarget {
    static let name = "glob"
    static let shapes =
        ["*", "?", "\\", "*a", "*/", "a"].map { HostileShape($0) }
        + ["*a*a*a*b", "**a**a/b", "**ab**", "*?*?*?b", "a*"].map { HostileShape("a", after: $0 + "\n") }
        + ["**/*/**/b", "/*/*/**/?"].map { HostileShape("/", after: $0 + "\n") }

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let parts = input.bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let pattern = String(decoding: parts[0], as: UTF8.self)
        // The bound is a product, so a long pattern is matched with a part of a long text.
        let text = parts.count > 1 ? Array(parts[1].prefix(4_000_000 / max(1, parts[0].count))) : []
        for isPath in [true, false] {
            let glob = GlobPattern(pattern, isPath: isPath)
            // A file takes patterns of this length.
            guard pattern.utf8.count <= 1_024 else { continue }
            let fits = fits(glob, text)
            if pattern.utf8.count <= 256, text.count <= 256 {
                let octets = Array(pattern.utf8)
                let isFolder = isPath ? Self.folder(octets).map { Self.fits($0, text, isPath: true) } ?? false : false
                let expected = isFolder || Self.fits(octets, text, isPath: isPath)
                try claim(fits == expected, "it fits where its definition says so", [pattern, isPath, text])
            }
            if text.count <= 1_024, let literal = literal(text) {
                try claim(Self.fits(GlobPattern(literal, isPath: isPath), text), "no wildcard, itself", [literal])
            }
            if fits {
                try claim(text.starts(with: glob.literalPrefix), "it begins as the pattern does", [glob.text, text])
            }
        }
    }

    private static func fits(_ glob: GlobPattern, _ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { glob.fits($0) }
    }

    /// The pattern that matches this text alone; `nil` for octets that are not UTF-8.
    private static func literal(_ text: [UInt8]) -> String? {
        let escaped = text.flatMap { [0x2A, 0x3F, 0x5C].contains($0) ? [0x5C, $0] : [$0] }
        let literal = String(decoding: escaped, as: UTF8.self)
        return literal.utf8.elementsEqual(escaped) ? literal : nil
    }

    /// The pattern of the folder itself, for one that ends in `/**`.
    private static func folder(_ pattern: [UInt8]) -> [UInt8]? {
        let stars = pattern.reversed().prefix { $0 == 0x2A }.count
        var folder = pattern.dropLast(stars)
        guard stars >= 2, folder.popLast() == 0x2F else { return nil }
        // The slash may be escaped.
        if folder.reversed().prefix(while: { $0 == 0x5C }).count % 2 == 1 { folder = folder.dropLast() }
        return Array(folder)
    }

    /// Matches by the positions in the text at which each wildcard may end, one after the other.
    private static func fits(_ pattern: [UInt8], _ text: [UInt8], isPath: Bool) -> Bool {
        var places = [true] + text.map { _ in false }
        var rest = pattern[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x2A:
                var crosses = !isPath
                while rest.first == 0x2A {
                    crosses = true
                    rest = rest.dropFirst()
                }
                for place in text.indices where places[place] && (crosses || text[place] != 0x2F) {
                    places[place + 1] = true
                }
            case 0x3F: places = [false] + text.indices.map { places[$0] && !(isPath && text[$0] == 0x2F) }
            default:
                // A backslash at the end of a pattern escapes nothing.
                let literal = byte == 0x5C ? rest.popFirst() ?? byte : byte
                places = [false] + text.indices.map { places[$0] && text[$0] == literal }
            }
        }
        return places[text.count]
    }
}
