/// Who may speak for a site.
package enum ManifestTrust: Hashable, Sendable {
    /// Heads signed by these keys alone.
    case pinned(PinnedKeys)
    /// Any head that the server sends over https: whoever can change files on the server can change what is preloaded.
    case server
}
