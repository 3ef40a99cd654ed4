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
    /// The paths that were left out, by reason. A folder stands for what is in it.
    package private(set) var leftOut: [String: [String]] = [:]
    /// Patterns of ``init(_:leavingOut:excluding:)`` that nothing matches.
    package private(set) var unusedPatterns: [String] = []

    /// How many were left out, by reason.
    package var skipped: [String: Int] { leftOut.mapValues(\.count) }

    private static let skippedNames: Set<String> = ["Thumbs.db"]

    /// - Parameters:
    ///   - leavingOut: Folders below it that are no part of the site, such as the manifest's own.
    ///   - patterns: As of a ``GroupRule``, for files and folders that are not to be listed.
    package init(
        _ path: String, leavingOut: [String] = [], excluding patterns: [String] = []
    ) throws(ManifestToolError) {
        let patterns = patterns.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        (self.patterns, unusedPatterns) = (patterns, patterns)
        root = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath().standardizedFileURL
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw ManifestToolError("'\(path)' is no folder; name the folder that your build has written.")
        }
        let others = Set(
            leavingOut.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().standardizedFileURL.path })
        try walk(root, "", others, within: [])
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        let paths = Set(files.map(\.path))
        let found = files
        files = []
        for file in found {
            if let reason = DerivedFile.reasonToSkip(file.path, besides: paths) {
                skip(file.path, reason)
            } else {
                files.append(file)
            }
        }
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

    private let patterns: [String]

    /// - Parameter parents: The folders that lead to it, without links.
    private mutating func walk(
        _ folder: URL, _ prefix: String, _ others: Set<String>, within parents: [String]
    ) throws(ManifestToolError) {
        let parents = parents + [folder.resolvingSymlinksInPath().standardizedFileURL.path]
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
                if prefix.isEmpty, name == ".well-known" {
                    try walk(url, path + "/", others, within: parents)
                } else {
                    skip(path, "dot-file")
                }
                continue
            }
            if let reason = excluded(path) ?? HostFile.reasonToSkip(path) ?? URLPath.reasonToSkip(path) {
                skip(path, reason)
                continue
            }
            var attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
            if attributes?[.type] as? FileAttributeType == .typeSymbolicLink {
                let target = url.resolvingSymlinksInPath().standardizedFileURL
                guard (target.path + "/").hasPrefix(root.path + "/") else {
                    skip(path, "link out of the folder")
                    continue
                }
                attributes = try? FileManager.default.attributesOfItem(atPath: target.path)
                let isThere = [.typeRegular, .typeDirectory].contains(attributes?[.type] as? FileAttributeType)
                guard isThere else {
                    skip(path, "broken link")
                    continue
                }
                guard !parents.contains(target.path) else {
                    skip(path, "link to a folder around it")
                    continue
                }
            }
            switch attributes?[.type] as? FileAttributeType {
            case .typeDirectory?:
                if others.contains(url.resolvingSymlinksInPath().standardizedFileURL.path) {
                    skip(path, "folder of the manifest")
                } else {
                    try walk(url, path + "/", others, within: parents)
                }
            case .typeRegular?:
                if Self.skippedNames.contains(name) {
                    skip(path, "file of the system")
                } else if ManifestFolder.isOwn(url) {
                    skip(path, "file of a manifest")
                } else {
                    files.append(File(path: path, size: (attributes?[.size] as? NSNumber)?.intValue ?? 0))
                }
            default: skip(path, "no regular file")
            }
        }
    }

    private mutating func excluded(_ path: String) -> String? {
        guard let pattern = patterns.first(where: { fnmatch($0, path, 0) == 0 }) else { return nil }
        unusedPatterns.removeAll { $0 == pattern }
        return "--exclude"
    }

    private mutating func skip(_ path: String, _ reason: String) { leftOut[reason, default: []].append(path) }
}
