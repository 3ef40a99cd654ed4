import HTTPCacheSemantics
import Manifests

/// The differences between two lists, and what a device with the first fetches for the second.
package struct ListComparison: Sendable {
    package private(set) var added: [ListedFile] = []
    package private(set) var changed: [ListedFile] = []
    package private(set) var removed: [ListedFile] = []
    package private(set) var unchanged = 0
    /// The bytes of ``added`` and ``changed``.
    package private(set) var bytesToFetch = ByteCount.zero
    /// The part of ``bytesToFetch`` whose content the first list has under another path.
    package private(set) var bytesUnderOtherPaths = ByteCount.zero
    /// The bytes of all files of the second list.
    package private(set) var totalBytes = ByteCount.zero

    package init(_ old: PublishedList, _ new: PublishedList) {
        let oldBase = old.base ?? new.base ?? PublishedList.unknownBase
        let newBase = new.base ?? oldBase
        let held = Dictionary(old.list.files.map { ($0.url(base: oldBase), $0.digest) }) { $1 }
        let newURLs = Set(new.list.files.map { $0.url(base: newBase) })
        let contents = Set(old.list.files.map(\.digest))
        for file in new.list.files {
            let before = held[file.url(base: newBase)]
            guard before != file.digest else {
                unchanged += 1
                continue
            }
            if before == nil { added.append(file) } else { changed.append(file) }
            bytesToFetch += file.size
            if contents.contains(file.digest) { bytesUnderOtherPaths += file.size }
        }
        removed = old.list.files.filter { !newURLs.contains($0.url(base: oldBase)) }
        totalBytes = new.list.size
    }
}

/// A list from a file of its own, or the last release of a head.
package struct PublishedList: Sendable {
    package var list: ReleaseList
    /// `nil` for a list alone, which states none; it is compared as if it had the other one's.
    package var base: String?
    static let unknownBase = "https://base.invalid/"

    /// - Parameters:
    ///   - path: The path of a manifest's folder, a head or a list.
    ///   - release: Which one of a head; `nil` for the last.
    package init(_ path: String, release name: String? = nil) throws(ManifestToolError) {
        let folder = ManifestFolder(path)
        guard let bytes = try folder.publishedHead() else {
            throw ManifestToolError(
                "There is no manifest at '\(path)'; name a folder with head.json, a head or a list.")
        }
        do {
            if bytes.starts(with: "{\"larderList\"".utf8) {
                (list, base) = (try ReleaseList(bytes: bytes, base: Self.unknownBase), nil)
                return
            }
            let head = try ManifestHead(payload: try SignedManifest(published: bytes).payload)
            guard let release = name.map({ name in head.releases.last { $0.name == name } }) ?? head.releases.last
            else {
                throw ManifestToolError("The head at '\(path)' has no \(name.map { "release '\($0)'" } ?? "release").")
            }
            guard let bytes = folder.list(release.list) else {
                throw ManifestToolError("The list \(release.list.path) is not beside the head at '\(path)'.")
            }
            (list, base) = (try ReleaseList(accepting: bytes, named: release.list, base: head.base), head.base)
        } catch let error as ManifestToolError {
            throw error
        } catch {
            throw ManifestToolError("'\(path)' is not usable: \(error)")
        }
    }
}
