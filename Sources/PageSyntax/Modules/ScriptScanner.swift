/// Where tokens of ECMA-262 §12 end, in bytes that are at hand.
struct ScriptScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Nothing follows these bytes.
    let isLast: Bool
    let isModule: Bool

    /// The context that the tokens before make.
    struct Context {
        enum Slash { case division, regularExpression, unsure }

        var slash: Slash
        /// A closing brace goes on with a template.
        var closesTemplate: Bool
        /// Only white space and comments stand before it on its line.
        var isLineStart: Bool

        /// The context of a token that depends on none.
        static let none = Context(slash: .division, closesTemplate: false, isLineStart: false)
    }

    /// A slash that begins no comment.
    func isSlash(_ index: Int) -> Bool {
        bytes[index] == 0x2F && index &+ 1 < bytes.count && bytes[index &+ 1] != 0x2F && bytes[index &+ 1] != 0x2A
    }

    struct Token {
        enum Kind: UInt8 {
            case space, comment, identifier, number, string, regularExpression, punctuator
            /// A template, or a part of one, up to its end.
            case template
            /// The same, up to `${`.
            case templateOpening
            /// No token of the language.
            case damaged
        }

        var kind: Kind
        var end: Int
        var hasNewline = false
    }

    /// - Returns: `nil` if the token may go on behind these bytes.
    @inline(__always)
    func token(at start: Int, _ context: Context) -> Token? {
        let byte = bytes[start]
        if Self.startsName(byte) { return name(start) }
        if byte <= 0x20 || byte >= 0x80 { return wide(start) }
        switch byte {
        case 0x22, 0x27: return string(start)
        case 0x60: return template(start)
        case 0x7D: return context.closesTemplate ? template(start) : punctuator(start, 1)
        case 0x30...0x39: return number(start)
        case 0x2F: return slash(start, context)
        case 0x23, 0x5C: return name(start)
        case 0x2E, 0x2B, 0x2D, 0x3D, 0x3F, 0x3C: return lookingAhead(start, context)
        default: return punctuator(start, 1)
        }
    }

    @inline(__always)
    private static func startsName(_ byte: UInt8) -> Bool { byte.isLetter || byte == 0x24 || byte == 0x5F }

    @inline(__always)
    private func punctuator(_ start: Int, _ length: Int) -> Token { Token(kind: .punctuator, end: start &+ length) }

    private func lookingAhead(_ start: Int, _ context: Context) -> Token? {
        if !isLast, start &+ 4 > bytes.count { return nil }
        let (byte, next) = (bytes[start], at(start &+ 1))
        switch byte {
        case 0x2E where next.isDigit: return number(start)
        case 0x2E: return punctuator(start, next == 0x2E && at(start &+ 2) == 0x2E ? 3 : 1)
        case 0x2D where !isModule && context.isLineStart && next == 0x2D && at(start &+ 2) == 0x3E:
            return lineComment(start)
        case 0x3C where !isModule && next == 0x21 && at(start &+ 2) == 0x2D && at(start &+ 3) == 0x2D:
            return lineComment(start)
        case 0x2B, 0x2D: return punctuator(start, next == byte ? 2 : 1)
        case 0x3D: return punctuator(start, next == 0x3E ? 2 : 1)
        case 0x3F where next == 0x2E && !at(start &+ 2).isDigit: return punctuator(start, 2)
        case 0x3F: return punctuator(start, next == 0x3F ? 2 : 1)
        default: return punctuator(start, 1)
        }
    }

    private func slash(_ start: Int, _ context: Context) -> Token? {
        guard start &+ 1 < bytes.count || isLast else { return nil }
        switch at(start &+ 1) {
        case 0x2F: return lineComment(start)
        case 0x2A: return blockComment(start)
        default: return context.slash == .regularExpression ? regularExpression(start) : punctuator(start, 1)
        }
    }

    private func lineComment(_ start: Int) -> Token? {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x0A || byte == 0x0D { return Token(kind: .comment, end: index) }
            if byte == 0xE2 {
                guard let length = wideSpace(index) else { return nil }
                if length.isNewline { return Token(kind: .comment, end: index) }
            }
            index &+= 1
        }
        return isLast ? Token(kind: .comment, end: index) : nil
    }

    private func blockComment(_ start: Int) -> Token? {
        var index = start &+ 2
        while true {
            index = ByteSearch.first(0x2A, in: bytes, from: index, to: bytes.count)
            guard index < bytes.count else { return isLast ? Token(kind: .damaged, end: index) : nil }
            index &+= 1
            if at(index) == 0x2F { break }
        }
        let hasNewline = bytes[start..<index].contains { $0 == 0x0A || $0 == 0x0D }
        return Token(kind: .comment, end: index &+ 1, hasNewline: hasNewline)
    }

    private func string(_ start: Int) -> Token? {
        let quote = bytes[start]
        var index = start &+ 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote { return Token(kind: .string, end: index &+ 1) }
            if byte == 0x0A || byte == 0x0D { return Token(kind: .damaged, end: index) }
            if byte == 0x5C {
                guard index &+ 2 < bytes.count || isLast else { return nil }
                index &+= at(index &+ 1) == 0x0D && at(index &+ 2) == 0x0A ? 3 : 2
            } else {
                index &+= 1
            }
        }
        return isLast ? Token(kind: .damaged, end: bytes.count) : nil
    }

    private func template(_ start: Int) -> Token? {
        var index = start &+ 1
        while index < bytes.count {
            switch bytes[index] {
            case 0x60: return Token(kind: .template, end: index &+ 1)
            case 0x5C: index &+= 2
            case 0x24:
                guard index &+ 1 < bytes.count || isLast else { return nil }
                if at(index &+ 1) == 0x7B { return Token(kind: .templateOpening, end: index &+ 2) }
                index &+= 1
            default: index &+= 1
            }
        }
        return isLast ? Token(kind: .damaged, end: bytes.count) : nil
    }

    private func regularExpression(_ start: Int) -> Token? {
        var index = start &+ 1
        var isInClass = false
        while index < bytes.count {
            switch bytes[index] {
            case 0x0A, 0x0D: return Token(kind: .damaged, end: index)
            case 0x5C: index &+= 1
            case 0x5B: isInClass = true
            case 0x5D: isInClass = false
            case 0x2F where !isInClass:
                // The flags.
                return name(index &+ 1).map { Token(kind: .regularExpression, end: $0.end) }
            default: break
            }
            index &+= 1
        }
        return isLast ? Token(kind: .damaged, end: bytes.count) : nil
    }

    private func number(_ start: Int) -> Token? {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte.isDigit || byte.isLetter || byte == 0x2E || byte == 0x5F {
                index &+= 1
            } else if byte == 0x2B || byte == 0x2D, bytes[index &- 1] | 0x20 == 0x65, at(start &+ 1) | 0x20 != 0x78 {
                index &+= 1
            } else {
                return Token(kind: .number, end: index)
            }
        }
        return isLast ? Token(kind: .number, end: index) : nil
    }

    /// The end of an identifier, which may be empty.
    @inline(__always)
    private func name(_ start: Int) -> Token? {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if Self.startsName(byte) || byte.isDigit || byte == 0x23 {
                index &+= 1
            } else if byte >= 0x80 {
                guard let space = wideSpace(index) else { return nil }
                if space.length > 0 { return Token(kind: .identifier, end: index) }
                index &+= 1
            } else if byte == 0x5C {
                // A Unicode escape.
                guard index &+ 2 < bytes.count || isLast else { return nil }
                index &+= 2
                guard at(index) == 0x7B else { continue }
                while index < bytes.count, bytes[index] != 0x7D { index &+= 1 }
                if index == bytes.count { return isLast ? Token(kind: .damaged, end: index) : nil }
                index &+= 1
            } else {
                return Token(kind: .identifier, end: index)
            }
        }
        return isLast ? Token(kind: .identifier, end: min(index, bytes.count)) : nil
    }

    /// White space, or an identifier that begins with a letter beyond ASCII.
    private func wide(_ start: Int) -> Token? {
        var token = Token(kind: .space, end: start)
        while token.end < bytes.count {
            let byte = bytes[token.end]
            if byte >= 0x80 {
                guard let space = wideSpace(token.end) else { return nil }
                if space.length == 0 { break }
                token.hasNewline = token.hasNewline || space.isNewline
                token.end &+= space.length
            } else if byte <= 0x20 {
                if byte == 0x0A || byte == 0x0D { token.hasNewline = true }
                token.end &+= 1
            } else {
                break
            }
        }
        if token.end > start { return token }
        return name(start)
    }

    /// The length of a white space character beyond ASCII, or zero. `nil` if that depends on bytes to come.
    private func wideSpace(_ index: Int) -> (length: Int, isNewline: Bool)? {
        let first = bytes[index]
        guard first == 0xC2 || first == 0xE1 || first == 0xE2 || first == 0xE3 || first == 0xEF else {
            return (0, false)
        }
        guard index &+ 3 <= bytes.count || isLast else { return nil }
        let (second, third) = (at(index &+ 1), at(index &+ 2))
        switch (first, second, third) {
        case (0xC2, 0xA0, _): return (2, false)
        case (0xE2, 0x80, 0xA8...0xA9): return (3, true)
        case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F),
            (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF):
            return (3, false)
        default: return (0, false)
        }
    }

    @inline(__always)
    private func at(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
}

/// The words of JavaScript that decide what may follow them.
enum ScriptWord: UInt8, Sendable {
    case other
    /// An operand comes next: `return`, `typeof`.
    case operandFollows
    /// `if`, `while`, `for`, `with`, `switch`, `catch`: a statement or block comes behind the parentheses.
    case control
    /// `else`, `do`, `try`, `finally`: a statement or block comes next.
    case blockFollows
    case function, `class`, `import`, export, `default`, async, `await`, of, from, `as`, meta, phase
    case `static`
    case yield

    private static let words = NameTable(
        [
            ("return", .operandFollows), ("typeof", .operandFollows), ("instanceof", .operandFollows),
            ("in", .operandFollows), ("new", .operandFollows), ("delete", .operandFollows), ("void", .operandFollows),
            ("throw", .operandFollows), ("case", .operandFollows), ("extends", .operandFollows),
            ("if", .control), ("while", .control), ("for", .control), ("with", .control), ("switch", .control),
            ("catch", .control), ("else", .blockFollows), ("do", .blockFollows), ("try", .blockFollows),
            ("finally", .blockFollows), ("function", .function), ("class", .class), ("import", .import),
            ("export", .export), ("default", .default), ("async", .async), ("await", .await), ("of", .of),
            ("from", .from), ("as", .as), ("meta", .meta), ("defer", .phase), ("source", .phase), ("static", .static),
            ("yield", .yield),
        ], other: other)

    /// - Parameter bytes: An identifier's. Unlike names of HTML, upper case makes another word.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count <= 10, bytes.count > 1, bytes[0] &- 0x61 < 26 else {
            self = .other
            return
        }
        self = Self.words[PackedName(bytes)]
        if self != .other, !bytes.allSatisfy({ $0 &- 0x61 < 26 }) { self = .other }
    }
}
