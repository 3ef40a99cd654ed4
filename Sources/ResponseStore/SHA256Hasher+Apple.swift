#if canImport(CryptoKit)
import CryptoKit

/// SHA-256 over pieces, from CryptoKit.
struct SHA256Hasher {
    private var hash = SHA256()

    mutating func update(_ bytes: [UInt8]) {
        hash.update(data: bytes)
    }

    func digest() -> BodyDigest? { BodyDigest(hash.finalize()) }
}
#endif
