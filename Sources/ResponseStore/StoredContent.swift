import HTTPCacheSemantics

/// The content of a stored response, ready to be read. It stays readable when the entry is removed meanwhile.
public enum StoredContent: Sendable {
    case bytes([UInt8])
    case file(BodyFile)

    public var length: ByteCount {
        switch self {
        case .bytes(let bytes): ByteCount(bytes.count)
        case .file(let file): file.length
        }
    }
}
