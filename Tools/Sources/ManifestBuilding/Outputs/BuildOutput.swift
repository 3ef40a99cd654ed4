import Foundation
import Manifests

/// A build's own record of its files: which come first, and what needs them. The folder stays the
/// truth; this gives groups and order alone.
package struct BuildOutput: Sendable {
    /// A name for people: `Vite's .vite/manifest.json`.
    package var name: String
    /// Paths in the folder, those needed first before others.
    var order: [String] = []
    var groups: [String: FileGroup] = [:]
    var pages: [PageNeeds] = []
    /// The use of files in `.js`; `nil` to judge each by its name.
    var scripts: ListedFile.Use?
    /// Files of the folder that belong to the build and are not published.
    var ownFiles: Set<String> = []
    /// The part of the folder that is published, and what stands before it in URLs.
    var published = (folder: "", prefix: "")
    /// The names of the entries that `--entry` can choose among.
    var entries: [String] = []

    /// Looks for what webpack, Vite and Next write; `nil` if nothing is there.
    ///
    /// - Parameters:
    ///   - stats: webpack's statistics, if they are not in the folder.
    ///   - chosen: The entries that `boot` is made of; all if empty.
    package static func find(
        in folder: BuildFolder, stats: String? = nil, entries chosen: [String] = []
    ) throws(ManifestToolError) -> BuildOutput? {
        var output: BuildOutput?
        if let stats {
            guard let json = JSONFile(at: stats) else {
                throw ManifestToolError("'\(stats)' can't be read as JSON; make it by 'webpack --json=stats.json'.")
            }
            output = try WebpackStats.read(json, folder, chosen, name: stats)
            if output == nil {
                throw ManifestToolError("'\(stats)' has no \"entrypoints\"; is it webpack's stats.json?")
            }
        }
        if output == nil { output = try NextBuild.read(folder) }
        if output == nil { output = try ViteManifest.read(folder, chosen) }
        if output == nil, let json = JSONFile(folder, "stats.json") {
            output = try WebpackStats.read(json, folder, chosen, name: "stats.json")
        }
        if output == nil { output = try AssetManifest.read(folder, chosen) }
        return output
    }

    /// Build manifests that are in a folder and say nothing usable about it: broken, or of another build.
    package static func unusable(in folder: BuildFolder) -> [String] {
        let names = [
            ".vite/manifest.json", "manifest.json", "build-manifest.json", "stats.json", "asset-manifest.json",
        ]
        return names.filter { name in
            guard FileManager.default.fileExists(atPath: folder.root.appendingPathComponent(name).path) else {
                return false
            }
            guard let json = JSONFile(folder, name) else { return true }
            // Others of the last three names are files like any other, and so is the manifest of a web app.
            return name == ".vite/manifest.json" || (name == "manifest.json" && ViteManifest.isManifest(json))
        }
    }

    /// Adds files to a group, behind those that are there; a file stays in its first group.
    mutating func add(_ path: String, to group: FileGroup) {
        guard groups[path] == nil else { return }
        groups[path] = group
        order.append(path)
    }

    /// The entries that were chosen, or all.
    static func chosen(_ names: [String], of all: [String], _ place: String) throws(ManifestToolError) -> [String] {
        for name in names where !all.contains(name) {
            throw ManifestToolError(
                "There is no entry '\(name)' in \(place); there \(all.count == 1 ? "is" : "are") "
                    + all.map { "'\($0)'" }.joined(separator: ", ") + ".")
        }
        return names.isEmpty ? all : all.filter(names.contains)
    }
}
