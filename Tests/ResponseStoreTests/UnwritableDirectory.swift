import CacheTesting
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A read-only view of a directory, for the lifetime of this object.
///
/// For root, whom permissions do not stop, a second, read-only mount of the same files: others write at the first path.
/// For other users the permissions are removed, and restored at the end.
final class UnwritableDirectory: Sendable {
    /// The path of the view.
    let path: String
    private let isMount: Bool

    /// Whether this process may do that.
    static let isPossible: Bool = {
        guard let directory = try? TemporaryDirectory() else { return false }
        return (try? UnwritableDirectory(of: directory.path)) != nil
    }()

    /// Whether others can still write at the original path.
    static var leavesOriginal: Bool { geteuid() == 0 }

    init(of original: String) throws {
        isMount = geteuid() == 0
        guard isMount else {
            path = original
            try Self.changeModes(original) { $0 & ~0o222 }
            return
        }
        path = original + "-for-reading"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try ReadOnlyMount.make(of: original, at: path)
    }

    deinit {
        if isMount { ReadOnlyMount.remove(path) } else { try? allowWriting() }
    }

    /// Makes it writable.
    func allowWriting() throws {
        if isMount {
            try ReadOnlyMount.allowWriting(path)
        } else {
            try Self.changeModes(path) { $0 | 0o200 }
        }
    }

    /// Changes the modes of the directory and all its contents.
    private static func changeModes(_ directory: String, _ change: (mode_t) -> mode_t) throws {
        for path in [directory] + (FileManager.default.subpaths(atPath: directory) ?? []).map({ directory + "/" + $0 })
        {
            var status = stat()
            guard lstat(path, &status) == 0, chmod(path, change(status.st_mode & 0o7777)) == 0 else {
                throw CocoaError(.fileWriteNoPermission)
            }
        }
    }
}
