import HTTPCacheSemantics

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Manifests state digests as texts.
extension BodyDigest {
    /// - Parameter text: 64 hexadecimal digits, in lower case only: one digest has one text.
    package init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes)
    }

    package init(of bytes: [UInt8]) { self.init(hash: SHA256.hash(data: bytes)) }
}
