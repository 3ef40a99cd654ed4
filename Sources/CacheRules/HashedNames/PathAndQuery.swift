/// The octets of a request's path and query, and the ranges of their parts.
struct PathAndQuery {
    /// A recognised hash: its octets and the naming convention.
    struct FoundHash {
        var range: Range<Int>
        var style: HashedName.Style
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The octets before the last segment, including their last slash.
    private let folders: Range<Int>
    /// The last segment.
    private let fileName: Range<Int>
    /// The query without its question mark; empty if there is none.
    private let query: Range<Int>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        var pathEnd = bytes.count
        var end = bytes.count
        var lastSlash = -1
        var index = 0
        scan: while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "#"):
                pathEnd = min(pathEnd, index)
                end = index
                break scan
            case UInt8(ascii: "?"): pathEnd = min(pathEnd, index)
            case UInt8(ascii: "/") where pathEnd == bytes.count: lastSlash = index
            default: break
            }
            index += 1
        }
        folders = 0..<lastSlash + 1
        fileName = lastSlash + 1..<pathEnd
        query = min(pathEnd + 1, end)..<end
    }

    func hash(orInQueryItems names: [String]) -> FoundHash? {
        guard let file = StaticFileName(bytes, in: fileName) else { return nil }
        let folders = AssetFolders(bytes, in: folders)
        guard folders.admit(file.kind) else { return nil }
        if let found = HashSlot(bytes, file: file, folders: folders).hash() { return found }
        return names.isEmpty ? nil : hash(inQueryItems: names)
    }

    private func hash(inQueryItems names: [String]) -> FoundHash? {
        var rest = query
        while !rest.isEmpty {
            let end = bytes[rest].firstIndex(of: UInt8(ascii: "&")) ?? rest.upperBound
            let item = rest.lowerBound..<end
            rest = min(end + 1, rest.upperBound)..<rest.upperBound
            guard let equals = bytes[item].firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = equals + 1..<end
            guard names.contains(where: { $0.utf8.elementsEqual(bytes[item.lowerBound..<equals]) }) else { continue }
            if HashSlot.isHash(queryValue: value, in: bytes) { return FoundHash(range: value, style: .queryItem) }
        }
        return nil
    }
}
