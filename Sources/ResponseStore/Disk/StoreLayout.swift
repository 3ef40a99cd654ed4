import Foundation

/// Where the parts of a store lie in its directory, and the making of that directory.
struct StoreLayout: Sendable {
    let directory: String

    var index: String { directory + "/index.sqlite" }
    var writeAheadLog: String { index + "-wal" }
    var changes: String { directory + "/changes" }
    var incoming: String { directory + "/incoming" }
    var segments: String { directory + "/segments" }
    var bodies: String { directory + "/bodies" }

    /// All in one directory: a group of changes then has one directory to synchronise.
    func body(_ name: BodyDigest) -> String { "\(bodies)/\(name.description)" }

    func segment(_ number: UInt32) -> String { "\(segments)/\(number)" }

    /// Tells this process from an earlier one with the same number.
    private static let processToken = String(UInt64.random(in: .min ... .max), radix: 36)

    /// Names this process in file names and in the index.
    static let writer = "\(SystemCalls.processID).\(processToken)"

    /// Whether a process that is named so may still live.
    ///
    /// The first process of a container always has the same number; only the token tells it from the last one.
    static func mayLive(_ writer: some StringProtocol) -> Bool {
        let parts = writer.split(separator: ".")
        guard parts.count > 1, let number = Int32(parts[0]) else { return false }
        return number == SystemCalls.processID ? parts[1] == processToken : SystemCalls.processExists(number)
    }

    /// A new path for a body that is being received.
    func incomingBody() -> String {
        "\(incoming)/\(Self.writer).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    /// Whether there is a right to write here. The disk may be full or failing all the same.
    var mayWrite: Bool { SystemCalls.mayWrite(directory) && SystemCalls.mayWrite(index) }

    /// Why a change is not made in a store that is only read.
    func unwritable() -> StoreError {
        StoreError(
            code: .writeFailed,
            message: "The store in '\(directory)' can't be written; what is in it is served, and nothing is added.")
    }

    /// Creates what is missing, readable by the owner alone. The mode of a directory that was there stays.
    func prepare() throws(StoreError) {
        let manager = FileManager.default
        do {
            for path in [directory, bodies, incoming, segments] {
                try manager.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            guard manager.isWritableFile(atPath: directory) else {
                throw CocoaError(.fileWriteNoPermission)
            }
            // SQLite would make it readable by everyone, and gives its other files the mode of this one.
            let descriptor = SystemCalls.open(index, SystemCalls.createExclusively)
            if descriptor >= 0 {
                SystemCalls.close(descriptor)
            } else {
                try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: index)
            }
        } catch {
            throw StoreError(
                code: .directoryUnusable,
                message: "The store directory '\(directory)' can't be created or written; choose another one.",
                cause: error)
        }
    }

    /// Removes received bodies that no living process owns: what a crash left behind.
    func sweepIncoming(_ fileSystem: any FileSystem) {
        for name in fileSystem.names(in: incoming) where name.split(separator: ".").count > 1 {
            guard Int32(name.split(separator: ".")[0]) != nil, !Self.mayLive(name) else { continue }
            try? fileSystem.unlink(incoming + "/" + name)
        }
    }

    /// All files that are there.
    func files(_ fileSystem: any FileSystem) -> [String] {
        var paths = ["", "-wal", "-shm"].map { index + $0 } + [changes]
        for folder in [incoming, segments, bodies] {
            paths += fileSystem.names(in: folder).map { folder + "/" + $0 }
        }
        return paths
    }

    /// The body files that are there.
    func bodyFiles(_ fileSystem: any FileSystem) -> [(name: String, path: String)] {
        fileSystem.names(in: bodies).map { ($0, "\(bodies)/\($0)") }
    }
}
