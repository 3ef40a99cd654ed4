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
    /// The segments that the prefilter of an exchange must have; empty if no whole segment is literal.
    let segments: NameSet
    private let rest: Rest
    /// Whether it ends in `/**`, so that the text before that matches alone, too.
    private let endsInFolder: Bool

    /// The part from the first wildcard to the last.
    private enum Rest: Sendable {
        case nothing
        case run(crossesSlash: Bool)
        /// Two `**` with these octets between them.
        case contains([UInt8])
        /// Any other, and whether it also matches the folder itself.
        case program(RegularExpressionProgram)
    }

    private enum Token: Hashable {
        case literal(UInt8)
        case any
        case one
        case run(crossesSlash: Bool)
    }

    init(_ text: String, isPath: Bool) {
        self.text = text
        let tokens = Self.tokens(text, isPath: isPath)
        func isWildcard(_ token: Token) -> Bool { if case .literal = token { false } else { true } }
        let first = tokens.firstIndex(where: isWildcard) ?? tokens.endIndex
        let last = tokens.lastIndex(where: isWildcard).map { $0 + 1 } ?? tokens.endIndex
        literalPrefix = Self.literals(tokens[..<first])
        literalSuffix = Self.literals(tokens[last...])
        segments = isPath ? Self.segments(tokens) : .empty
        endsInFolder = isPath && tokens.suffix(2) == [.literal(0x2F), .run(crossesSlash: true)]
        let middle = tokens[first..<last]
        if let wildcard = middle.first {
            if middle.count == 1, case .run(let crosses) = wildcard {
                rest = .run(crossesSlash: crosses)
            } else if let inner = Self.literalBetweenRuns(middle) {
                rest = .contains(inner)
            } else {
                rest = .program(Self.program(middle, endsInFolder: endsInFolder))
            }
        } else {
            rest = .nothing
        }
    }

    private static func literalBetweenRuns(_ tokens: ArraySlice<Token>) -> [UInt8]? {
        guard tokens.first == .run(crossesSlash: true), tokens.last == .run(crossesSlash: true) else { return nil }
        let inner = literals(tokens)
        return inner.count == tokens.count - 2 ? inner : nil
    }

    private static func segments(_ tokens: [Token]) -> NameSet {
        var names = NameSet.empty
        // The text before the first slash is not a segment, and may be a wildcard across segments.
        for segment in tokens.split(separator: .literal(0x2F), omittingEmptySubsequences: false).dropFirst() {
            let octets = literals(segment)
            if !octets.isEmpty, octets.count == segment.count { names.formUnion(NameSet(octets)) }
        }
        return names
    }

    /// Its states, by which the time for the worst text grows; 0 if two comparisons suffice.
    var stateCount: Int {
        if case .program(let program) = rest { program.count } else { 0 }
    }

    /// The fault of the pattern as a path, and advice; `nil` if it is valid.
    var pathProblem: String? {
        if text.utf8.count > 1_024 { return "A pattern may have at most 1,024 octets." }
        let begins = literalPrefix.first == 0x2F || text.hasPrefix("**")
        return begins ? nil : "A path begins with \"/\" or \"**\" and has no scheme, host or query."
    }

    func fits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        fitsWhole(bytes) || endsInFolder && fitsFolder(bytes)
    }

    /// Whether the octets are the folder, without its last slash.
    private func fitsFolder(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch rest {
        case .run: bytes.count == literalPrefix.count - 1 && literalPrefix.starts(with: bytes)
        case .contains(let inner):
            bytes.hasPrefix(literalPrefix)
                && UnsafeBufferPointer(rebasing: bytes[literalPrefix.count...]).hasSuffix(Array(inner.dropLast()))
        case .nothing, .program: false
        }
    }

    private func fitsWhole(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = bytes.count - literalSuffix.count
        guard end >= literalPrefix.count, bytes.hasPrefix(literalPrefix), bytes.hasSuffix(literalSuffix) else {
            return false
        }
        switch rest {
        case .nothing: return end == literalPrefix.count
        case .run(let crossesSlash): return crossesSlash || !bytes[literalPrefix.count..<end].contains(0x2F)
        case .contains(let inner):
            var place = literalPrefix.count
            while place + inner.count <= end {
                if UnsafeBufferPointer(rebasing: bytes[place..<end]).hasPrefix(inner) { return true }
                place += 1
            }
            return false
        case .program(let program):
            return program.matches(UnsafeBufferPointer(rebasing: bytes[literalPrefix.count..<end]))
        }
    }

    private static func tokens(_ text: String, isPath: Bool) -> [Token] {
        var tokens: [Token] = []
        var isEscaped = false
        for byte in text.utf8 {
            switch byte {
            case 0x5C where !isEscaped:
                isEscaped = true
                continue
            case 0x2A where !isEscaped:
                // A second star, or a third, widens the first.
                if case .run = tokens.last {
                    tokens[tokens.count - 1] = .run(crossesSlash: true)
                } else {
                    tokens.append(.run(crossesSlash: !isPath))
                }
            case 0x3F where !isEscaped: tokens.append(isPath ? .one : .any)
            default: tokens.append(.literal(byte))
            }
            isEscaped = false
        }
        if isEscaped { tokens.append(.literal(0x5C)) }
        return tokens
    }

    private static func literals(_ tokens: some Sequence<Token>) -> [UInt8] {
        tokens.compactMap { if case .literal(let byte) = $0 { byte } else { nil } }
    }

    private static func program(_ tokens: ArraySlice<Token>, endsInFolder: Bool) -> RegularExpressionProgram {
        var program = RegularExpressionProgram()
        program.append(.assertStart)
        for (place, token) in tokens.enumerated() {
            // The slash, three states for the run, and the end.
            if endsInFolder, place == tokens.count - 2 { program.append(.split(program.count + 1, program.count + 5)) }
            switch token {
            case .literal(let byte): program.append(.octets(OctetSet(byte)))
            case .any: program.append(.octets(.all))
            case .one: program.append(.octets(.allButSlash))
            case .run(let crossesSlash):
                let start = program.count
                program.append(.split(start + 1, start + 3))
                program.append(.octets(crossesSlash ? .all : .allButSlash))
                program.append(.jump(start))
            }
        }
        program.append(.assertEnd)
        program.append(.match)
        return program
    }

    static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
