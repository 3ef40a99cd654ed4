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
