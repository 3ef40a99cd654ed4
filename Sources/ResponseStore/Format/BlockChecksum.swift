/// XXH64, which detects damaged bytes at the speed of memory. It is no defence against an attacker who chooses both
/// bytes and checksum; content also has a SHA-256.
///
/// After the specification of xxHash (Yann Collet, doc/xxhash_spec.md, revision 0.2.0), §"XXH64 Algorithm Description".
enum BlockChecksum {
    /// Every block of a large body has its own checksum, so that a range can be checked without the rest.
    static let blockLength = 65_536

    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    static func of(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { of($0) } }

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var offset = 0
        var sum: UInt64
        if bytes.count >= 32 {
            var (a, b, c, d) = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
            while offset + 32 <= bytes.count {
                a = round(a, word(bytes, offset))
                b = round(b, word(bytes, offset + 8))
                c = round(c, word(bytes, offset + 16))
                d = round(d, word(bytes, offset + 24))
                offset += 32
            }
            sum = rotated(a, 1) &+ rotated(b, 7) &+ rotated(c, 12) &+ rotated(d, 18)
            for lane in [a, b, c, d] { sum = (sum ^ round(0, lane)) &* prime1 &+ prime4 }
        } else {
            sum = prime5
        }
        sum &+= UInt64(bytes.count)
        while offset + 8 <= bytes.count {
            sum = rotated(sum ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset + 4 <= bytes.count {
            let half = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            sum = rotated(sum ^ (half &* prime1), 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < bytes.count {
            sum = rotated(sum ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
            offset += 1
        }
        sum = (sum ^ (sum >> 33)) &* prime2
        sum = (sum ^ (sum >> 29)) &* prime3
        return sum ^ (sum >> 32)
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func round(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        rotated(sum &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
        value << count | value >> (64 - count)
    }
}

/// The checksums of the blocks of a body that arrives in pieces.
struct RunningChecksums {
    private var checksums: [UInt64] = []
    /// The bytes of the incomplete block.
    private var rest: [UInt8] = []

    init() {}

    /// Continues after complete blocks.
    init(after checksums: some Sequence<UInt64>) {
        self.checksums = Array(checksums)
    }

    mutating func update(_ bytes: [UInt8]) {
        var position = 0
        if !rest.isEmpty {
            position = min(bytes.count, BlockChecksum.blockLength - rest.count)
            rest += bytes[..<position]
            guard rest.count == BlockChecksum.blockLength else { return }
            checksums.append(BlockChecksum.of(rest))
            rest = []
        }
        bytes.withUnsafeBytes { buffer in
            while bytes.count - position >= BlockChecksum.blockLength {
                let end = position + BlockChecksum.blockLength
                checksums.append(BlockChecksum.of(UnsafeRawBufferPointer(rebasing: buffer[position..<end])))
                position = end
            }
        }
        rest += bytes[position...]
    }

    /// All checksums; the last block may be shorter.
    mutating func finish() -> [UInt64] {
        if !rest.isEmpty { checksums.append(BlockChecksum.of(rest)) }
        rest = []
        return checksums
    }
}

/// Reads little-endian numbers and pieces of bytes from a block, from its beginning.
struct BlockReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// - Returns: `nil` if the block ends before it.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        let width = MemoryLayout<Number>.size
        guard bytes.count - position >= width else { return nil }
        defer { position += width }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    mutating func piece(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, bytes.count - position >= count else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    /// A piece after its length of four bytes.
    mutating func piece() -> UnsafeRawBufferPointer? {
        number(UInt32.self).flatMap { piece(Int($0)) }
    }

    mutating func text() -> String? {
        piece().map { String(decoding: $0, as: UTF8.self) }
    }
}

extension [UInt8] {
    /// Appends a little-endian number.
    mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends the length of a piece in four bytes, and the piece.
    mutating func append(piece: some Collection<UInt8>) {
        append(number: UInt32(piece.count))
        append(contentsOf: piece)
    }
}
