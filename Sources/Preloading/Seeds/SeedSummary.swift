import HTTPCacheSemantics

/// What filling the store from a seed came to.
public struct SeedSummary: Hashable, Sendable {
    /// Something that was not stored.
    public struct Failure: Hashable, Sendable {
        public var url: String
        public var refusal: PreloadRefusal

        package init(url: String, _ refusal: PreloadRefusal) { (self.url, self.refusal) = (url, refusal) }
    }

    /// What is in the seed.
    package var files = 0
    /// What was stored by this run.
    public var stored = 0
    /// Of what was stored, as it is in the file.
    package var storedSize = ByteCount.zero
    /// What was stored already, with this content.
    package var held = 0
    /// What stays because it is newer than the seed.
    package var newer = 0
    /// What is damaged or may not be stored. Beyond 100 only ``failed`` counts them.
    public var failures: [Failure] = []
    public var failed = 0
    /// Why the run ended before the last file: `cancelled`, or `disk-full`. The next run goes on from there.
    package var stopped: PreloadRefusal?
    /// Whether nothing was done because a newer head of the manifest was accepted before: its own files are newer.
    package var isOutdated = false

    package init() {}

    /// Whether another run would find nothing to do, unless something is removed.
    package var isComplete: Bool { stopped == nil }
}
