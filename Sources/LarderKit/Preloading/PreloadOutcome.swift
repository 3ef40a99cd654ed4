import Preloading

/// The result of fetching a set ahead of need.
public struct PreloadOutcome: Hashable, Sendable {
    /// Its name, as in ``Larder/preloadEvents``.
    public var set: String
    /// The decision of the manifest; `nil` for other sets.
    public var update: ManifestUpdate?
    /// How far the set has come. What is waiting goes on by itself while the ``Larder`` lives.
    public var summary: PreloadSummary

    /// The set's pages, asked for without a network once all has come that can come now: which open, and what the
    /// others lack.
    public var offline = OfflinePages()

    /// Whether all of it is in the store, and is what it has to be. Not where the manifest names no release.
    public var isReady: Bool { summary.items > 0 && summary.verified == summary.items }
}
