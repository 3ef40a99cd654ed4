import HTTPCacheSemantics

/// What a list needs that is not held yet. Takes time in proportion to the number of files.
package struct ManifestDifference: Hashable, Sendable {
    /// In the order of the list.
    package private(set) var missing: [ListedFile] = []
    /// Of ``missing``: what has to be fetched, before any content coding saves some of it.
    package private(set) var missingSize = ByteCount.zero
    package private(set) var heldCount = 0
    package private(set) var heldSize = ByteCount.zero

    /// - Parameters:
    ///   - base: From the head.
    ///   - isHeld: Whether a response with this content is stored under this URL.
    package init(_ list: ReleaseList, base: String, isHeld: (_ url: String, _ digest: ContentDigest) -> Bool) {
        for file in list.files {
            if isHeld(file.url(base: base), file.digest) {
                heldCount += 1
                heldSize += file.size
            } else {
                missing.append(file)
                missingSize += file.size
            }
        }
    }

    /// Against what is held, by URL.
    package init(_ list: ReleaseList, base: String, held: [String: ContentDigest]) {
        self.init(list, base: base) { held[$0] == $1 }
    }

    /// What a device that holds one list has to fetch for another.
    package init(from old: ReleaseList, base oldBase: String, to new: ReleaseList, base: String) {
        let held = Dictionary(old.files.map { ($0.url(base: oldBase), $0.digest) }) { $1 }
        self.init(new, base: base, held: held)
    }
}
