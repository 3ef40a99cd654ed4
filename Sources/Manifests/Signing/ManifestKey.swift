/// A public Ed25519 key (RFC 8032) that may sign manifests. Apps pin it; it is no secret.
package struct ManifestKey: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes.
    package let bytes: [UInt8]
    /// The first 32 hexadecimal digits of the key's SHA-256; it chooses among pinned keys and proves nothing.
    package let id: String

    /// - Returns: `nil` unless there are exactly 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
        id = Hexadecimal.text(ContentDigest(of: bytes).bytes.prefix(16))
    }

    /// - Parameter text: As `larder manifest keygen` writes it: `ed25519:` and 64 lower-case hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.starts(with: "ed25519:".utf8), let bytes = Hexadecimal.bytes(text.dropFirst(8)) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    package var description: String { "ed25519:" + Hexadecimal.text(bytes) }

    static func isID(_ text: String) -> Bool { text.utf8.count == 32 && Hexadecimal.bytes(text) != nil }
}
