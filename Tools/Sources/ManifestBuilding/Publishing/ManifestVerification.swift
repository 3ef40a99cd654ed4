import HTTPCacheSemantics
import Manifests

/// An app's verdict on a published manifest, and whether lists and files are there as it states.
package struct ManifestVerification: Sendable {
    package struct Problem: Hashable, Sendable, Encodable {
        /// A refusal's name, or `list-missing`, `file-missing`, `file-size`, `file-hash`.
        package var code: String
        package var message: String
    }

    package private(set) var head: ManifestHead?
    package private(set) var problems: [Problem] = []
    /// Lists and files that are as stated.
    package private(set) var lists = 0
    package private(set) var files = 0

    /// - Parameters:
    ///   - trust: The keys that apps pin.
    ///   - id: `nil` for whatever the head says.
    ///   - site: The build folder whose files are compared with the last release's list; `nil` for none.
    package init(
        _ folder: ManifestFolder, trust: ManifestTrust, id: String? = nil, base: String? = nil, now: WallInstant,
        site: ListBuilder? = nil
    ) throws(ManifestToolError) {
        guard let bytes = try folder.publishedHead() else {
            throw ManifestToolError("There is no head at '\(folder.headPath)'; 'larder manifest build' makes one.")
        }
        do throws(ManifestRefusal) {
            let stated = try ManifestHead(payload: try SignedManifest(published: bytes).payload)
            let app = ManifestAcceptance(trust: trust, id: id ?? stated.id, base: base, installID: "")
            head = try app.accept(bytes, state: ManifestState(), clock: now).head
        } catch {
            problems.append(Problem(code: "\(error.code)", message: error.message))
        }
        guard let head else { return }
        for release in head.releases { check(release, head, folder, release == head.releases.last ? site : nil) }
    }

    private mutating func check(
        _ release: Release, _ head: ManifestHead, _ folder: ManifestFolder, _ site: ListBuilder?
    ) {
        guard let bytes = folder.list(release.list) else {
            problems.append(
                Problem(
                    code: "list-missing",
                    message: "The list of '\(release.name)' is not at \(release.list.path); upload it before the head.")
            )
            return
        }
        let list: ReleaseList
        do throws(ManifestRefusal) {
            list = try ReleaseList(accepting: bytes, named: release.list, base: head.base)
            lists += 1
        } catch {
            problems.append(Problem(code: "\(error.code)", message: "\(release.name): \(error.message)"))
            return
        }
        guard let site else { return }
        let paths = Dictionary(site.folder.files.map { (site.urlPath($0.path), $0.path) }) { first, _ in first }
        for file in list.files { check(file, paths[file.path], site.folder) }
    }

    private mutating func check(_ file: ListedFile, _ path: String?, _ folder: BuildFolder) {
        let name = file.path.isEmpty ? "The page at the base" : "'\(file.path)'"
        func note(_ code: String, _ words: String) {
            let remedy = "build the manifest anew, or put the files of this release back"
            problems.append(Problem(code: code, message: "\(name) \(words); \(remedy)."))
        }
        guard let path, let bytes = folder.bytes(path) else {
            return note("file-missing", "is not in the folder")
        }
        guard ByteCount(bytes.count) == file.size else {
            return note("file-size", "has \(bytes.count) octets, not \(file.size.bytes)")
        }
        guard BodyDigest(of: bytes) == file.digest else { return note("file-hash", "has changed") }
        files += 1
    }
}
