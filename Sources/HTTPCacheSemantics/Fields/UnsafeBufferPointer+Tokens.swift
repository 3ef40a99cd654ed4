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
