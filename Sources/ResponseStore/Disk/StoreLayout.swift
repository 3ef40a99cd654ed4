import Foundation
import HTTPCacheSemantics

/// The paths of a store's files, how they are written, and the creation of its directory.
struct StoreLayout: Sendable {
    let directory: String
    let fileSystem: any FileSystem
    let durability: StoreDurability

    var index: String { directory + "/index.sqlite" }
    var writeAheadLog: String { index + "-wal" }
    var changes: String { directory + "/changes" }
    var incoming: String { directory + "/incoming" }
    var bodies: String { directory + "/bodies" }

    /// All bodies are in one directory, so that a group of changes synchronises only that one.
    func body(_ name: BodyDigest) -> String { "\(bodies)/\(name.description)" }

    /// Distinguishes this process from an earlier one with the same number.
    private static let processToken = String(UInt64.random(in: .min ... .max), radix: 36)

    /// The name of this process in file names and in the index.
    static let writer = "\(SystemCalls.processID).\(processToken)"

    /// Whether the process with this name may still be running.
    ///
    /// The first process of a container always has the same number; only the token distinguishes it from earlier ones.
    static func mayLive(_ writer: some StringProtocol) -> Bool {
        let parts = writer.split(separator: ".")
        guard parts.count > 1, let number = Int32(parts[0]) else { return false }
        return number == SystemCalls.processID ? parts[1] == processToken : SystemCalls.processExists(number)
    }

    /// A new path for a body in transfer.
    func incomingBody() -> String {
        "\(incoming)/\(Self.writer).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    /// Whether there is permission to write here. The disk may still be full or failing.
    var mayWrite: Bool { SystemCalls.mayWrite(directory) && SystemCalls.mayWrite(index) }

    /// The error for changes to a read-only store.
    func unwritable() -> StoreError {
        StoreError(
            code: .writeFailed,
            message: "The store in '\(directory)' can't be written; what is in it is served, and nothing is added.")
    }

    /// Refuses a store of another user, and one that others may write in; ``FolderOwnership`` says why. The same holds
    /// for files in it, which may be from a time when others could write there; a body is looked at when it is opened.
    ///
    /// - Throws: ``StoreError/Code/directoryUnusable``.
    func expectOwn() throws(StoreError) {
        let folders = [directory, bodies, incoming]
        for path in folders {
            guard let refusal = FolderOwnership.refusal(of: path) else { continue }
            throw StoreError(code: .directoryUnusable, message: "The store's '\(path)' \(refusal.words).")
        }
        let files = ["", "-wal", "-shm", "-journal"].map { index + $0 } + [changes]
        for path in files {
            // Within a folder of ours a file's mode lets nobody in, and the index's is put right below.
            if let refusal = FolderOwnership.refusal(of: path), case .anotherUser = refusal {
                throw StoreError(code: .directoryUnusable, message: "The store's '\(path)' \(refusal.words).")
            }
            // SQLite would wait for ever for whoever writes a pipe.
            guard SystemCalls.isRegular(path) != false else {
                throw StoreError(
                    code: .directoryUnusable,
                    message: "The store's '\(path)' is a pipe, a device or a folder, and no file; remove it, or choose "
                        + "another directory.")
            }
        }
        for path in folders { FolderOwnership.tighten(path) }
    }

    /// Creates missing directories and files, readable by the owner alone.
    func prepare() throws(StoreError) {
        let manager = FileManager.default
        do {
            for path in [directory, bodies, incoming] {
                try manager.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            guard manager.isWritableFile(atPath: directory) else {
                throw CocoaError(.fileWriteNoPermission)
            }
            // SQLite would make it readable for everyone, and gives its other files the same mode.
            let descriptor = SystemCalls.openFile(index, SystemCalls.createExclusively)
            if descriptor >= 0 {
                SystemCalls.closeFile(descriptor)
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

    /// Removes bodies in transfer that belong to no running process, which a crash can leave behind.
    ///
    /// - Parameter spared: Bodies to leave there, with their notes.
    func sweepIncoming(sparing spared: Set<String> = []) {
        let kept = spared.union(spared.map(Self.note))
        for name in fileSystem.names(in: incoming) where name.split(separator: ".").count > 1 && !kept.contains(name) {
            guard Int32(name.split(separator: ".")[0]) != nil, !Self.mayLive(name) else { continue }
            try? fileSystem.unlink(incoming + "/" + name)
        }
    }

    /// Removes them but for those from which ``DiskResponseStore/recoverInterrupted()`` goes on.
    func sweepAbandoned() {
        sweepIncoming(sparing: Set(interruptedBodies))
    }

    /// All files.
    var files: [String] {
        var paths = ["", "-wal", "-shm"].map { index + $0 } + [changes]
        for folder in [incoming, bodies] {
            paths += fileSystem.names(in: folder).map { folder + "/" + $0 }
        }
        return paths
    }

    /// All body files.
    var bodyFiles: [(name: String, path: String)] {
        fileSystem.names(in: bodies).map { ($0, "\(bodies)/\($0)") }
    }
}
