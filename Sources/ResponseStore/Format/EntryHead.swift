import HTTPCacheSemantics
import HTTPTypes

/// A stored response without its content, as written in a segment.
///
/// It has its key, so that a read can be checked against the request, and so that a lost index can be rebuilt from the
/// segments.
struct EntryHead: Equatable {
    var id: Int64
    var key: CacheKey
    var response: StoredResponse
    var body: BodyDescription
    /// The place of the body if it was written with another head; `nil` if it follows this one, or is in a file.
    var bodyPlace: SegmentRange?

    private enum Flag {
        static let needsValidation: UInt8 = 1
        static let isPartial: UInt8 = 2
        static let isTagged: UInt8 = 4
        static let expires: UInt8 = 8
        static let hasOwnName: UInt8 = 16
        static let isGrowing: UInt8 = 32
    }

    /// Numbers are little-endian; each piece follows its length of four bytes.
    ///
    ///     identity (8), flags (1), status (2), request time (8), response time (8), digest (32), body length (8),
    ///     segment and first byte of a body elsewhere, or zeros (4, 4),
    ///     partition (see StoredPartition), URI, nominated fields, extent, fields: see FieldBlock and ExtentBlock; checksums of the body,
    ///     tags (a FieldBlock without values), the time of its expiry (8) and the name of the body's file (32) if it is
    ///     not the digest; each of these three only if the flags say so
    var block: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        let extent = ExtentBlock.write(response.extent)
        bytes.append(number: id)
        bytes.append(
            (response.needsValidation ? Flag.needsValidation : 0) | (extent == nil ? 0 : Flag.isPartial)
                | (response.tags.isEmpty ? 0 : Flag.isTagged) | (response.expires == nil ? 0 : Flag.expires)
                | (body.ownName == nil ? 0 : Flag.hasOwnName) | (body.isGrowing ? Flag.isGrowing : 0))
        bytes.append(number: UInt16(response.status.code))
        bytes.append(number: EntryRow.milliseconds(response.requestTime))
        bytes.append(number: EntryRow.milliseconds(response.responseTime))
        bytes.append(contentsOf: body.digest.bytes)
        bytes.append(number: body.length.bytes)
        bytes.append(number: bodyPlace?.segment ?? 0)
        bytes.append(number: bodyPlace?.offset ?? 0)
        bytes.append(piece: key.storedPartition.utf8)
        bytes.append(piece: key.uri.utf8)
        bytes.append(piece: EntryRow.nominatedBlock(response.nominatedFields))
        bytes.append(piece: extent ?? [])
        bytes.append(piece: FieldBlock.write(response.fields))
        bytes.append(piece: body.checksumBlock)
        if !response.tags.isEmpty { bytes.append(piece: FieldBlock.write(response.tags.map { ($0, "") })) }
        if let expires = response.expires { bytes.append(number: EntryRow.milliseconds(expires)) }
        if let name = body.ownName { bytes.append(contentsOf: name.bytes) }
        return bytes
    }

    init(
        id: Int64, key: CacheKey, response: StoredResponse, body: BodyDescription, bodyPlace: SegmentRange? = nil
    ) {
        self.bodyPlace = bodyPlace
        self.id = id
        self.key = key
        self.response = response
        self.body = body
    }

    /// - Returns: `nil` if the bytes are not a head.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = BlockReader(bytes)
        guard let id = reader.number(Int64.self), let flags = reader.number(UInt8.self),
            let status = reader.number(UInt16.self), (100...999).contains(status),
            let requestTime = reader.number(Int64.self), let responseTime = reader.number(Int64.self),
            let digest = reader.piece(32).flatMap({ BodyDigest($0) }), let length = reader.number(Int64.self),
            length >= 0, let bodySegment = reader.number(UInt32.self), let bodyOffset = reader.number(UInt32.self),
            let key = reader.text().flatMap({ partition in
                reader.text().flatMap { StoredPartition.key(partition, uri: $0) }
            }),
            let nominated = reader.piece().flatMap({ EntryRow.nominatedFields($0) }),
            let extentBlock = reader.piece(), let fields = reader.piece().flatMap({ FieldBlock.readFields($0) }),
            let checksums = reader.piece(),
            var body = BodyDescription(digest: digest, length: ByteCount(length), checksumBlock: checksums)
        else { return nil }
        var extent = ContentExtent.complete
        if flags & Flag.isPartial != 0 {
            guard let partial = ExtentBlock.read(Array(extentBlock), storedLength: length) else { return nil }
            extent = partial
        }
        var tags: [String] = []
        if flags & Flag.isTagged != 0 {
            guard let pairs = reader.piece().flatMap({ FieldBlock.read($0) }) else { return nil }
            tags = pairs.map(\.name)
        }
        var expires: WallInstant?
        if flags & Flag.expires != 0 {
            guard let end = reader.number(Int64.self) else { return nil }
            expires = WallInstant(sinceEpoch: .milliseconds(end))
        }
        if flags & Flag.hasOwnName != 0 {
            guard let name = reader.piece(32).flatMap({ BodyDigest($0) }) else { return nil }
            (body.ownName, body.isGrowing) = (name, flags & Flag.isGrowing != 0)
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            id: id, key: key,
            response: StoredResponse(
                nominatedFields: nominated, status: .init(code: Int(status)), fields: fields,
                requestTime: WallInstant(sinceEpoch: .milliseconds(requestTime)),
                responseTime: WallInstant(sinceEpoch: .milliseconds(responseTime)), extent: extent,
                needsValidation: flags & Flag.needsValidation != 0, tags: tags, expires: expires),
            body: body,
            bodyPlace: bodySegment == 0
                ? nil : SegmentRange(exactly: Int64(bodySegment), Int64(bodyOffset), length))
    }
}

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
        // The sum would overflow for an invalid length.
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

/// The stored extent as bytes.
///
/// Numbers of 8 bytes, little-endian: the complete length, or -1 if it is unknown; then for each part, in the order of
/// the stored content, the offset of its first byte and of the byte after its last. A complete response has no block.
enum ExtentBlock {
    static func write(_ extent: ContentExtent) -> [UInt8]? {
        guard case .partial(let parts, let length) = extent else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + parts.count * 16)
        bytes.append(number: length ?? -1)
        for part in parts {
            bytes.append(number: part.lowerBound)
            bytes.append(number: part.upperBound)
        }
        return bytes
    }

    /// - Parameter storedLength: The sum of the lengths of the parts.
    /// - Returns: `nil` if the bytes are invalid.
    static func read(_ bytes: [UInt8], storedLength: Int64) -> ContentExtent? {
        guard bytes.count >= 24, bytes.count % 16 == 8 else { return nil }
        var numbers: [Int64] = []
        numbers.reserveCapacity(bytes.count / 8)
        bytes.withUnsafeBytes { block in
            var reader = BlockReader(block)
            while let number = reader.number(Int64.self) { numbers.append(number) }
        }
        var parts: [Range<Int64>] = []
        var left = storedLength
        for index in stride(from: 1, to: numbers.count, by: 2) {
            let (lower, upper) = (numbers[index], numbers[index + 1])
            guard lower >= 0, lower < upper, upper - lower <= left else { return nil }
            parts.append(lower..<upper)
            left -= upper - lower
        }
        let length = numbers[0] < 0 ? nil : numbers[0]
        let inOrder = parts.sorted { $0.lowerBound < $1.lowerBound }
        let areApart = zip(inOrder, inOrder.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
        guard left == 0, areApart, let last = inOrder.last, last.upperBound <= length ?? .max else { return nil }
        return .partial(parts, completeLength: length)
    }
}
