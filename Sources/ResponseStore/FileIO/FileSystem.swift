import Foundation

/// The store's access to the disk, so that tests can make it fail, tear and reorder.
///
/// SQLite accesses the disk on its own. Offsets and lengths are in bytes; the code that opens a descriptor closes it.
protocol FileSystem: Sendable {
    func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> Int32
    func close(_ descriptor: Int32)
    /// Fills the buffer; fewer bytes only at the end of the file.
    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FileSystemError) -> Int
    /// Writes all bytes, or throws.
    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) throws(FileSystemError)
    /// Returns once earlier writes are on the disk; they precede all later writes.
    func synchronize(_ descriptor: Int32) throws(FileSystemError)
    func size(_ descriptor: Int32) throws(FileSystemError) -> Int64
    func rename(_ old: String, to new: String) throws(FileSystemError)
    func unlink(_ path: String) throws(FileSystemError)
    /// Creates a directory that only the owner can use, if it does not exist.
    func makeDirectory(_ path: String) throws(FileSystemError)
    /// Synchronises the names in a directory to the disk.
    func synchronizeDirectory(_ path: String) throws(FileSystemError)
    /// The names in a directory; empty if it can't be read.
    func names(in directory: String) -> [String]
}

/// How a file is opened.
enum FileAccess: Sendable {
    case reading
    case writing
    /// Creates the file, readable by its owner alone; fails if it exists.
    case creating
}

/// A failed system call.
struct FileSystemError: Error, Hashable, CustomStringConvertible {
    var call: String
    var number: Int32

    var isMissing: Bool { number == SystemCalls.missing }
    /// Whether permission is missing, or the file system is read-only.
    var isRefusal: Bool { SystemCalls.refusals.contains(number) }
    /// Whether the disk, or the share of it that the user may have, is full.
    var isForLackOfSpace: Bool { SystemCalls.lackOfSpace.contains(number) }
    var exists: Bool { number == SystemCalls.exists }

    var description: String { "\(call): \(SystemCalls.message(number))" }
}

/// Identifies a file and its state: device, number, size, and the time of the last write in the file system's
/// precision.
struct FileVersion: Hashable, Sendable {
    var device: UInt64
    var number: UInt64
    var size: Int64
    var writtenSeconds: Int64
    var writtenNanoseconds: Int64
}

/// Whether a folder is this user's alone, from what the system says of it. No I/O.
///
/// A writer in a folder of ours decides what our pages are made of, or whose leaves a web view
/// takes. So a folder of another user is refused, even by root, who could read it, and so is one
/// that others may write in. Others lose the right to read a folder of ours.
package enum FolderOwnership {
    package enum Refusal: Hashable, Sendable {
        case anotherUser(UInt32)
        case othersMayWrite(mode: UInt32)

        /// A clause with what helps, after the folder's name.
        package var words: String {
            switch self {
            case .anotherUser(let user): "belongs to another user (\(user)); choose a folder of your own"
            case .othersMayWrite(let mode):
                "can be written by other users (mode \(String(mode, radix: 8))); take that from them with chmod "
                    + "700, or choose another one"
            }
        }
    }

    /// - Parameters:
    ///   - mode: The permission bits.
    ///   - user: The effective user of this process.
    static func refusal(owner: UInt32, mode: UInt32, for user: UInt32) -> Refusal? {
        if owner != user { return .anotherUser(owner) }
        return mode & 0o022 != 0 ? .othersMayWrite(mode: mode) : nil
    }

    /// Looks at a file or folder.
    ///
    /// - Returns: `nil` if it is not there, or ours alone.
    package static func refusal(of path: String) -> Refusal? {
        guard let (owner, mode) = SystemCalls.ownership(path) else { return nil }
        return refusal(owner: owner, mode: mode, for: SystemCalls.user)
    }

    /// Takes from others what they may read of a folder of ours. Where that can't be done, as on a file system that is
    /// mounted for reading, it stays as it is.
    package static func tighten(_ path: String) {
        guard let (owner, mode) = SystemCalls.ownership(path), mode & 0o077 != 0,
            refusal(owner: owner, mode: mode, for: SystemCalls.user) == nil
        else { return }
        SystemCalls.changeMode(path, mode & 0o7700)
    }
}

/// A file that appears whole, by rename(2), however a process ends.
package enum WholeFile {
    /// Puts a file in its place once it is on the disk; so is its name when this returns. From its first instant it has
    /// that mode, or a narrower one.
    ///
    /// - Parameter temporary: Its name until then. One that a process left that was killed goes.
    /// - Throws: `POSIXError`.
    package static func put(
        _ bytes: [UInt8], as name: String, in folder: String, by temporary: String, mode: UInt32 = 0o600
    ) throws {
        let (disk, path) = (LocalFileSystem(), folder + "/" + temporary)
        _ = SystemCalls.remove(path)
        let descriptor = SystemCalls.openFile(path, SystemCalls.createExclusively, mode: mode_t(mode))
        guard descriptor >= 0 else { throw failure(SystemCalls.errorNumber) }
        do throws(FileSystemError) {
            defer { disk.close(descriptor) }
            try disk.write(bytes, to: descriptor, at: 0)
            try disk.synchronize(descriptor)
            try disk.rename(path, to: folder + "/" + name)
        } catch {
            _ = SystemCalls.remove(path)
            throw failure(error.number)
        }
        do throws(FileSystemError) { try disk.synchronizeDirectory(folder) } catch {
            // There are file systems that can't, and the file is there all the same.
            guard error.number == EINVAL else { throw failure(error.number) }
        }
    }

    private static func failure(_ number: Int32) -> POSIXError { POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO) }
}

/// A lock between processes, and between the threads of each.
package enum FileLock {
    /// Runs the closure while nobody else does so with the same file, which is made when it is not there. Waits for
    /// others; so the closure is short.
    ///
    /// - Throws: `POSIXError`, and what the closure throws.
    package static func holding<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        guard let lock = try locked(path, SystemCalls.lock) else { throw failure }
        return try withExtendedLifetime(lock) { try body() }
    }

    /// Takes the lock where nobody else has it. It ends with what is returned, and with the process.
    ///
    /// - Returns: `nil` while somebody else has it.
    /// - Throws: `POSIXError`.
    package static func take(_ path: String) throws -> HeldFileLock? { try locked(path, SystemCalls.tryLock) }

    private static func locked(_ path: String, _ attempt: (Int32) -> Int32) throws -> HeldFileLock? {
        let descriptor = SystemCalls.openFile(path, SystemCalls.openOrCreate)
        guard descriptor >= 0 else { throw failure }
        // The lock ends with the descriptor, and so with the process.
        let lock = HeldFileLock(descriptor)
        while attempt(descriptor) < 0 {
            if SystemCalls.errorNumber == SystemCalls.isLocked { return nil }
            guard SystemCalls.errorNumber == SystemCalls.interrupted else { throw failure }
        }
        return lock
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: SystemCalls.errorNumber) ?? .EIO) }
}

/// A lock of ``FileLock/take(_:)``, held until nothing refers to it.
package final class HeldFileLock: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { SystemCalls.closeFile(descriptor) }
}
