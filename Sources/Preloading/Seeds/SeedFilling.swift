import CacheEngine
import HTTPCacheSemantics
import ResponseStore

/// Fills the store from a seed, one file at a time and each a piece at a time: what every page needs first.
///
/// A file is visible once all of it is copied and has its hash. What the store has of the same URL stays if it was
/// received after the seed was built, also when it is stale; and what a page is fetching takes the place of what comes
/// from the seed. Responses count as received when the seed was built, so that they are fresh, stale and validated as
/// any others. Pages come first: while they use the network, nothing is copied but what a page waits for.
///
/// Stored responses are pinned in the name of the manifest's set, or of `seed:` and the id where there is no manifest.
package struct SeedFilling: Sendable {
    /// Consecutive store failures treated as a full disk, and not as one content too long.
    private static let mostStoreFailures = 3
    private static let mostFailures = 100
    /// How many styles and scripts without a hash in their names are noted of each page.
    private static let mostFiles = 100

    let seed: Seed
    let cache: ResponseCache
    let configuration: PreloadConfiguration
    /// `nil` where the seed's manifest is not looked at.
    let manifest: SeedManifest?

    /// - Parameters:
    ///   - configuration: Its partition, and what requests of the view look like.
    ///   - source: Where the manifest is published, and whom it is believed. `nil` does not look at the one in the
    ///     seed.
    ///   - states: Where the seed's head becomes the least that this installation accepts.
    package init(
        _ seed: Seed, cache: ResponseCache, configuration: PreloadConfiguration = PreloadConfiguration(),
        manifest source: ManifestSource? = nil, states: PreloadStateFiles? = nil
    ) {
        (self.seed, self.cache, self.configuration) = (seed, cache, configuration)
        manifest = source.map { SeedManifest(source: $0, states: states) }
    }

    /// Copies what is missing: nothing where a run has come to its end, the rest where one was cut short.
    ///
    /// - Parameter progress: Is called after each file.
    /// - Throws: ``SeedError`` where the file can't be read, or its manifest is refused. Whatever was stored before
    ///   that is verified, and stays.
    @discardableResult
    package func run(progress: (@Sendable (SeedSummary) -> Void)? = nil) async throws(SeedError) -> SeedSummary {
        var summary = SeedSummary()
        summary.files = seed.index.files.count
        let accepted = try manifest?.accept(seed)
        if accepted?.isOutdated == true {
            summary.isOutdated = true
            return summary
        }
        let set = accepted?.set ?? "seed:" + seed.index.id
        var copies = seed.index.files.enumerated().sorted {
            ($0.element.group, $0.offset) < ($1.element.group, $1.offset)
        }.map { SeedCopy($0.element, of: self, site: manifest?.source.site ?? "", origin: manifest?.source.pageOrigin) }
        // Beside its head, where the first update of the manifest looks for it. It is no file of the set.
        if let list = accepted?.list { copies.insert(SeedCopy(list, of: self, site: "", origin: nil), at: 0) }

        var pins = SeedPins(cache: cache, set: set, partition: configuration.partition)
        var (storeFailures, pages) = (0, [SeedCopy]())
        for copy in copies {
            let isListed = copy.entry != accepted?.list
            let outcome = try await copy.run()
            if isListed { Self.count(outcome, copy.entry, in: &summary) }
            switch outcome {
            case .stored, .held, .newer:
                storeFailures = 0
                if isListed, let key = copy.key { await pins.add(key) }
                if outcome == .stored, copy.entry.destination == .document { pages.append(copy) }
            case .refused: storeFailures = 0
            case .notStored(let refusal):
                storeFailures += 1
                if storeFailures >= Self.mostStoreFailures { summary.stopped = refusal }
            case .cancelled:
                summary.stopped = PreloadRefusal(.cancelled, "It was cancelled; run it again to go on.")
            }
            if summary.stopped != nil { break }
            progress?(summary)
        }
        await pins.write()
        await noteFiles(of: pages, copies)
        if summary.isComplete, accepted == nil { await pins.endOthers() }
        return summary
    }

    /// Notes the styles and scripts that a page came with, and with which it opens beside some of a newer release.
    private func noteFiles(of pages: [SeedCopy], _ all: [SeedCopy]) async {
        guard !pages.isEmpty else { return }
        var files: [StoredEntry] = []
        for copy in all where copy.isCodeWithoutHash && files.count < Self.mostFiles {
            if let file = await copy.stored() { files.append(file) }
        }
        for page in pages { if let stored = await page.stored() { await cache.keepFiles(files, of: stored) } }
    }

    private static func count(_ outcome: SeedCopy.Outcome, _ entry: SeedEntry, in summary: inout SeedSummary) {
        switch outcome {
        case .stored:
            summary.stored += 1
            summary.storedSize += ByteCount(Int64(entry.region.count))
        case .held: summary.held += 1
        case .newer: summary.newer += 1
        case .cancelled: break
        case .notStored(let refusal), .refused(let refusal):
            summary.failed += 1
            if summary.failures.count < mostFailures { summary.failures.append(.init(url: entry.url, refusal)) }
        }
    }
}

/// The pins of a run, which are written in portions.
private struct SeedPins {
    private static let atOnce = 64

    let cache: ResponseCache
    let set: String
    let partition: String
    var known: Set<CacheKey>?
    var all: Set<CacheKey> = []
    var waiting: [CacheKey] = []

    mutating func add(_ key: CacheKey) async {
        all.insert(key)
        if known == nil { known = try? await PreloadQueue.pins(of: set, in: partition, cache) }
        if known?.contains(key) != true { waiting.append(key) }
        if waiting.count >= Self.atOnce { await write() }
    }

    /// Keys that can't be pinned now are pinned by the next run.
    mutating func write() async {
        guard !waiting.isEmpty else { return }
        try? await cache.store.pin(waiting, for: PreloadQueue.holder(set))
        waiting = []
    }

    /// Ends the pins of an earlier seed.
    func endOthers() async {
        guard let known, !known.isSubset(of: all) else { return }
        try? await cache.store.unpin(Array(known.subtracting(all)), for: PreloadQueue.holder(set))
    }
}

/// The result of filling the store from a seed.
public struct SeedSummary: Hashable, Sendable {
    /// Something that was not stored.
    public struct Failure: Hashable, Sendable {
        public var url: String
        public var refusal: PreloadRefusal

        package init(url: String, _ refusal: PreloadRefusal) { (self.url, self.refusal) = (url, refusal) }
    }

    /// How many files the seed has.
    package var files = 0
    /// How many this run has stored.
    public var stored = 0
    /// The size of the stored files, as they are in the seed.
    package var storedSize = ByteCount.zero
    /// How many were stored already, with this content.
    package var held = 0
    /// How many stored responses stay because they are newer than the seed.
    package var newer = 0
    /// Files that are damaged or may not be stored. Beyond 100 only ``failed`` counts them.
    public var failures: [Failure] = []
    public var failed = 0
    /// Why the run ended before the last file: `cancelled`, or `disk-full`. The next run goes on from there.
    package var stopped: PreloadRefusal?
    /// Whether nothing was done because a newer head of the manifest was accepted before: its own files are newer.
    package var isOutdated = false

    /// Whether another run would find nothing to do, unless something is removed.
    package var isComplete: Bool { stopped == nil }
}
