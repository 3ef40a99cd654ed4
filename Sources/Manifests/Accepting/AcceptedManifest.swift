/// A head that was accepted, and what to do about it.
package struct AcceptedManifest: Hashable, Sendable {
    package var head: ManifestHead
    package var choice: Choice
    /// To be kept before anything is fetched.
    package var state: ManifestState
    /// Whether it is the head that was accepted last.
    package var isUnchanged: Bool

    package enum Choice: Hashable, Sendable {
        /// The list to fetch.
        case release(Release)
        /// Nothing is fetched, and what is held stays: `paused` or `app-too-old`.
        case nothing(ManifestRefusal)
        /// Nothing is fetched, and what is held stays: no release is rolled out to this installation yet.
        case notYet
        /// Nothing is fetched, and what earlier lists have pinned is unpinned.
        case unpin(ManifestRefusal)
    }

    /// The release to use.
    package var release: Release? { if case .release(let release) = choice { release } else { nil } }
}
