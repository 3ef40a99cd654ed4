import HTTPCacheSemantics

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
        id = Hexadecimal.text(BodyDigest(of: bytes).bytes.prefix(16))
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

/// The keys that an app accepts, compiled into it.
package struct PinnedKeys: Hashable, Sendable {
    /// Any of these signs a manifest: the one in use, and the next one, which replaces it without an app update.
    package var signing: [ManifestKey]
    /// Kept offline. It alone revokes the others, and its signature counts on heads that state revocations only.
    package var recovery: ManifestKey?
    /// How many different keys must have signed; 1 unless set, at least 1.
    package var threshold: Int

    package init(_ signing: [ManifestKey], recovery: ManifestKey? = nil, threshold: Int = 1) {
        (self.signing, self.recovery, self.threshold) = (signing, recovery, max(1, threshold))
    }

    func key(_ id: String) -> ManifestKey? {
        if let recovery, recovery.id == id { return recovery }
        return signing.first { $0.id == id }
    }
}
