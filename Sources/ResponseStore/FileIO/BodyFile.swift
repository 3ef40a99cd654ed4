import HTTPCacheSemantics
import Locking

/// An open body file. Readers share the descriptor: every read states its offset.
///
/// Each block of 64 KiB is verified by its checksum once after the file was opened, before any of it is returned.
package final class BodyFile: Sendable {
    /// Valid for the lifetime of this object; only for reading, at explicit offsets.
    let descriptor: Int32
    package let length: ByteCount
    private let fileSystem: any FileSystem
    private let checksums: [UInt64]
    /// Which blocks are verified; empty once all are.
    private let unverified: LockedBox<Set<Int>>
    private let onDamage: @Sendable () -> Void

    /// - Parameters:
    ///   - checksums: One for each block, or none for a file that is being written.
    ///   - onDamage: Is called when a block is damaged.
    init(
        descriptor: Int32, length: ByteCount, fileSystem: any FileSystem, checksums: [UInt64] = [],
        onDamage: @escaping @Sendable () -> Void = {}
    ) {
        self.descriptor = descriptor
        self.length = length
        self.fileSystem = fileSystem
        self.checksums = checksums
        self.onDamage = onDamage
        unverified = LockedBox(Set(checksums.indices))
    }

    deinit {
        fileSystem.close(descriptor)
    }

    /// Bytes from an offset; fewer than asked for only at the end of the file.
    ///
    /// - Throws: ``StoreError/Code/readFailed``, or ``StoreError/Code/corruptEntry`` if the bytes are damaged.
    package func read(from offset: Int64, upTo count: Int) throws -> [UInt8] {
        let count = min(count, Int(max(0, length.bytes - offset)))
        guard count > 0 else { return [] }
        try verify(offset..<offset + Int64(count))
        let bytes = try load(offset, count)
        guard checksums.isEmpty || bytes.count == count else { throw damage() }
        return bytes
    }

    /// Verifies the blocks of a range that are not verified yet.
    ///
    /// - Throws: As ``read(from:upTo:)``.
    package func verify(_ range: Range<Int64>) throws {
        guard !checksums.isEmpty, !range.isEmpty, !unverified.withLock({ $0.isEmpty }) else { return }
        for block in blocks(range) where unverified.withLock({ $0.contains(block) }) { try verify(block) }
    }

    /// Whether the file still has all its bytes: it may have been truncated. One system call, before an answer begins:
    /// afterwards only a close can tell the client.
    package var isWhole: Bool { (try? fileSystem.size(descriptor)).map { $0 >= length.bytes } ?? false }

    private func verify(_ block: Int) throws {
        let range = range(of: block)
        let bytes = try load(range.lowerBound, Int(range.count))
        guard BlockChecksum.of(bytes) == checksums[block] else { throw damage() }
        unverified.withLock { _ = $0.remove(block) }
    }

    private func load(_ offset: Int64, _ count: Int) throws -> [UInt8] {
        do {
            return try fileSystem.read(descriptor, at: offset, upTo: count)
        } catch {
            throw StoreError(code: .readFailed, message: "A stored body could not be read.", cause: error)
        }
    }

    private func blocks(_ range: Range<Int64>) -> Range<Int> {
        let block = Int64(BlockChecksum.blockLength)
        return Int(range.lowerBound / block)..<min(checksums.count, Int((range.upperBound + block - 1) / block))
    }

    private func range(of block: Int) -> Range<Int64> {
        let start = Int64(block) * Int64(BlockChecksum.blockLength)
        return start..<min(length.bytes, start + Int64(BlockChecksum.blockLength))
    }

    private func damage() -> StoreError {
        onDamage()
        return StoreError(
            code: .corruptEntry, message: "A stored body is damaged; what was stored with it is dropped.")
    }
}

extension BodyFile {
    /// Opens a regular file that is none of a store's, without checksums. Its length is the one that it has now.
    ///
    /// - Throws: ``StoreError/Code/readFailed``.
    package convenience init(reading path: String) throws {
        let fileSystem = LocalFileSystem()
        do {
            let descriptor = SystemCalls.openFile(path, SystemCalls.readOnlyAtOnce)
            guard descriptor >= 0 else { throw FileSystemError(call: "open", number: SystemCalls.errorNumber) }
            guard SystemCalls.isRegular(descriptor) else {
                fileSystem.close(descriptor)
                throw StoreError(code: .readFailed, message: "It is a pipe, a device or a folder, and no file.")
            }
            let size: Int64
            do {
                size = try fileSystem.size(descriptor)
            } catch {
                fileSystem.close(descriptor)
                throw error
            }
            self.init(descriptor: descriptor, length: ByteCount(size), fileSystem: fileSystem)
        } catch {
            throw StoreError(code: .readFailed, message: "The file can't be opened.", cause: error)
        }
    }
}
