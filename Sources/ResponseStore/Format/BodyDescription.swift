import HTTPCacheSemantics

/// A stored body without its bytes.
struct BodyDescription: Hashable, Sendable {
    /// Bodies up to this size are in segments, after their heads; larger ones are files.
    static let segmentLimit = BlockChecksum.blockLength

    var digest: BodyDigest
    var length: ByteCount
    /// One for each 64 KiB, the last of which may be shorter; none for an empty body.
    var checksums: [UInt64]
    /// The name of its file if that is not the digest: it was chosen before the content was known.
    var ownName: BodyDigest?
    /// Whether parts are still appended. Then ``digest`` is not a digest but the name, and no other body is equal.
    var isGrowing = false

    /// The name of its file, if it has one.
    var fileName: BodyDigest { ownName ?? digest }
    /// Whether its file may be longer than the body, by a part that the index does not record.
    var mayHaveMore: Bool { ownName != nil }

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

    /// A body in a file to which parts can be appended, with its own name.
    var growing: BodyDescription {
        var body = self
        let name = BodyDigest((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        (body.digest, body.ownName, body.isGrowing) = (name ?? digest, name, name != nil)
        return body
    }

    /// - Returns: `nil` unless there is a checksum for each block.
    init?(digest: BodyDigest, length: ByteCount, checksumBlock: UnsafeRawBufferPointer) {
        self.init(digest: digest, length: length, checksums: [])
        let block = Int64(BlockChecksum.blockLength)
        // For an invalid length the sum would overflow.
        guard 0...Int64.max - block ~= length.bytes else { return nil }
        let expected = (length.bytes + block - 1) / block
        guard Int64(checksumBlock.count / 8) == expected, checksumBlock.count % 8 == 0 else { return nil }
        var reader = BlockReader(checksumBlock)
        checksums.reserveCapacity(Int(expected))
        while let checksum = reader.number(UInt64.self) { checksums.append(checksum) }
    }

    /// Whether these bytes are the body, for one in a segment.
    func matches(_ bytes: [UInt8]) -> Bool {
        guard Int64(bytes.count) == length.bytes, isInSegment, checksums.count == (bytes.isEmpty ? 0 : 1) else {
            return false
        }
        return checksums.first.map { $0 == BlockChecksum.of(bytes) } ?? true
    }
}
