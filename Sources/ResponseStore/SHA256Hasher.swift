import HTTPCacheSemantics

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// SHA-256 over pieces, from CryptoKit where there is one.
package struct SHA256Hasher: Sendable {
    private var hash = SHA256()

    package init() {}

    package mutating func update(_ bytes: [UInt8]) {
        hash.update(data: bytes)
    }

    package static func digest(of bytes: [UInt8]) -> BodyDigest { BodyDigest(hash: SHA256.hash(data: bytes)) }

    package func digest() -> BodyDigest { BodyDigest(hash: hash.finalize()) }
}
