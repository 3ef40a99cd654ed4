#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif
import HTTPCacheSemantics

/// A private Ed25519 key. It belongs where manifests are published, never in an app.
package struct ManifestSigningKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// A new one, from the system's random numbers.
    package init() { key = Curve25519.Signing.PrivateKey() }

    /// - Parameter text: As ``secretText`` prints it.
    package init?(_ text: String) {
        guard text.utf8.starts(with: "ed25519-private:".utf8), let bytes = Hexadecimal.bytes(text.dropFirst(16)),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        self.key = key
    }

    /// The secret itself: `ed25519-private:` and 64 hexadecimal digits.
    package var secretText: String { "ed25519-private:" + Hexadecimal.text(key.rawRepresentation) }

    /// `nil` never happens with a key of 32 bytes.
    package var publicKey: ManifestKey? { ManifestKey(bytes: Array(key.publicKey.rawRepresentation)) }

    /// - Returns: 64 bytes over the payload in its authentication encoding (``SignedManifest/authenticated(_:)``).
    func signature(of payload: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: SignedManifest.authenticated(payload)))
    }
}

extension ManifestKey {
    /// Whether a signature over a payload is by this key.
    func verifies(_ signature: [UInt8], of payload: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
        return key.isValidSignature(signature, for: SignedManifest.authenticated(payload))
    }
}
