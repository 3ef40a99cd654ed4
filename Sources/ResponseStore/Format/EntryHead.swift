import HTTPCacheSemantics
import HTTPTypes

/// A stored response without its content, as the index has it.
///
/// It has its key and the digest of its body, so that a damaged index can't pass it off as another response.
struct EntryHead: Equatable {
    /// The longest head that is stored: 65,534 fields could need more than any message has.
    static let limit = 16 * 1_048_576

    var key: CacheKey
    var response: StoredResponse
    var digest: BodyDigest
    /// The length of the body.
    var length: ByteCount

    /// The block after its checksum, eight bytes, XXH64.
    var stored: [UInt8] {
        let block = block
        var bytes: [UInt8] = []
        bytes.reserveCapacity(block.count + 8)
        bytes.append(number: BlockChecksum.of(block))
        return bytes + block
    }

    /// Numbers are little-endian; each piece follows its length of four bytes.
    ///
    ///     1 if it needs validation, else 0 (1), status (2), request time (8), response time (8), digest (32) and
    ///     length (8) of the body, partition (see StoredPartition), URI, nominated fields, extent, fields: see
    ///     FieldBlock and ExtentBlock; tags (a FieldBlock without values), its expiry or the greatest number (8)
    var block: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        bytes.append(response.needsValidation ? 1 : 0)
        bytes.append(number: UInt16(response.status.code))
        bytes.append(number: EntryRow.milliseconds(response.requestTime))
        bytes.append(number: EntryRow.milliseconds(response.responseTime))
        bytes.append(contentsOf: digest.bytes)
        bytes.append(number: length.bytes)
        bytes.append(piece: key.storedPartition.utf8)
        bytes.append(piece: key.uri.utf8)
        bytes.append(piece: EntryRow.nominatedBlock(response.nominatedFields))
        bytes.append(piece: ExtentBlock.write(response.extent))
        bytes.append(piece: FieldBlock.write(response.fields))
        bytes.append(piece: FieldBlock.write(response.tags.map { ($0, "") }))
        bytes.append(number: response.expires.map(EntryRow.milliseconds) ?? Int64.max)
        return bytes
    }

    init(key: CacheKey, response: StoredResponse, body: BodyDescription) {
        (self.key, self.response, digest, length) = (key, response, body.digest, body.length)
    }

    /// Whether a body is the one that this head was stored with.
    func describes(_ body: BodyDescription) -> Bool { digest == body.digest && length == body.length }

    /// - Returns: `nil` if the bytes are damaged.
    init?(stored bytes: UnsafeRawBufferPointer) {
        var reader = BlockReader(bytes)
        guard let checksum = reader.number(UInt64.self), let block = reader.piece(bytes.count - 8),
            BlockChecksum.of(block) == checksum
        else { return nil }
        self.init(block)
    }

    /// - Returns: `nil` if the bytes are not a head.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = BlockReader(bytes)
        guard let needsValidation = reader.number(UInt8.self),
            let status = reader.number(UInt16.self), (100...999).contains(status),
            let requestTime = reader.number(Int64.self), let responseTime = reader.number(Int64.self),
            let digest = reader.piece(32).flatMap({ BodyDigest($0) }), let length = reader.number(Int64.self),
            length >= 0,
            let key = reader.text().flatMap({ partition in
                reader.text().flatMap { StoredPartition.key(partition, uri: $0) }
            }),
            let nominated = reader.piece().flatMap({ EntryRow.nominatedFields($0) }),
            let extent = reader.piece().flatMap({ ExtentBlock.read(Array($0), storedLength: length) }),
            let fields = reader.piece().flatMap({ FieldBlock.readFields($0) }),
            let tags = reader.piece().flatMap({ FieldBlock.read($0) }), let expires = reader.number(Int64.self),
            reader.isAtEnd
        else { return nil }
        self.key = key
        response = StoredResponse(
            nominatedFields: nominated, status: .init(code: Int(status)), fields: fields,
            requestTime: WallInstant(sinceEpoch: .milliseconds(requestTime)),
            responseTime: WallInstant(sinceEpoch: .milliseconds(responseTime)), extent: extent,
            needsValidation: needsValidation != 0, tags: tags.map(\.name),
            expires: expires == .max ? nil : WallInstant(sinceEpoch: .milliseconds(expires)))
        (self.digest, self.length) = (digest, ByteCount(length))
    }
}

/// A stored body without its bytes.
struct BodyDescription: Hashable, Sendable {
    /// Bodies up to this size are in rows of the index; larger ones are files.
    static let rowLimit = BlockChecksum.blockLength

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

    var isInRow: Bool { length.bytes <= Int64(Self.rowLimit) }

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
        let name = BodyDigest(hash: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
        (body.digest, body.ownName, body.isGrowing) = (name, name, true)
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

    /// Whether these bytes are the body, for one in a row.
    func matches(_ bytes: [UInt8]) -> Bool {
        guard Int64(bytes.count) == length.bytes, isInRow, checksums.count == (bytes.isEmpty ? 0 : 1) else {
            return false
        }
        return checksums.first.map { $0 == BlockChecksum.of(bytes) } ?? true
    }
}

/// The stored extent as bytes.
///
/// Numbers of 8 bytes, little-endian: the complete length, or -1 if it is unknown; then for each part, in the order of
/// the stored content, the offset of its first byte and of the byte after its last. A complete response has no bytes.
enum ExtentBlock {
    static func write(_ extent: ContentExtent) -> [UInt8] {
        guard case .partial(let parts, let length) = extent else { return [] }
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
        if bytes.isEmpty { return .complete }
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
