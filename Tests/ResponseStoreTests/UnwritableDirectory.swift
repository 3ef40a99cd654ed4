import CacheTesting
import Foundation

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
            try Self.run("/bin/chmod", ["-R", "a-w", path])
            return
        }
        path = original + "-for-reading"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Self.run("/bin/mount", ["--bind", "-o", "ro", original, path])
    }

    deinit {
        if isMount { try? Self.run("/bin/umount", ["--lazy", path]) } else { try? allowWriting() }
    }

    /// From now on it can be written.
    func allowWriting() throws {
        if isMount {
            try Self.run("/bin/mount", ["-o", "remount,bind,rw", path])
        } else {
            try Self.run("/bin/chmod", ["-R", "u+w", path])
        }
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }
}
