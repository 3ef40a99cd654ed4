import ResponseStore

/// `integrity`, Subresource Integrity §3.3: hashes of a content without its codings, the strongest kind counts.
enum Integrity {
    /// - Returns: `nil` unless one SHA-256 alone decides.
    static func content(_ metadata: String) -> ExpectedContent? {
        var hashes: Set<[UInt8]> = []
        for word in metadata.split(whereSeparator: { $0.isWhitespace }) {
            let expression = word.prefix { $0 != "?" }
            if expression.hasPrefix("sha384-") || expression.hasPrefix("sha512-") { return nil }
            guard expression.hasPrefix("sha256-") else { continue }
            guard let hash = bytes(expression.dropFirst(7)) else { return nil }
            hashes.insert(hash)
        }
        guard hashes.count == 1, let hash = hashes.first, let digest = BodyDigest(hash) else { return nil }
        return ExpectedContent(sha256: digest, size: nil)
    }

    /// 32 octets in base64 or base64url, RFC 4648 §4 and §5: 43 characters, and perhaps `=`.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 43 || digits.count == 44 && digits[43] == 0x3D else { return nil }
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for digit in digits.prefix(43) {
            guard let value = value(digit) else { return nil }
            (bits, count) = ((bits << 6 | value) & 0xFFFF, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes.count == 32 ? bytes : nil
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case 0x41...0x5A: UInt32(digit) - 0x41
        case 0x61...0x7A: UInt32(digit) - 0x61 + 26
        case 0x30...0x39: UInt32(digit) - 0x30 + 52
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: nil
        }
    }
}
