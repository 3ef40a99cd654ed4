import HTTPCacheSemantics

/// One record of a segment: a head, and the body that came with it unless it lies elsewhere.
///
///     mark of the segment (16)     random: no content that was received can look like a record
///     length of the head (4)
///     length of the body (4)       0 where it lies elsewhere, or is empty
///     checksum of the head (8)     XXH64, as the next one; the head has those of the body
///     checksum of the above (8)
///     head, body, and zeros up to a multiple of 8
///
/// Numbers are little-endian. A record is written once and never changed; where it is given up, a hole is punched.
struct SegmentRecord {
    static let headerLength = 40
    static let alignment = 8
    /// A head beyond that is not stored: 65,534 fields may amount to more than anyone sends.
    static let headLimit = 16 * 1_048_576

    /// What the first bytes of a record say.
    struct Header: Equatable {
        var headLength: Int
        var bodyLength: Int
        var headChecksum: UInt64

        /// With the padding at its end.
        var recordLength: Int { SegmentRecord.padded(SegmentRecord.headerLength + headLength + bodyLength) }

        /// - Returns: `nil` when the bytes are no header of this segment.
        init?(_ bytes: UnsafeRawBufferPointer, mark: [UInt8]) {
            var reader = BlockReader(bytes)
            guard let found = reader.piece(16), found.elementsEqual(mark), let head = reader.number(UInt32.self),
                let body = reader.number(UInt32.self), let headChecksum = reader.number(UInt64.self),
                let own = reader.number(UInt64.self),
                own == BlockChecksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<32])),
                head <= SegmentRecord.headLimit, body <= BodyDescription.segmentLimit
            else { return nil }
            (headLength, bodyLength, self.headChecksum) = (Int(head), Int(body), headChecksum)
        }
    }

    static func padded(_ length: Int) -> Int { (length + alignment - 1) / alignment * alignment }

    /// Adds a record to what will be written.
    static func append(head: [UInt8], body: [UInt8], mark: [UInt8], to bytes: inout [UInt8]) {
        var header: [UInt8] = []
        header.reserveCapacity(headerLength)
        header += mark
        header.append(number: UInt32(head.count))
        header.append(number: UInt32(body.count))
        header.append(number: BlockChecksum.of(head))
        header.append(number: BlockChecksum.of(header))
        let end = bytes.count + padded(header.count + head.count + body.count)
        bytes += header
        bytes += head
        bytes += body
        bytes.append(contentsOf: repeatElement(0, count: end - bytes.count))
    }
}
