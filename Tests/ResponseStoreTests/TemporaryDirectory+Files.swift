import CacheTesting
import Foundation

extension TemporaryDirectory {
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
