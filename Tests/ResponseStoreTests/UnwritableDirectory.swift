import CacheTesting
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A view of a directory in which nothing can be written, until it goes.
///
/// For root, whom no rights stop, a second mount of the same files for reading: others write at the first path. For
/// anybody else the rights are taken away, and given back at the end.
final class UnwritableDirectory: Sendable {
    /// Where it is to be used.
    let path: String
    private let isMount: Bool

    /// Whether this process may do that.
    static let isPossible: Bool = {
        guard let directory = try? TemporaryDirectory() else { return false }
        return (try? UnwritableDirectory(of: directory.path)) != nil
    }()

    /// Whether others can go on writing where it was.
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

    /// From now on it can be written.
    func allowWriting() throws {
        if isMount {
            try ReadOnlyMount.allowWriting(path)
        } else {
            try Self.changeModes(path) { $0 | 0o200 }
        }
    }

    /// Of the directory and all that is in it.
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
