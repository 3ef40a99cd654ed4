/// Stage one of the build: a source cut at its references.
struct CompiledChunk {
    /// A run of bytes as they stand, or a reference to replace.
    enum Piece {
        case literal(ArraySlice<UInt8>)
        case reference(String)
    }

    let source: ChunkSource
    let pieces: [Piece]

    /// Names referred to, in order of appearance, with repetitions.
    var references: [String] {
        pieces.compactMap { piece in
            guard case .reference(let name) = piece else { return nil }
            return name
        }
    }

    /// Finds the references. Fonts have none.
    init(_ source: ChunkSource) {
        self.source = source
        guard source.suffix != "ttf" else {
            pieces = [.literal(source.bytes[...])]
            return
        }
        var pieces: [Piece] = []
        let bytes = source.bytes
        var start = 0
        var search = 0
        while let tilde = bytes[search...].firstIndex(of: UInt8(ascii: "~")) {
            search = tilde + 1
            guard search < bytes.count, bytes[search] == UInt8(ascii: "/") else { continue }
            var end = search + 1
            while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
            pieces.append(.literal(bytes[start..<tilde]))
            pieces.append(.reference(String(decoding: bytes[(search + 1)..<end], as: UTF8.self)))
            start = end
            search = end
        }
        pieces.append(.literal(bytes[start...]))
        self.pieces = pieces
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): true
        default: false
        }
    }
}
