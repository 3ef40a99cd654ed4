/// The keys that an app accepts, compiled into it.
package struct PinnedKeys: Hashable, Sendable {
    /// Any of these signs a manifest: the one in use, and the next one, so that it can be replaced without an app update.
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
