import Crypto
import HTTPCacheSemantics

/// Digests in hexadecimal digits.
enum HexDigest {
    /// SHA-256 (FIPS 180-4) of the bytes.
    static func sha256(_ bytes: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(data: bytes)) }
}
