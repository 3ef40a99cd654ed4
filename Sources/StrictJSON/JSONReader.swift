/// Reads a JSON text strictly by RFC 8259, within limits; it stops at the first syntax error.
package struct JSONReader {
    package struct Failure: Error {
        package enum Code: Sendable { case tooLarge, tooManyValues, notUnicode, syntax, tooDeep, duplicateKey }
        package var code: Code
        /// The fault and its remedy.
        package var message: String
        /// The offset of the octet at which it was found.
        package var offset: Int
    }

    package static let depthLimit = 32
    /// Up to this number of keys are compared one by one, which is faster than a set.
    private static let smallObject = 12

    private let bytes: [UInt8]
    private let sizeLimit: Int
    /// Values that may still come. Small ones take many times their octets in memory.
    private var valuesLeft: Int
    private var position = 0
    private var depth = 0
    /// Repeated keys, by their octets; only the first occurrence counts.
    package private(set) var duplicates: [JSONValue.Member] = []

    /// - Parameters:
    ///   - sizeLimit: In octets.
    ///   - valueLimit: The most values in the whole text; lists and objects count as well.
    package init(_ bytes: [UInt8], sizeLimit: Int = .max, valueLimit: Int = .max) {
        (self.bytes, self.sizeLimit, valuesLeft) = (bytes, sizeLimit, valueLimit)
    }

    /// The whole text, in which no key may be repeated.
    package static func readUnique(
        _ bytes: [UInt8], sizeLimit: Int, valueLimit: Int = .max
    ) throws(Failure) -> JSONValue.Node {
        var reader = JSONReader(bytes, sizeLimit: sizeLimit, valueLimit: valueLimit)
        let node = try reader.read()
        if let member = reader.duplicates.first {
            throw Failure(
                code: .duplicateKey, message: "The key \"\(member.key)\" is repeated; keep one of them.",
                offset: member.keyOffset)
        }
        return node
    }

    /// The whole text; ``duplicates`` has the keys that were repeated.
    package mutating func read() throws(Failure) -> JSONValue.Node {
        guard bytes.count <= sizeLimit else {
            throw Failure(
                code: .tooLarge, message: "The file has \(bytes.count) octets; at most \(sizeLimit) are allowed.",
                offset: 0)
        }
        if let offset = Self.firstOutsideUnicode(bytes) {
            throw Failure(
                code: .notUnicode, message: "The file is not UTF-8 here; save it as UTF-8.", offset: offset)
        }
        // "implementations that parse JSON texts MAY ignore the presence of a byte order mark" (§8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipWhiteSpace()
        let node = try value()
        skipWhiteSpace()
        if position < bytes.count { throw failure("There is text after the end of the JSON text; remove it.") }
        return node
    }

    /// The offset of the first octet that is no UTF-8.
    private static func firstOutsideUnicode(_ bytes: [UInt8]) -> Int? {
        let text = String(decoding: bytes, as: UTF8.self)
        // Octets that are no UTF-8 become U+FFFD.
        let isSame = text.utf8.withContiguousStorageIfAvailable { text in
            bytes.withUnsafeBufferPointer { text.elementsEqual($0) }
        }
        if isSame ?? text.utf8.elementsEqual(bytes) { return nil }
        return zip(text.utf8, bytes).enumerated().first { $1.0 != $1.1 }?.offset ?? bytes.count
    }

    private func failure(_ message: String, at offset: Int? = nil) -> Failure {
        Failure(code: .syntax, message: message, offset: offset ?? position)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipWhiteSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// The text at this position, for a message.
    private var found: String {
        guard let byte = peek else { return "the file ends" }
        return (0x21...0x7E).contains(byte) ? "there is \"\(Unicode.Scalar(byte))\"" : "there is something else"
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(Failure) -> JSONValue.Node {
        let start = position
        guard valuesLeft > 0 else {
            throw Failure(code: .tooManyValues, message: "There are more values than allowed.", offset: position)
        }
        valuesLeft -= 1
        let value: JSONValue
        switch peek {
        case UInt8(ascii: "{"): value = .object(try nested { reader throws(Failure) in try reader.members() })
        case UInt8(ascii: "["): value = .array(try nested { reader throws(Failure) in try reader.elements() })
        case UInt8(ascii: "\""): value = .string(try string())
        case UInt8(ascii: "-")?, (0x30...0x39)?: value = .number(try number())
        case UInt8(ascii: "t"): value = try word("true", .bool(true))
        case UInt8(ascii: "f"): value = try word("false", .bool(false))
        case UInt8(ascii: "n"): value = try word("null", .null)
        default: throw failure("Expected a value, but \(found).")
        }
        return JSONValue.Node(value: value, offset: start)
    }

    private mutating func nested<Result>(
        _ read: (inout JSONReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard depth < Self.depthLimit else {
            throw Failure(
                code: .tooDeep, message: "Lists and objects are nested more than \(Self.depthLimit) deep.",
                offset: position)
        }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return try read(&self)
    }

    private mutating func elements() throws(Failure) -> [JSONValue.Node] {
        var elements: [JSONValue.Node] = []
        skipWhiteSpace()
        if take("]") { return [] }
        while true {
            skipWhiteSpace()
            elements.append(try value())
            skipWhiteSpace()
            if take("]") { return elements }
            guard take(",") else { throw failure("Expected \",\" or \"]\", but \(found).") }
        }
    }

    private mutating func members() throws(Failure) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        var keys: Set<[UInt8]> = []
        // Swift compares strings by canonical equivalence; keys are equal by their octets (§8.3).
        func isFirst(_ key: String) -> Bool {
            if members.count < Self.smallObject { return !members.contains { $0.key.utf8.elementsEqual(key.utf8) } }
            if keys.isEmpty { keys = Set(members.map { Array($0.key.utf8) }) }
            return keys.insert(Array(key.utf8)).inserted
        }
        skipWhiteSpace()
        if take("}") { return [] }
        while true {
            skipWhiteSpace()
            let keyOffset = position
            guard peek == UInt8(ascii: "\"") else { throw failure("Expected a key in quotes, but \(found).") }
            let key = try string()
            skipWhiteSpace()
            guard take(":") else { throw failure("Expected \":\", but \(found).") }
            skipWhiteSpace()
            let member = JSONValue.Member(key: key, keyOffset: keyOffset, node: try value())
            if isFirst(key) { members.append(member) } else { duplicates.append(member) }
            skipWhiteSpace()
            if take("}") { return members }
            guard take(",") else { throw failure("Expected \",\" or \"}\", but \(found).") }
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        let count = word.utf8CodeUnitCount
        let isThere = word.withUTF8Buffer { $0.elementsEqual(bytes[position..<min(position + count, bytes.count)]) }
        guard isThere else { throw failure("Expected a value; strings need quotes.") }
        position += count
        return value
    }

    /// `[ "-" ] int [ frac ] [ exp ]` (§6)
    private mutating func number() throws(Failure) -> String {
        let start = position
        _ = take("-")
        if !take("0"), !digits() { throw failure("Expected a digit, but \(found).") }
        if take("."), !digits() { throw failure("Expected a digit, but \(found).") }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            if !digits() { throw failure("Expected a digit, but \(found).") }
        }
        if let byte = peek, (0x30...0x39).contains(byte) { throw failure("A number must not begin with 0.", at: start) }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() -> Bool {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        return position > start
    }

    // MARK: Strings (§7)

    private mutating func string() throws(Failure) -> String {
        let start = position
        position += 1
        let plain = bytes[position...].prefix { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
        position = plain.endIndex
        if take("\"") { return String(decoding: plain, as: UTF8.self) }
        var text = Array(plain)
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += try escape()
            case 0..<0x20:
                throw failure("A string must end on its own line; write \\n for a line break, \\t for a tab.")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw failure("The file ends in the middle of a string.", at: start)
    }

    private mutating func escape() throws(Failure) -> [UInt8] {
        let start = position
        position += 1
        guard let byte = peek else { throw failure("The file ends in the middle of a string.", at: start) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var units = [try codeUnit(start)]
            if UTF16.isLeadSurrogate(units[0]), take("\\"), take("u") { units.append(try codeUnit(start)) }
            let scalar = String(decoding: units, as: UTF16.self)
            guard scalar.utf16.elementsEqual(units) else {
                throw failure("Half of a surrogate pair is not a character.", at: start)
            }
            return Array(scalar.utf8)
        default:
            throw failure(
                "\"\\\" needs one of \" \\ / b f n r t u after it; write \"\\\\\" for a backslash.", at: start)
        }
    }

    private mutating func codeUnit(_ start: Int) throws(Failure) -> UInt16 {
        let digits = bytes[position..<min(position + 4, bytes.count)]
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("\\u needs four hexadecimal digits after it.", at: start) }
        position += 4
        return unit
    }
}
