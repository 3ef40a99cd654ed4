import CacheTesting
import Foundation
import HTTPCacheSemantics
import ManifestBuilding
import Manifests
import Testing

/// A build folder of a test.
struct SampleFolder {
    let directory: TemporaryDirectory
    var path: String { directory.path }
    static let base = "https://static.example.com/shop/"
    /// 2026-11-20T08:00:00Z
    static let now = WallInstant(unixSeconds: 1_795_161_600)

    /// - Parameter files: Their contents, by path.
    init(_ files: [String: String]) throws {
        directory = try TemporaryDirectory()
        for (path, content) in files { try write(path, content) }
    }

    func write(_ path: String, _ content: String) throws {
        let file = URL(fileURLWithPath: directory.path).appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: file)
    }

    func builder(_ entries: [String] = []) throws -> ListBuilder {
        let folder = try BuildFolder(path)
        return ListBuilder(folder, try BuildOutput.find(in: folder, entries: entries))
    }

    var manifest: ManifestFolder { ManifestFolder(path + "-manifest") }

    func publication(days: Int = 0) -> ManifestPublication {
        ManifestPublication(manifest, now: Self.now + .seconds(86_400 * days))
    }

    /// `boot: a.js b.css | lazy: c.png`
    static func groups(_ list: ReleaseList) -> String {
        var parts: [(String, [String])] = []
        for file in list.files {
            if parts.last?.0 != file.group.name { parts.append((file.group.name, [])) }
            parts[parts.count - 1].1.append(file.path)
        }
        return parts.map { "\($0.0): \($0.1.joined(separator: " "))" }.joined(separator: " | ")
    }
}
