import Foundation

/// A directory that is removed when the last reference to it goes.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "larder-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A path inside, for a store to make.
    var store: String { path + "/store" }

    /// All regular files below a part of the directory, as paths relative to that part.
    func files(in part: String = "store") -> [String] {
        let root = path + "/" + part
        return (FileManager.default.subpaths(atPath: root) ?? []).filter { name in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: root + "/" + name, isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }.sorted()
    }

    func mode(_ part: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + part)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }
}
