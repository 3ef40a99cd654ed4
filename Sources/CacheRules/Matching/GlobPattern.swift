/// A text with `*`, `**` and `?` that matches a whole path or a whole value. Other octets match themselves; `\` escapes
/// the character after it.
///
/// In a path `*` is any run of octets without a slash, `**` any run, and `?` one octet other than a slash; `/**` at the
/// end matches the folder itself and all below it. In values of queries and fields a slash is an ordinary octet, so `*`
/// and `**` are the same there.
struct GlobPattern: Hashable, Sendable {
    let text: String
    /// The octets before the first wildcard.
    let literalPrefix: [UInt8]
    /// The octets after the last wildcard.
    private let literalSuffix: [UInt8]
    private let tokens: [Token]

    private enum Token: Hashable {
        case literal(UInt8)
        case any
        case anyButSlash
        case run(crossesSlash: Bool)
        /// The slash of a `/**` at the end, which may be missing with all that follows.
        case folder
    }

    init(_ text: String, isPath: Bool) {
        self.text = text
        tokens = Self.tokens(text, isPath: isPath)
        func literals(_ tokens: some Sequence<Token>) -> [UInt8] {
            tokens.compactMap { if case .literal(let byte) = $0 { byte } else { nil } }
        }
        func isWildcard(_ token: Token) -> Bool { literals([token]).isEmpty }
        literalPrefix = literals(tokens[..<(tokens.firstIndex(where: isWildcard) ?? tokens.endIndex)])
        literalSuffix = literals(tokens[(tokens.lastIndex(where: isWildcard).map { $0 + 1 } ?? tokens.endIndex)...])
    }

    private static func tokens(_ text: String, isPath: Bool) -> [Token] {
        var (tokens, rest): ([Token], ArraySlice<UInt8>) = ([], Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            switch byte {
            case 0x2A:
                let more = rest.prefix { $0 == 0x2A }
                rest = rest[more.endIndex...]
                tokens.append(.run(crossesSlash: !isPath || !more.isEmpty))
            case 0x3F: tokens.append(isPath ? .anyButSlash : .any)
            default:
                // A backslash at the end of a pattern escapes nothing.
                let literal = byte == 0x5C ? rest.popFirst() ?? byte : byte
                let isFolder = isPath && literal == 0x2F && rest.count > 1 && rest.allSatisfy { $0 == 0x2A }
                tokens.append(isFolder ? .folder : .literal(literal))
            }
        }
        return tokens
    }

    /// Its states, by which the time for the worst text grows; 0 if two comparisons suffice.
    var stateCount: Int {
        let wildcards = tokens.count - literalPrefix.count - literalSuffix.count
        return wildcards > 2 ? wildcards : 0
    }

    /// The fault of the pattern as a path, and advice; `nil` if it is valid.
    var pathProblem: String? {
        if text.utf8.count > 1_024 { return "A pattern may have at most 1,024 octets." }
        switch tokens.first {
        case .literal(0x2F), .folder, .run(crossesSlash: true): return nil
        default: return "A path begins with \"/\" or \"**\" and has no scheme, host or query."
        }
    }

    func fits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let (first, last) = (literalPrefix.count, tokens.count - literalSuffix.count)
        let end = bytes.count - literalSuffix.count
        guard end >= first, bytes.hasPrefix(literalPrefix), bytes.hasSuffix(literalSuffix) else { return false }
        if first == last { return end == first }
        return tokens.withUnsafeBufferPointer { tokens in
            withUnsafeTemporaryAllocation(of: Bool.self, capacity: last + 1) { reached in
                reached.initialize(repeating: false)
                var places = Places(tokens: tokens, reached: reached, first: first, last: last)
                for byte in bytes[first..<end] {
                    if places.isSettled { break }
                    places.take(byte)
                }
                return reached[last]
            }
        }
    }

    /// The places of a pattern at which the octets so far may end, all followed at once: after K. Thompson, "Regular
    /// Expression Search Algorithm", 1968. Each octet takes at most as many steps as there are places.
    private struct Places {
        let tokens: UnsafeBufferPointer<Token>
        let reached: UnsafeMutableBufferPointer<Bool>
        /// The lowest and the highest place that may be reached.
        private var low: Int
        private var high: Int
        private let last: Int

        init(
            tokens: UnsafeBufferPointer<Token>, reached: UnsafeMutableBufferPointer<Bool>, first: Int, last: Int
        ) {
            (self.tokens, self.reached, self.last, low, high) = (tokens, reached, last, first, first)
            reach(first)
        }

        /// Whether no octet changes anything any more: nothing fits, or a `**` at the end takes all the others.
        var isSettled: Bool { low > high || reached[last - 1] && tokens[last - 1] == .run(crossesSlash: true) }

        mutating func take(_ byte: UInt8) {
            // From the end, because a step leads forward or stays.
            for place in stride(from: high, through: low, by: -1) where reached[place] {
                reached[place] = false
                if place == last { continue }
                switch tokens[place] {
                case .literal(byte), .any: reach(place + 1)
                case .anyButSlash: if byte != 0x2F { reach(place + 1) }
                case .folder: if byte == 0x2F { reach(place + 1) }
                case .run(let crossesSlash): if crossesSlash || byte != 0x2F { reach(place) }
                case .literal: break
                }
            }
            while low <= high, !reached[low] { low += 1 }
        }

        /// With all places behind it that take no octet.
        private mutating func reach(_ place: Int) {
            var place = place
            while !reached[place] {
                reached[place] = true
                high = max(high, place)
                if place == last { return }
                switch tokens[place] {
                case .run: place += 1
                case .folder: place = last
                default: return
                }
            }
        }
    }
}

extension GlobPattern {
    /// The patterns that one with alternatives stands for: `/{a,b}/*` is `/a/*` and `/b/*`.
    ///
    /// - Returns: `nil` for a brace without an end or in another one, and for more than 32 patterns.
    static func spelledOut(_ text: String) -> [String]? {
        var patterns = [String.UnicodeScalarView()]
        var group: [String.UnicodeScalarView] = []
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "{" where !isEscaped:
                if !group.isEmpty { return nil }
                group = [.init()]
            case "," where !isEscaped && !group.isEmpty: group.append(.init())
            case "}" where !isEscaped && !group.isEmpty:
                guard patterns.count * group.count <= 32 else { return nil }
                patterns = patterns.flatMap { pattern in group.map { pattern + $0 } }
                group = []
            default:
                if group.isEmpty {
                    for place in patterns.indices { patterns[place].append(scalar) }
                } else {
                    group[group.count - 1].append(scalar)
                }
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return group.isEmpty ? patterns.map { String($0) } : nil
    }
}
