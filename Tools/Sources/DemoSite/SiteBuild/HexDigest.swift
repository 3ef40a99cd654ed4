import Crypto

/// Digests in hexadecimal digits.
enum HexDigest {
    /// SHA-256 (FIPS 180-4) of the bytes.
    static func sha256(_ bytes: [UInt8]) -> String {
        hexadecimal(SHA256.hash(data: bytes))
    }

    /// Two lower-case digits for each byte.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
