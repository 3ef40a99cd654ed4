#if Proxy
/// Reads the size lines of the chunked transfer coding, RFC 9112 §7.1.
enum ChunkedCoding {
    /// The longest size line with its extensions, in octets: they ought to be limited (§7.1.1), and there is no use for
    /// long ones.
    static let lineLimit = 4_096

    /// - Parameter line: Without its CRLF.
    /// - Returns: The size; zero for the last chunk.
    /// - Throws: ``MessageFault`` unless it is `1*HEXDIG`, then nothing or extensions, which are ignored.
    static func size(_ line: UnsafeRawBufferPointer, _ kind: MessageKind) throws(MessageFault) -> Int64 {
        var size: Int64 = 0
        var index = 0
        while index < line.count, let digit = Octet.hexadecimalDigit(line[index]) {
            // "MUST anticipate potentially large hexadecimal numerals and prevent parsing errors due to integer
            // conversion overflows".
            guard size <= Int64.max >> 5 else { throw .malformed("A chunk is too large.") }
            size = size << 4 | Int64(digit)
            index += 1
        }
        guard index > 0 else { throw .malformed("A chunk has no size.") }
        let hasPadding = index < line.count && Octet.isWhitespace(line[index])
        while index < line.count, Octet.isWhitespace(line[index]) { index += 1 }
        // Whitespace may stand before an extension only; some origins pad with it.
        let isEnd = index == line.count && (!hasPadding || kind == .response)
        guard isEnd || (index < line.count && line[index] == Octet.semicolon) else {
            throw .malformed("A chunk's size is no number.")
        }
        let isClean = line[index...].allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == Octet.tab }
        guard isClean else { throw .malformed("A chunk extension has control characters.") }
        return size
    }
}
#endif
