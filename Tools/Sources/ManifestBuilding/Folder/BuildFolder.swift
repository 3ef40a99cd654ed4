import Foundation

/// The files of a build folder that a server would publish.
package struct BuildFolder: Sendable {
    package struct File: Hashable, Sendable {
        /// Relative to the folder, with `/` between its names.
        package var path: String
        /// In bytes.
        package var size: Int
    }

    package let root: URL
    /// Files by path, in the order of their octets.
    package private(set) var files: [File] = []
    /// How many were left out, by reason.
    package private(set) var skipped: [String: Int] = [:]

    /// Files that are never listed, besides heads and lists of manifests: source maps, a server's
    /// compressed copies of other files, and parts of the build itself.
    private static let skippedExtensions: Set<String> = ["map", "gz", "br", "zst"]
    private static let skippedNames: Set<String> = ["Thumbs.db"]

    /// - Parameter leavingOut: Folders below it that are no part of the site, such as the manifest's own.
    package init(_ path: String, leavingOut: [String] = []) throws(ManifestToolError) {
        root = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath().standardizedFileURL
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw ManifestToolError("'\(path)' is no folder; name the folder that your build has written.")
        }
        let others = Set(
            leavingOut.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().standardizedFileURL.path })
        try walk(root, "", others)
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Whether a path, whose file need not be there, is neither the folder nor in it.
    package func isOutside(_ path: String) -> Bool {
        let file = URL(fileURLWithPath: path)
        let parent = file.deletingLastPathComponent().resolvingSymlinksInPath().standardizedFileURL
        return !(parent.path + "/").hasPrefix(root.path + "/")
    }

    /// - Returns: `nil` if it can't be read.
    package func bytes(_ path: String) -> [UInt8]? {
        try? RegularFile.bytes(root.appendingPathComponent(path).path)
    }

    private mutating func walk(_ folder: URL, _ prefix: String, _ others: Set<String>) throws(ManifestToolError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw ManifestToolError("'\(folder.path)' can't be read; check its permissions.")
        }
        for name in names {
            let (url, path) = (folder.appendingPathComponent(name), prefix + name)
            if name.hasPrefix(".") {
                // The one folder with a dot that sites publish (RFC 8615).
                if prefix.isEmpty, name == ".well-known" { try walk(url, path + "/", others) } else { skip("dot-file") }
                continue
            }
            var attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
            if attributes?[.type] as? FileAttributeType == .typeSymbolicLink {
                let target = url.resolvingSymlinksInPath().standardizedFileURL
                guard (target.path + "/").hasPrefix(root.path + "/") else {
                    skip("link out of the folder")
                    continue
                }
                attributes = try? FileManager.default.attributesOfItem(atPath: target.path)
                guard attributes?[.type] as? FileAttributeType == .typeRegular else {
                    let isFolder = attributes?[.type] as? FileAttributeType == .typeDirectory
                    skip(isFolder ? "link to a folder" : "broken link")
                    continue
                }
            }
            switch attributes?[.type] as? FileAttributeType {
            case .typeDirectory?:
                if others.contains(url.standardizedFileURL.path) {
                    skip("folder of the manifest")
                } else {
                    try walk(url, path + "/", others)
                }
            case .typeRegular?:
                if let reason = Self.reasonToSkip(name) {
                    skip(reason)
                } else if ManifestFolder.isOwn(url) {
                    skip("file of a manifest")
                } else {
                    files.append(File(path: path, size: (attributes?[.size] as? NSNumber)?.intValue ?? 0))
                }
            default: skip("no regular file")
            }
        }
    }

    private static func reasonToSkip(_ name: String) -> String? {
        if skippedNames.contains(name) { return "file of the system" }
        let suffix = (name as NSString).pathExtension.lowercased()
        if suffix == "map" { return "source map" }
        return skippedExtensions.contains(suffix) ? "compressed copy" : nil
    }

    private mutating func skip(_ reason: String) { skipped[reason, default: 0] += 1 }
}
