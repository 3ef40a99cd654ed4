import HTTPCacheSemantics
import HTTPTypes
import Manifests
import ResponseStore

/// The manifest that is in a seed, for an installation.
struct SeedManifest: Sendable {
    struct Accepted {
        /// The set that its files are pinned for.
        var set: String
        /// The list, to be stored beside the head; `nil` if the head's URL is none that it can stand beside.
        var list: SeedEntry?
        /// Whether a newer head was accepted before, or this one has expired since.
        var isOutdated = false
    }

    let source: ManifestSource
    let states: PreloadStateFiles?

    /// Accepts the head as it was when the seed was built, and keeps what is to be remembered of it: from then on the
    /// installation accepts no older one. Returns `nil` if the seed has no manifest.
    func accept(_ seed: Seed) throws(SeedError) -> Accepted? {
        guard let (published, list) = try seed.manifest() else { return nil }
        guard let states else {
            var nothing = ManifestState()
            return try accept(seed, published, list, &nothing)
        }
        do {
            return try states.change(source.acceptance.id) { try accept(seed, published, list, &$0) }
        } catch let error as SeedError {
            throw error
        } catch {
            throw SeedError(
                .state,
                "What was accepted of the manifest can't be read or kept, so the seed could take the place of "
                    + "something newer; free some space.", cause: error)
        }
    }

    private func accept(
        _ seed: Seed, _ published: [UInt8], _ listBytes: [UInt8], _ known: inout ManifestState
    ) throws(SeedError) -> Accepted {
        let accepted: AcceptedManifest
        // A manifest that has expired since the seed was built still speaks for its files, which came with the app.
        let acceptance = source.acceptance
        do throws(ManifestRefusal) {
            accepted = try acceptance.accept(published, state: known, clock: seed.index.built)
        } catch {
            // As after most updates of the app: the site is newer than the seed by then.
            if known.serial > 0, error.code == .serialOlder || error.code == .expired {
                return Accepted(set: acceptance.id, list: nil, isOutdated: true)
            }
            throw SeedError(.manifest, "The manifest in the seed is refused: \(error.message)", cause: error)
        }
        guard accepted.head.state == .active else {
            throw SeedError(.manifest, "The head in the seed is switched off; build it with one that is active.")
        }
        let reference = Release.ListReference(to: listBytes)
        let list = try list(listBytes, named: reference, of: accepted.head)
        try check(seed.index, list, base: accepted.head.base)
        known = accepted.state
        known.noteShown(known.serial)
        return Accepted(set: accepted.head.id, list: entry(seed, reference))
    }

    private func list(
        _ bytes: [UInt8], named reference: Release.ListReference, of head: ManifestHead
    ) throws(SeedError) -> ReleaseList {
        guard head.releases.contains(where: { $0.list == reference }) else {
            throw SeedError(
                .manifest, "The head in the seed names another list than the one beside it; build it again.")
        }
        do throws(ManifestRefusal) {
            return try ReleaseList(accepting: bytes, named: reference, base: head.base)
        } catch {
            throw SeedError(.manifest, "The list in the seed is refused: \(error.message)", cause: error)
        }
    }

    /// Checks that the files that the list names have its contents. Other files may come with them, such as documents.
    private func check(_ index: SeedIndex, _ list: ReleaseList, base: String) throws(SeedError) {
        var digests: [String: BodyDigest] = [:]
        for file in list.files { digests[file.url(base: base)] = file.digest }
        for file in index.files {
            guard let digest = digests[file.url], digest != file.content.sha256 else { continue }
            throw SeedError(
                .manifest, "The seed has another content of \(file.url) than its manifest says; build it again.")
        }
    }

    /// The list as a file of the seed.
    private func entry(_ seed: Seed, _ reference: Release.ListReference) -> SeedEntry? {
        guard let region = seed.index.manifest?.list, let url = TargetURI.resolve(reference.path, against: source.url)
        else { return nil }
        return SeedEntry(
            url: url, content: ExpectedContent(sha256: reference.digest, size: reference.size), region: region,
            destination: .fetch, group: .boot,
            fields: [.contentType: "application/json", .cacheControl: "max-age=31536000, immutable"])
    }
}
