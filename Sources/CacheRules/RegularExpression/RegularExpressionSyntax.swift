/// A parsed pattern.
indirect enum RegularExpressionSyntax {
    case empty
    case octets(OctetSet)
    case sequence([RegularExpressionSyntax])
    case alternatives([RegularExpressionSyntax])
    /// `most` is `nil` without an upper bound.
    case repeated(RegularExpressionSyntax, least: Int, most: Int?)
    case start
    case end
}

/// Reads a pattern by recursive descent:
///
///     alternatives = sequence *( "|" sequence )
///     sequence     = *( atom [ repetition [ "?" ] ] )
struct RegularExpressionParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private static let depthLimit = 50
    private static let repetitionLimit = 1_000

    init(_ pattern: String) { bytes = Array(pattern.utf8) }

    private typealias Failure = RegularExpression.Failure

    static func parse(_ pattern: String) throws(RegularExpression.Failure) -> RegularExpressionSyntax {
        var parser = RegularExpressionParser(pattern)
        let syntax = try parser.alternatives()
        if parser.position < parser.bytes.count {
            throw parser.failure("This \")\" has no opening parenthesis; write \"\\)\" for the character.")
        }
        return syntax
    }

    private func failure(_ message: String, at offset: Int? = nil) -> RegularExpression.Failure {
        Failure(message: message, offset: offset ?? position)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func alternatives() throws(RegularExpression.Failure) -> RegularExpressionSyntax {
        var parts = [try sequence()]
        while take("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .alternatives(parts)
    }

    private mutating func sequence() throws(RegularExpression.Failure) -> RegularExpressionSyntax {
        var parts: [RegularExpressionSyntax] = []
        while let byte = peek, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            parts.append(try repetition(of: try atom()))
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func atom() throws(RegularExpression.Failure) -> RegularExpressionSyntax {
        let start = position
        guard let byte = peek else { return .empty }
        position += 1
        switch byte {
        case UInt8(ascii: "("): return try group(from: start)
        case UInt8(ascii: "["): return .octets(try characterClass(from: start))
        case UInt8(ascii: "."): return .octets(.all)
        case UInt8(ascii: "^"): return .start
        case UInt8(ascii: "$"): return .end
        case UInt8(ascii: "\\"): return .octets(try escape(from: start))
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"):
            throw failure(
                "There is nothing to repeat before \"\(Unicode.Scalar(byte))\"; put \"\\\" before it to "
                    + "match the character.",
                at: start)
        case 0xC0...:
            // A repetition applies to a whole character outside ASCII, which has several octets.
            while let more = peek, more & 0xC0 == 0x80 { position += 1 }
            return .sequence(bytes[start..<position].map { .octets(OctetSet($0)) })
        default: return .octets(OctetSet(byte))
        }
    }

    private mutating func group(from start: Int) throws(RegularExpression.Failure) -> RegularExpressionSyntax {
        if take("?"), !take(":") {
            throw failure(
                "Only ( ) and (?: ) are supported: no look-ahead, look-behind, named groups or flags.", at: start)
        }
        depth += 1
        if depth > Self.depthLimit { throw failure("Groups are nested more than \(Self.depthLimit) deep.", at: start) }
        let syntax = try alternatives()
        depth -= 1
        guard take(")") else { throw failure("This group is not closed; add \")\", or write \"\\(\".", at: start) }
        return syntax
    }

    // MARK: Repetition

    private mutating func repetition(
        of atom: RegularExpressionSyntax
    ) throws(RegularExpression.Failure) -> RegularExpressionSyntax {
        let start = position
        let bounds: (least: Int, most: Int?)
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if take("{") {
            bounds = try braces(from: start)
        } else {
            return atom
        }
        // Preferring the shortest or the longest run does not change whether a text matches.
        _ = take("?")
        if let byte = peek, [UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{")].contains(byte)
        {
            throw failure("A repetition can't be repeated directly; put it into a group.")
        }
        return .repeated(atom, least: bounds.least, most: bounds.most)
    }

    private mutating func braces(from start: Int) throws(RegularExpression.Failure) -> (least: Int, most: Int?) {
        let least = try number()
        var most = least
        if take(",") { most = peek == UInt8(ascii: "}") ? nil : try number() }
        guard let least, take("}") else {
            throw failure("Write a repetition as {m}, {m,} or {m,n}; write \"\\{\" for the character.", at: start)
        }
        if let most, most < least { throw failure("The upper bound is below the lower one.", at: start) }
        return (least, most)
    }

    private mutating func number() throws(RegularExpression.Failure) -> Int? {
        let start = position
        var value = 0
        while let byte = peek, byte >= 0x30, byte <= 0x39 {
            value = value * 10 + Int(byte - 0x30)
            position += 1
            if value > Self.repetitionLimit {
                throw failure("A repetition may be at most \(Self.repetitionLimit).", at: start)
            }
        }
        return position > start ? value : nil
    }

    // MARK: Classes and escapes

    private mutating func characterClass(from start: Int) throws(RegularExpression.Failure) -> OctetSet {
        let isInverted = take("^")
        var set = OctetSet()
        var isFirst = true
        while let byte = peek, isFirst || byte != UInt8(ascii: "]") {
            isFirst = false
            let (lower, isOctet) = try classMember(&set)
            guard isOctet, peek == UInt8(ascii: "-"), position + 1 < bytes.count,
                bytes[position + 1] != UInt8(ascii: "]")
            else { continue }
            position += 1
            let rangeStart = position
            var ignored = OctetSet()
            let (upper, isUpperOctet) = try classMember(&ignored)
            guard isUpperOctet, lower <= upper else {
                throw failure("This range is empty or invalid.", at: rangeStart)
            }
            set.formUnion(OctetSet(lower...upper))
        }
        guard take("]") else { throw failure("This class is not closed; add \"]\", or write \"\\[\".", at: start) }
        return isInverted ? set.inverted : set
    }

    /// Adds one member of a class to the set; a single octet may begin a range.
    private mutating func classMember(_ set: inout OctetSet) throws(RegularExpression.Failure) -> (UInt8, Bool) {
        let start = position
        guard let byte = peek else { throw failure("This class is not closed; add \"]\".") }
        position += 1
        switch byte {
        case 0x80...:
            throw failure("A class contains ASCII only; write the characters as alternatives: (é|è).", at: start)
        case UInt8(ascii: "[") where [UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ".")].contains(peek):
            throw failure("Named classes are not supported; write the ranges, as in [a-z].", at: start)
        case UInt8(ascii: "\\"):
            let letter = peek ?? 0
            let escaped = try escape(from: start)
            set.formUnion(escaped)
            if "dwsDWS".utf8.contains(letter) { return (0, false) }
            return ((0...UInt8.max).first { escaped.contains($0) } ?? 0, true)
        default:
            set.insert(byte)
            return (byte, true)
        }
    }

    private mutating func escape(from start: Int) throws(RegularExpression.Failure) -> OctetSet {
        guard let byte = peek else { throw failure("The pattern ends in \"\\\".", at: start) }
        position += 1
        switch byte {
        case UInt8(ascii: "d"): return .digits
        case UInt8(ascii: "D"): return OctetSet.digits.inverted
        case UInt8(ascii: "w"): return .wordOctets
        case UInt8(ascii: "W"): return OctetSet.wordOctets.inverted
        case UInt8(ascii: "s"): return .whiteSpace
        case UInt8(ascii: "S"): return OctetSet.whiteSpace.inverted
        case UInt8(ascii: "t"): return OctetSet(0x09)
        case UInt8(ascii: "n"): return OctetSet(0x0A)
        case UInt8(ascii: "r"): return OctetSet(0x0D)
        case UInt8(ascii: "x"):
            let digits = String(decoding: bytes[position..<min(position + 2, bytes.count)], as: UTF8.self)
            guard digits.utf8.count == 2, digits.first != "+", digits.first != "-", let value = UInt8(digits, radix: 16)
            else { throw failure("\\x needs two hexadecimal digits after it.", at: start) }
            position += 2
            return OctetSet(value)
        case 0x31...0x39, UInt8(ascii: "k"):
            throw failure("Back-references are not supported: they take more than linear time.", at: start)
        case UInt8(ascii: "b"), UInt8(ascii: "B"):
            throw failure(
                "Word boundaries are not supported; write the character at that place, as in (^|/).", at: start)
        case 0x30, 0x41...0x5A, 0x61...0x7A, 0x80...:
            throw failure("This escape has no meaning here.", at: start)
        default: return OctetSet(byte)
        }
    }
}
