#if !canImport(CryptoKit)
import Crypto

/// SHA-256 over pieces, from swift-crypto.
package struct SHA256Hasher: Sendable {
    private var hash = SHA256()

    package init() {}

    package mutating func update(_ bytes: [UInt8]) {
        hash.update(data: bytes)
    }

    package func digest() -> BodyDigest? { BodyDigest(hash.finalize()) }
}
#endif
