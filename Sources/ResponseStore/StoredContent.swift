import HTTPCacheSemantics

/// The content of a stored response, ready to be read. It stays readable if the entry is removed meanwhile.
package enum StoredContent: Sendable {
    case bytes([UInt8])
    case file(BodyFile)

    /// Bytes from an offset; fewer than requested only at the end.
    ///
    /// - Throws: As ``BodyFile/read(from:upTo:)``.
    package func read(from offset: Int64, upTo count: Int) throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): Array(bytes.dropFirst(Int(clamping: max(0, offset))).prefix(max(0, count)))
        case .file(let file): try file.read(from: offset, upTo: count)
        }
    }

    package var length: ByteCount {
        switch self {
        case .bytes(let bytes): ByteCount(bytes.count)
        case .file(let file): file.length
        }
    }
}
