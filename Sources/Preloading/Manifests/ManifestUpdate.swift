import HTTPCacheSemantics
import Manifests

/// What looking for a newer manifest came to.
public struct ManifestUpdate: Hashable, Sendable {
    /// ``ManifestHead/serial``.
    public var serial: Int64
    /// Whether the head is the one that was accepted last.
    public var isUnchanged: Bool
    public var outcome: Outcome

    public enum Outcome: Hashable, Sendable {
        /// The files of this release are in the queue.
        case queued(release: String, files: Int, size: ByteCount)
        /// Nothing is fetched, and what is held stays: `paused` or `app-too-old`.
        case held(ManifestRefusal)
        /// No release is rolled out to this installation yet; what is held stays.
        case notYet
        /// The publisher has switched the manifest off: its pins are gone.
        case unpinned(ManifestRefusal)
    }
}
