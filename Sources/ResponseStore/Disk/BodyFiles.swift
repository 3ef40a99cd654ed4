import HTTPCacheSemantics
import Locking

/// The open files of large bodies, so that a body in use is opened once, and its blocks are compared once.
final class BodyFiles: Sendable {
    /// The most files that are kept open.
    static let openLimit = 32

    /// Bodies up to this size are verified as a whole when they are opened, longer ones block by block as they are
    /// read.
    static let comparedAtOnce = ByteCount.mebibytes(2)

    private let layout: StoreLayout
    private var fileSystem: any FileSystem { layout.fileSystem }
    private let open = LockedBox(RecentCache<BodyDigest, BodyFile>(budget: openLimit))

    init(_ layout: StoreLayout) { self.layout = layout }

    /// The file of an entry, if it is open.
    func known(_ entry: StoredEntry) -> BodyFile? {
        // A growing body may have been shorter when its file was opened.
        open.withLock { $0.value(for: entry.bodyDigest) }
            .flatMap { $0.length == entry.bodyLength && $0.isWhole ? $0 : nil }
    }

    /// Opens the file of an entry. Reads up to ``comparedAtOnce``, so call it on a thread that may wait.
    ///
    /// - Returns: `nil` if the file is gone, or has another length.
    func file(_ entry: StoredEntry, onDamage: @escaping @Sendable () -> Void) throws -> BodyFile? {
        if let known = known(entry) { return known }
        guard let descriptor = try descriptor(layout.body(entry.fileName)) else { return nil }
        let file = BodyFile(
            descriptor: descriptor, length: entry.bodyLength, fileSystem: fileSystem, checksums: entry.checksums,
            onDamage: onDamage)
        let size = try fileSystem.size(descriptor)
        guard size == entry.bodyLength.bytes || entry.body?.mayHaveMore == true && size > entry.bodyLength.bytes else {
            return nil
        }
        // Nothing is sent to a client yet, so the exchange can still ask the origin.
        if entry.bodyLength <= Self.comparedAtOnce { try file.verify(0..<entry.bodyLength.bytes) }
        open.withLock { $0.set(file, for: entry.bodyDigest, cost: 1) }
        return file
    }

    private func descriptor(_ path: String) throws(FileSystemError) -> Int32? {
        do {
            return try fileSystem.open(path, .reading)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    func forget(_ digest: BodyDigest) {
        open.withLock { $0.remove(digest) }
    }

    /// Whether the file of a body exists with the expected length.
    static func holds(_ body: BodyDescription, at path: String, _ fileSystem: any FileSystem) -> Bool {
        guard let size = size(of: path, fileSystem) else { return false }
        return size == body.length.bytes || body.mayHaveMore && size > body.length.bytes
    }

    /// The size of a file; `nil` if it can't be opened.
    static func size(of path: String, _ fileSystem: any FileSystem) -> Int64? {
        guard let descriptor = try? fileSystem.open(path, .reading) else { return nil }
        defer { fileSystem.close(descriptor) }
        return try? fileSystem.size(descriptor)
    }
}
