/// A cursor over the bytes of a field value, with the lexical rules of RFC 9110 §5.6.
package struct ByteScanner {
    private let bytes: [UInt8]
    private(set) var position = 0
    /// Whether a quoted string without an end was found. Every later quote was escaped in that reading, so no quoted
    /// string that starts there ends either, and trying each would take quadratic time.
    private var hasOpenQuote = false

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package var isAtEnd: Bool { position == bytes.count }

    package var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    package mutating func advance() {
        if position < bytes.count { position += 1 }
    }

    /// Takes one octet; `nil` at the end.
    mutating func next() -> UInt8? {
        defer { advance() }
        return peek
    }

    /// The octets before the first that does not belong.
    package mutating func text(while belongs: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = peek, belongs(byte) { advance() }
        return text(start..<position)
    }

    /// Takes exactly this text, or nothing.
    package mutating func take(_ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        let matches = literal.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + count]) }
        if matches { position += count }
        return matches
    }

    /// One or more letters; `nil` if there is none.
    mutating func letters() -> String? {
        let start = position
        while let byte = peek, Self.isLetter(byte) { advance() }
        return start == position ? nil : text(start..<position)
    }

    /// `1*DIGIT`, clamped to the greatest `Int64`; `nil` if there is no digit.
    mutating func digits() -> Int64? {
        let start = position
        var value: Int64 = 0
        while let byte = peek, (0x30...0x39).contains(byte) {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int64(byte - 0x30))
            value = overflow || carry ? .max : sum
            advance()
        }
        return start == position ? nil : value
    }

    /// Exactly this number of decimal digits.
    package mutating func number(digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<position + digits] {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        position += digits
        return value
    }

    /// `OWS` of §5.6.3: spaces and tabs.
    package mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 { advance() }
    }

    /// A `token` of §5.6.2; `nil` if there is none.
    package mutating func token() -> String? {
        let start = position
        while let byte = peek, Self.isTokenByte(byte) { advance() }
        return start == position ? nil : text(start..<position)
    }

    /// A `quoted-string` of §5.6.4 without its quotes and escapes; `nil`, without moving, if it has no end.
    package mutating func quotedString() -> String? {
        let start = position
        guard !hasOpenQuote, take("\"") else { return nil }
        var content: [UInt8] = []
        while let byte = peek {
            advance()
            switch byte {
            case 0x22: return String(decoding: content, as: UTF8.self)
            case 0x5C:
                guard let escaped = peek else { break }
                content.append(escaped)
                advance()
            default: content.append(byte)
            }
        }
        position = start
        hasOpenQuote = true
        return nil
    }

    /// Everything before the next of these bytes outside a quoted string.
    mutating func text(upTo stops: [UInt8]) -> String {
        let start = position
        while let byte = peek, !stops.contains(byte) {
            if byte != 0x22 || quotedString() == nil { advance() }
        }
        return text(start..<position)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    package static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

    /// `tchar`, RFC 9110 §5.6.2.
    package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: return true
        default: return false
        }
    }
}

/// Reading octets in place, inside closures that borrow a string's octets; no pointer escapes them.
///
/// Positions run from zero to `count`; no function reads past `count`.
extension UnsafeBufferPointer<UInt8> {
    /// The first position without a space or tab (`OWS`, RFC 9110 §5.6.3).
    func endOfWhitespace(from start: Int) -> Int {
        var position = start
        while position < count, self[position] == 0x20 || self[position] == 0x09 { position += 1 }
        return position
    }

    /// The first position without an octet of a `token` (RFC 9110 §5.6.2).
    func endOfToken(from start: Int) -> Int {
        var position = start
        while position < count, ByteScanner.isTokenByte(self[position]) { position += 1 }
        return position
    }

    /// The range without the spaces and tabs at both ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        return start..<end
    }

    /// The text of a range of octets, without an allocation up to 15 octets.
    func text(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { text in
            for offset in 0..<range.count { text[offset] = self[range.lowerBound + offset] }
            return range.count
        }
    }

    /// Whether a range holds this name, ignoring the case of ASCII letters.
    ///
    /// - Parameter name: In lower case.
    func matches(_ name: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { expected in
            var index = 0
            while index < expected.count {
                if Self.lowercased(self[range.lowerBound + index]) != expected[index] { return false }
                index += 1
            }
            return true
        }
    }

    /// ASCII letters only.
    static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// A non-negative number of whole seconds, RFC 9111 §1.2.2.
package enum DeltaSeconds {
    /// Greater values count as this one: "the cache MUST consider the value to be 2147483648 (2^31) or the greatest
    /// positive integer it can conveniently represent".
    package static let greatest: Int64 = 2_147_483_648

    /// - Parameter text: `1*DIGIT`, nothing else: no sign, no fraction, no white space.
    /// - Returns: `nil` for any other text.
    package static func parse(_ text: some StringProtocol) -> Duration? {
        text.utf8.withContiguousStorageIfAvailable(seconds) ?? seconds(text.utf8)
    }

    private static func seconds(_ digits: some Sequence<UInt8>) -> Duration? {
        var seconds: Int64?
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            seconds = min(greatest, (seconds ?? 0) * 10 + Int64(byte - 0x30))
        }
        return seconds.map { .seconds($0) }
    }
}
