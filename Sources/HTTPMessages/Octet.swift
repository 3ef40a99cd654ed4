#if Proxy
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Octets that HTTP/1.1 gives a meaning, RFC 9110 §2.1 and §5.6.
enum Octet {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B

    static func isWhitespace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// A visible ASCII character.
    static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Where an octet stands first, at or after a position.
    static func firstIndex(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from position: Int = 0) -> Int? {
        guard position < bytes.count, let base = bytes.baseAddress else { return nil }
        return memchr(base + position, Int32(byte), bytes.count - position).map { UnsafeRawPointer($0) - base }
    }

    /// Without the optional whitespace at both ends (RFC 9110 §5.6.3).
    static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var (start, end) = (bytes.startIndex, bytes.endIndex)
        while start < end, isWhitespace(bytes[start]) { start += 1 }
        while end > start, isWhitespace(bytes[end - 1]) { end -= 1 }
        return bytes[start..<end]
    }
}
#endif
