import Foundation
import HTTPCacheSemantics
import Manifests

/// A folder as it is published: `head.json`, and `lists/<sha256>.json`.
package struct ManifestFolder: Sendable {
    package let path: String

    /// - Parameter path: The path of the folder, or of a head in it.
    package init(_ path: String) {
        var isFolder: ObjCBool = false
        let isFile = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        self.path = isFile ? URL(fileURLWithPath: path).deletingLastPathComponent().path : path
        headPath = isFile ? path : URL(fileURLWithPath: path).appendingPathComponent("head.json").path
    }

    package let headPath: String

    /// - Returns: `nil` if there is no head yet.
    /// - Throws: An error for anything but a regular file.
    package func publishedHead() throws(ManifestToolError) -> [UInt8]? { try RegularFile.bytes(headPath) }

    /// The head, whose signatures are not verified: for those who publish it.
    package func head() throws(ManifestToolError) -> (signed: SignedManifest, head: ManifestHead)? {
        guard let bytes = try publishedHead() else { return nil }
        do throws(ManifestRefusal) {
            let signed = try SignedManifest(published: bytes)
            return (signed, try ManifestHead(payload: signed.payload))
        } catch {
            throw ManifestToolError("'\(headPath)' is no head of a manifest: \(error.message)")
        }
    }

    /// The head, which must be there.
    package func existingHead() throws(ManifestToolError) -> (signed: SignedManifest, head: ManifestHead) {
        guard let found = try head() else {
            throw ManifestToolError(
                "There is no head at '\(headPath)'; 'larder manifest build' makes one.")
        }
        return found
    }

    /// The ids of the keys that the head revokes once it is changed; none without a head.
    package func revokedKeys(after changes: [HeadChange]) throws(ManifestToolError) -> [String] {
        guard var head = try head()?.head else { return [] }
        for change in changes { try change.apply(to: &head) }
        return head.revokes
    }

    /// - Returns: `nil` if the list is not there.
    package func list(_ reference: Release.ListReference) -> [UInt8]? {
        try? RegularFile.bytes(listPath(reference))
    }

    /// The paths of pages that the last release marks as having side effects, besides those of which the build tool
    /// tells what they need.
    ///
    /// - Returns: `nil` where the list of that release is not there.
    package func sideEffects() throws(ManifestToolError) -> [String]? {
        guard let head = try head()?.head, let release = head.releases.last else { return [] }
        guard let bytes = list(release.list),
            let list = try? ReleaseList(accepting: bytes, named: release.list, base: head.base)
        else { return nil }
        return list.pages.filter { $0.hasSideEffects && $0.needs.isEmpty }.map(\.match)
    }

    /// Whether a file is one of a manifest's own, by its name and its content: `head.json`, or a list.
    static func isOwn(_ file: URL) -> Bool {
        let name = file.lastPathComponent
        let isList = name.hasSuffix(".json") && BodyDigest(String(name.dropLast(5))) != nil
        guard name == "head.json" || isList, let bytes = try? RegularFile.bytes(file.path) else { return false }
        if isList { return bytes.starts(with: "{\"larderList\"".utf8) }
        guard let signed = try? SignedManifest(published: bytes) else { return false }
        return (try? ManifestHead(payload: signed.payload)) != nil
    }

    func listPath(_ reference: Release.ListReference) -> String {
        URL(fileURLWithPath: path).appendingPathComponent(reference.path).path
    }

    package func write(list bytes: [UInt8]) throws(ManifestToolError) {
        try Self.write(bytes, to: listPath(Release.ListReference(to: bytes)))
    }

    /// Replaces the head at once: whoever fetches it gets the old one or the new one.
    package func write(_ signed: SignedManifest) throws(ManifestToolError) {
        try Self.write(signed.published, to: headPath)
    }

    /// Removes lists that no release of the head names.
    package func removeLists(notIn head: ManifestHead) {
        let folder = URL(fileURLWithPath: path).appendingPathComponent("lists")
        let kept = Set(head.releases.map { "\($0.list.digest).json" })
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let others = names.filter { name in
            !kept.contains(name) && name.hasSuffix(".json") && BodyDigest(String(name.dropLast(5))) != nil
        }
        for name in others { try? FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
    }

    static func write(_ bytes: [UInt8], to path: String) throws(ManifestToolError) {
        let file = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
            // A file that is replaced atomically begins as private; a web server must read this one.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        } catch {
            throw ManifestToolError("'\(path)' can't be written; check the folder's permissions and the free space.")
        }
    }
}
