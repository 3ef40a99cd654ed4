import HTTPCacheSemantics

/// One record of a segment: a head, and its body unless that is elsewhere.
///
///     mark of the segment (16)     random: received content can't look like a record
///     length of the head (4)
///     length of the body (4)       0 if it is elsewhere, or empty
///     checksum of the head (8)     XXH64, as the next one; the head has those of the body
///     checksum of the above (8)
///     head, body, and zeros up to a multiple of 8
///
/// Numbers are little-endian. A record is written once and never changed; when it is released, a hole is punched.
struct SegmentRecord {
    static let headerLength = 40
    static let alignment = 8
    /// The longest head that is stored: 65,534 fields could need more than any message has.
    static let headLimit = 16 * 1_048_576

    /// The first bytes of a record.
    struct Header: Equatable {
        var headLength: Int
        var bodyLength: Int
        var headChecksum: UInt64

        /// Including the padding at the end.
        var recordLength: Int { SegmentRecord.padded(SegmentRecord.headerLength + headLength + bodyLength) }

        /// - Returns: `nil` if the bytes are not a header of this segment.
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

    /// Appends a record to the bytes to write.
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
