import HTTPCacheSemantics
import Locking

/// The bodies that a store adds parts to, one part at a time for each.
final class BodyGrowth: Sendable {
    /// The store's name in the index.
    let writer: String
    private let held = LockedBox<Set<BodyDigest>>([])

    init(writer: String) {
        self.writer = writer
    }

    /// - Returns: Whether no other task of this store is adding to the body; if true, call ``release(_:)`` afterwards.
    func hold(_ name: BodyDigest) -> Bool { held.withLock { $0.insert(name).inserted } }

    func release(_ name: BodyDigest) { held.withLock { _ = $0.remove(name) } }

    /// The bytes that are read and written at once.
    private static let pieceLength: Int64 = 1_048_576

    /// Writes parts after the end of a body that the index records, and waits for the disk.
    ///
    /// - Parameters:
    ///   - path: The file of the body.
    ///   - regions: The regions of the received content to add, in this order.
    ///   - isWhole: Whether this completes the representation, which then gets its digest.
    /// - Returns: The description of the body for the index.
    /// - Throws: ``StoreError/Code/corruptEntry`` if the body is damaged.
    static func add(
        _ regions: [Range<Int64>], of received: PendingDiskBody, to body: BodyDescription, at path: String,
        isWhole: Bool, _ fileSystem: any FileSystem
    ) throws -> BodyDescription {
        do {
            let descriptor = try fileSystem.open(path, .writing)
            defer { fileSystem.close(descriptor) }
            let blockLength = Int64(BlockChecksum.blockLength)
            let full = body.length.bytes / blockLength
            let begun = try fileSystem.read(
                descriptor, at: full * blockLength, upTo: Int(body.length.bytes - full * blockLength))
            var checksums = RunningChecksums(after: body.checksums.prefix(Int(full)))
            checksums.update(begun)
            var unchanged = checksums
            guard unchanged.finish() == body.checksums else { throw damage }
            try received.seal()
            var end = body.length.bytes
            for region in regions {
                var position = region.lowerBound
                while position < region.upperBound {
                    let wanted = Int(min(pieceLength, region.upperBound - position))
                    let bytes = try received.read(from: position, upTo: wanted)
                    guard !bytes.isEmpty else {
                        throw StoreError(code: .readFailed, message: "A received part can't be read back.")
                    }
                    try fileSystem.write(bytes, to: descriptor, at: end)
                    checksums.update(bytes)
                    end += Int64(bytes.count)
                    position += Int64(bytes.count)
                }
            }
            try fileSystem.synchronize(descriptor)
            var grown = body
            (grown.length, grown.checksums) = (ByteCount(end), checksums.finish())
            if isWhole { (grown.digest, grown.isGrowing) = (try digest(of: grown, descriptor, fileSystem), false) }
            return grown
        } catch let error as FileSystemError where error.isMissing {
            throw damage
        } catch let error as FileSystemError {
            throw PendingDiskBody.writeFailure(error)
        }
    }

    private static func digest(
        of body: BodyDescription, _ descriptor: Int32, _ fileSystem: any FileSystem
    ) throws -> BodyDigest {
        var hasher = SHA256Hasher()
        var checksums = RunningChecksums()
        var position: Int64 = 0
        while position < body.length.bytes {
            let bytes = try fileSystem.read(
                descriptor, at: position, upTo: Int(min(pieceLength, body.length.bytes - position)))
            guard !bytes.isEmpty else { throw damage }
            hasher.update(bytes)
            checksums.update(bytes)
            position += Int64(bytes.count)
        }
        guard checksums.finish() == body.checksums else { throw damage }
        return hasher.digest()
    }

    private static var damage: StoreError {
        StoreError(code: .corruptEntry, message: "A stored body is damaged; what was stored with it is dropped.")
    }
}
