import HTTPCacheSemantics
import Locking

/// The open segments of a store.
final class SegmentFiles: Sendable {
    /// The most segments that are kept open.
    static let openLimit = 64

    let layout: StoreLayout
    let fileSystem: any FileSystem
    private let open = LockedBox<[UInt32: Segment]>([:])

    init(_ layout: StoreLayout, _ fileSystem: any FileSystem) {
        (self.layout, self.fileSystem) = (layout, fileSystem)
    }

    /// - Returns: `nil` if there is no such segment, or its first bytes are damaged.
    func segment(_ number: UInt32) throws -> Segment? {
        if let known = open.withLock({ $0[number] }) { return known }
        do {
            guard let segment = try Segment.open(number, at: layout.segment(number), fileSystem) else { return nil }
            keep(segment)
            return segment
        } catch let error as FileSystemError where error.isMissing {
            return nil
        }
    }

    func keep(_ segment: Segment) {
        open.withLock { open in
            if open.count >= Self.openLimit, let other = open.keys.first { open[other] = nil }
            open[segment.number] = segment
        }
    }

    func forget(_ number: UInt32) {
        open.withLock { $0[number] = nil }
    }

    func forgetAll() {
        open.withLock { $0 = [:] }
    }

    /// The numbers of the existing segments.
    func numbers() -> [UInt32] {
        fileSystem.names(in: layout.segments).compactMap { UInt32($0) }.sorted()
    }

    func remove(_ number: UInt32) {
        forget(number)
        try? fileSystem.unlink(layout.segment(number))
    }
}

/// A range of bytes in a segment.
struct SegmentRange: Hashable, Sendable {
    var segment: UInt32
    var offset: UInt32
    var length: UInt32

    var end: UInt32 { offset + length }

    init(segment: UInt32, offset: UInt32, length: UInt32) {
        (self.segment, self.offset, self.length) = (segment, offset, length)
    }

    /// - Returns: `nil` for values that are invalid in a segment.
    init?(exactly segment: Int64, _ offset: Int64, _ length: Int64) {
        guard let segment = UInt32(exactly: segment), let offset = UInt32(exactly: offset),
            let length = UInt32(exactly: length), UInt64(offset) + UInt64(length) <= UInt64(UInt32.max)
        else { return nil }
        self.init(segment: segment, offset: offset, length: length)
    }

    /// An identity that no other entry ever has: numbers of segments are never reused.
    var identity: Int64 { Int64(segment) << 32 | Int64(offset) }
}

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
