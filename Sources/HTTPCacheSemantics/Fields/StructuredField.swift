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

    /// A member of a List or a Dictionary.
    enum Member: Hashable, Sendable {
        case item(Item)
        /// §3.1.1. Its own parameters are read and dropped: no field here uses them.
        case innerList([Item])
    }

    /// Reads a List, §4.2.1.
    ///
    /// - Parameter lines: The values of the field's lines, combined as §4.2 asks for.
    /// - Returns: No members for an empty field, `nil` for a broken one.
    static func list(lines: [String]) -> [Member]? {
        var scanner = ByteScanner(lines.joined(separator: ", "))
        return scanner.structuredList()
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
