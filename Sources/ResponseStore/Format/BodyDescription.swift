import HTTPCacheSemantics

/// What is known of a stored body besides its bytes.
struct BodyDescription: Hashable, Sendable {
    /// Bodies up to this size lie in segments, behind the head that they came with; larger ones are files.
    static let segmentLimit = BlockChecksum.blockLength

    var digest: BodyDigest
    var length: ByteCount
    /// One for each 64 KiB, the last of which may be shorter; none for an empty body.
    var checksums: [UInt64]

    var isInSegment: Bool { length.bytes <= Int64(Self.segmentLimit) }

    /// The checksums as bytes, eight each, little-endian.
    var checksumBlock: [UInt8] {
        var bytes: [UInt8] = []
        for checksum in checksums { bytes.append(number: checksum) }
        return bytes
    }

    init(digest: BodyDigest, length: ByteCount, checksums: [UInt64]) {
        self.digest = digest
        self.length = length
        self.checksums = checksums
    }

    /// - Returns: `nil` unless there is a checksum for each block.
    init?(digest: BodyDigest, length: ByteCount, checksumBlock: UnsafeRawBufferPointer) {
        self.init(digest: digest, length: length, checksums: [])
        let block = Int64(BlockChecksum.blockLength)
        let expected = (max(0, length.bytes) + block - 1) / block
        guard length.bytes >= 0, Int64(checksumBlock.count) == expected * 8 else { return nil }
        var reader = BlockReader(checksumBlock)
        checksums.reserveCapacity(Int(expected))
        while let checksum = reader.number(UInt64.self) { checksums.append(checksum) }
    }

    /// Whether these are the bytes of a body in a segment.
    func matches(_ bytes: [UInt8]) -> Bool {
        guard Int64(bytes.count) == length.bytes, isInSegment, checksums.count == (bytes.isEmpty ? 0 : 1) else {
            return false
        }
        return checksums.first.map { $0 == BlockChecksum.of(bytes) } ?? true
    }
}
