/// The part of Structured Field Values, RFC 9651, that the fields of this module use.
///
/// Reading is strict: one invalid member makes the whole field invalid ("the entire field value MUST be ignored",
/// RFC 9651 §4.2). All readers take time proportional to the length of the field.
enum StructuredField {
    /// A bare item, §3.3.
    enum BareItem: Hashable, Sendable {
        /// §3.3.1: at most fifteen digits.
        case integer(Int64)
        /// §3.3.3: printable ASCII, without quotes and escapes.
        case string(String)
        /// §3.3.4
        case token(String)
        /// §3.3.6
        case boolean(Bool)
        /// A Decimal, Byte Sequence, Date or Display String: well-formed, but no field here uses its value.
        case other
    }

    /// A bare item with its parameters, §3.1.2; the last of equal keys counts.
    struct Item: Hashable, Sendable {
        var value: BareItem
        var parameters: [String: BareItem]
    }

    /// A member of a Dictionary.
    enum Member: Hashable, Sendable {
        case item(Item)
        /// §3.1.1. Its own parameters are read and dropped: no field here uses them.
        case innerList([Item])
    }

    /// Reads a Dictionary, §4.2.2: keys in the order of their first occurrence, each with its last value.
    ///
    /// - Parameter lines: The values of the field's lines, combined as §4.2 asks for.
    /// - Returns: No members for an empty field, `nil` for a broken one.
    static func dictionary(lines: [String]) -> [(key: String, member: Member)]? {
        var scanner = ByteScanner(lines.joined(separator: ", "))
        return scanner.structuredDictionary()
    }

    /// A String as in §4.1.6. Characters that a String can't contain become `?`.
    static func serialized(string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append((0x20...0x7E).contains(scalar.value) ? scalar : "?")
        }
        return text + "\""
    }

    /// Whether a text can be printed as a Token, §3.3.4.
    static func isToken(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        return isTokenStart(first) && text.utf8.allSatisfy(isTokenByte)
    }

    static func isTokenStart(_ byte: UInt8) -> Bool { ByteScanner.isLetter(byte) || byte == 0x2A }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        ByteScanner.isTokenByte(byte) || byte == 0x3A || byte == 0x2F
    }
}

/// The parsing algorithms of RFC 9651 §4.2, in its order. Every function returns `nil` where the algorithm fails.
extension ByteScanner {
    /// §4.2.2, from the first octet of a field value to the last.
    mutating func structuredDictionary() -> [(key: String, member: StructuredField.Member)]? {
        var members: [(key: String, member: StructuredField.Member)] = []
        var positions: [String: Int] = [:]
        skipSpaces()
        while !isAtEnd {
            guard let key = structuredKey(), let member = structuredValue(), endsMember() else { return nil }
            if let position = positions[key] {
                members[position].member = member
            } else {
                positions[key] = members.count
                members.append((key, member))
            }
        }
        return members
    }

    /// The end of the field, or a comma and the start of another member: a trailing comma is an error.
    private mutating func endsMember() -> Bool {
        skipWhitespace()
        if isAtEnd { return true }
        guard take(",") else { return false }
        skipWhitespace()
        return !isAtEnd
    }

    private mutating func skipSpaces() {
        while peek == 0x20 { advance() }
    }

    /// The value after a Dictionary's key; no `=` is Boolean true.
    private mutating func structuredValue() -> StructuredField.Member? {
        if take("=") { return structuredMember() }
        return structuredParameters().map { .item(StructuredField.Item(value: .boolean(true), parameters: $0)) }
    }

    /// §4.2.1.1
    private mutating func structuredMember() -> StructuredField.Member? {
        if peek == 0x28 { return structuredInnerList().map { .innerList($0) } }
        return structuredItem().map { .item($0) }
    }

    /// §4.2.1.2
    private mutating func structuredInnerList() -> [StructuredField.Item]? {
        guard take("(") else { return nil }
        var items: [StructuredField.Item] = []
        while !isAtEnd {
            skipSpaces()
            if take(")") { return structuredParameters() == nil ? nil : items }
            guard let item = structuredItem(), peek == 0x20 || peek == 0x29 else { return nil }
            items.append(item)
        }
        return nil
    }

    /// §4.2.3
    private mutating func structuredItem() -> StructuredField.Item? {
        guard let value = bareItem(), let parameters = structuredParameters() else { return nil }
        return StructuredField.Item(value: value, parameters: parameters)
    }

    /// §4.2.3.1
    private mutating func bareItem() -> StructuredField.BareItem? {
        guard let first = peek else { return nil }
        switch first {
        case 0x2D, 0x30...0x39: return structuredNumber()
        case 0x22: return structuredString().map { .string($0) }
        case 0x3A: return takesByteSequence() ? .other : nil
        case 0x3F: return take("?1") ? .boolean(true) : take("?0") ? .boolean(false) : nil
        case 0x40: return takesDate() ? .other : nil
        case 0x25: return takesDisplayString() ? .other : nil
        default:
            guard StructuredField.isTokenStart(first) else { return nil }
            return .token(text(while: StructuredField.isTokenByte))
        }
    }

    /// §4.2.3.2
    private mutating func structuredParameters() -> [String: StructuredField.BareItem]? {
        var parameters: [String: StructuredField.BareItem] = [:]
        while take(";") {
            skipSpaces()
            guard let key = structuredKey(), let value = take("=") ? bareItem() : .boolean(true) else { return nil }
            parameters[key] = value
        }
        return parameters
    }

    /// §4.2.3.3
    private mutating func structuredKey() -> String? {
        guard let first = peek, (0x61...0x7A).contains(first) || first == 0x2A else { return nil }
        return text { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, 0x5F, 0x2D, 0x2E, 0x2A: true
            default: false
            }
        }
    }

    /// §4.2.4: fifteen digits, or twelve and up to three more after a decimal point.
    private mutating func structuredNumber() -> StructuredField.BareItem? {
        let isNegative = take("-")
        let integral = text(while: Self.isDigit)
        guard take(".") else {
            guard integral.utf8.count <= 15, let value = Int64(integral) else { return nil }
            return .integer(isNegative ? -value : value)
        }
        let fraction = text(while: Self.isDigit)
        guard (1...12).contains(integral.utf8.count), (1...3).contains(fraction.utf8.count) else { return nil }
        return .other
    }

    /// §4.2.5: unlike a quoted-string, printable ASCII only, with escapes for `"` and `\` alone.
    private mutating func structuredString() -> String? {
        guard take("\"") else { return nil }
        var content: [UInt8] = []
        while let byte = next() {
            switch byte {
            case 0x22: return String(decoding: content, as: UTF8.self)
            case 0x5C:
                guard let escaped = next(), escaped == 0x22 || escaped == 0x5C else { return nil }
                content.append(escaped)
            case 0x20...0x7E: content.append(byte)
            default: return nil
            }
        }
        return nil
    }

    /// §4.2.7: padding may be missing, and pad bits are not checked.
    private mutating func takesByteSequence() -> Bool {
        guard take(":") else { return false }
        let digits = text { Self.isLetter($0) || Self.isDigit($0) || $0 == 0x2B || $0 == 0x2F }.utf8.count
        let padding = text { $0 == 0x3D }.utf8.count
        // Four digits are three octets, so a single remaining digit is invalid; padding fills up to four.
        return take(":") && digits % 4 != 1 && (padding == 0 || (padding <= 2 && (digits + padding) % 4 == 0))
    }

    /// §4.2.9
    private mutating func takesDate() -> Bool {
        guard take("@"), case .integer = structuredNumber() else { return false }
        return true
    }

    /// §4.2.10
    private mutating func takesDisplayString() -> Bool {
        guard take("%\"") else { return false }
        var content: [UInt8] = []
        while let byte = next() {
            switch byte {
            case 0x22: return String(decoding: content, as: UTF8.self).utf8.elementsEqual(content)
            case 0x25:
                guard let high = lowercaseHexadecimal(), let low = lowercaseHexadecimal() else { return false }
                content.append(high << 4 | low)
            case 0x20...0x7E: content.append(byte)
            default: return false
            }
        }
        return false
    }

    private mutating func lowercaseHexadecimal() -> UInt8? {
        switch next() {
        case let digit? where Self.isDigit(digit): digit - 0x30
        case let letter? where (0x61...0x66).contains(letter): letter - 0x61 + 10
        default: nil
        }
    }
}
