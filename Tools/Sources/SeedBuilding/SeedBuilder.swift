import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ManifestBuilding
import Manifests
import Preloading
import ResponseStore

/// Makes a seed of a build folder.
package struct SeedBuilder: Sendable {
    package struct Result: Sendable {
        package var index: SeedIndex
        /// The length of the whole file.
        package var size: ByteCount
        /// Files of the manifest that the folder does not have; apps fetch them.
        package var missing = 0
    }

    package var site: ListBuilder
    /// The URL of the folder on the server, ending in `/`.
    package var base: String
    package var built: WallInstant
    /// The site's id; that of the manifest, or the base's host, unless set.
    package var id: String?
    /// Whether what gets shorter by it is stored in gzip.
    package var compresses = false
    /// The fields that the server sends with each file besides its type.
    package var fields: HTTPFields = [:]
    /// The manifest whose last release the folder is; `nil` for none.
    package var manifest: ManifestFolder?

    package init(_ site: ListBuilder, base: String, built: WallInstant) {
        (self.site, self.base) = (site, base)
        // Indexes have whole seconds.
        self.built = WallInstant(unixSeconds: built.unixSeconds)
    }

    /// Writes the seed. A file that is there is replaced at once, when all of the new one is written.
    package func write(to path: String) throws(ManifestToolError) -> Result {
        guard BaseURL.isBase(base) else {
            throw ManifestToolError(
                "--base '\(base)' must be an https URL (http for localhost), and end in /, such as "
                    + "https://example.com/."
            )
        }
        if let field = fields.first(where: { !SeedEntry.isField($0) }) {
            throw ManifestToolError("--field '\(field.name)' can't be in a seed; the transfer decides it, or the seed.")
        }
        let published = try publication()
        let (listed, missing) = try listed(published?.list)
        var index = SeedIndex(id: "", built: built, files: [])
        index.id = id ?? published?.head.id ?? host
        if let published {
            let end = Int64(published.headBytes.count)
            index.manifest = .init(head: 0..<end, list: end..<end + Int64(published.listBytes.count))
        }
        let body = try PartFile(beside: path)
        if let published { try body.append(published.headBytes + published.listBytes) }
        let paths = Dictionary(site.folder.files.map { (site.urlPath($0.path), $0.path) }) { first, _ in first }
        for file in listed {
            guard let bytes = paths[file.path].flatMap({ site.folder.bytes($0) }), BodyDigest(of: bytes) == file.digest
            else { throw ManifestToolError("'\(file.path)' was changed meanwhile; build the seed again.") }
            // Pages ask for parts of media without a coding.
            let isMedia = file.use == .audio || file.use == .video
            let coded = compresses && !isMedia ? GzipCoding.coded(bytes) : nil
            let start = index.contentLength
            try body.append(coded ?? bytes)
            index.files.append(
                SeedEntry(
                    url: file.url(base: base), content: ExpectedContent(sha256: file.digest, size: file.size),
                    coding: coded == nil ? .identity : .gzip, region: start..<start + Int64((coded ?? bytes).count),
                    destination: PreloadDestination(rawValue: file.use.rawValue) ?? .fetch,
                    group: PreloadGroup(rawValue: file.group.name) ?? .page, fields: fields(of: file)))
        }
        let prologue: [UInt8]
        do throws(SeedError) {
            prologue = try index.prologue()
        } catch {
            throw ManifestToolError("The seed can't be written: \(error.message)")
        }
        try body.finish(prologue, as: path)
        return Result(index: index, size: ByteCount(Int64(prologue.count) + index.contentLength), missing: missing)
    }

    private var host: String { TargetURI.split(base)?.authority ?? "" }

    private func fields(of file: ListedFile) -> HTTPFields {
        var fields = fields
        if let type = file.mediaType, fields[.contentType] == nil {
            fields[.contentType] = type.hasPrefix("text/") ? type + "; charset=utf-8" : type
        }
        return fields
    }

    // MARK: The manifest

    private struct Published {
        var head: ManifestHead
        var headBytes: [UInt8]
        var list: ReleaseList
        var listBytes: [UInt8]
    }

    private func publication() throws(ManifestToolError) -> Published? {
        guard let manifest else { return nil }
        let (signed, head) = try manifest.existingHead()
        guard head.state == .active, let release = head.releases.last else {
            throw ManifestToolError("The head at '\(manifest.headPath)' is not active, or names no release.")
        }
        guard head.base == base else {
            throw ManifestToolError("--base is '\(base)', and the manifest's base is '\(head.base)'; give the same.")
        }
        guard let bytes = manifest.list(release.list) else {
            throw ManifestToolError("The list of '\(release.name)' is not in '\(manifest.path)'; build it again.")
        }
        do throws(ManifestRefusal) {
            let list = try ReleaseList(accepting: bytes, named: release.list, base: head.base)
            return Published(head: head, headBytes: signed.published, list: list, listBytes: bytes)
        } catch {
            throw ManifestToolError("The list of '\(release.name)' is refused: \(error.message)")
        }
    }

    /// The files to put in, as the manifest has them where it does.
    private func listed(_ list: ReleaseList?) throws(ManifestToolError) -> ([ListedFile], missing: Int) {
        let found = try site.list(release: "seed").files
        guard let list else { return (found, 0) }
        let known = Dictionary(list.files.map { ($0.path, $0) }) { first, _ in first }
        var files: [ListedFile] = []
        for file in found {
            guard let stated = known[file.path] else {
                // Documents are often left out of lists; what else is not listed is not of this release.
                if file.use == .document { files.append(file) }
                continue
            }
            guard stated.digest == file.digest else {
                throw ManifestToolError(
                    "\(file.path.isEmpty ? "The base's document" : "'\(file.path)'") is another file than in the "
                        + "manifest; run 'larder manifest build' for this folder.")
            }
            files.append(stated)
        }
        let paths = Set(files.map(\.path))
        return (files, list.files.count { !paths.contains($0.path) })
    }
}
