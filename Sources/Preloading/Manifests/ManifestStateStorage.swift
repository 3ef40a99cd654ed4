import Manifests

/// Keeps what an installation has accepted, where no purge of caches reaches it.
package protocol ManifestStateStorage: Sendable {
    /// `nil` before the first.
    func manifestState(of id: String) throws -> ManifestState?

    /// Returns once it is kept: nothing is fetched before.
    func keep(_ state: ManifestState, of id: String) throws
}
