import HTTPTypes

/// Header fields as bytes, the form in which the index keeps them.
///
/// Each field in order: the length of its name (2 bytes), the name, the length of its value (4 bytes), the value; the
/// lengths little-endian, texts in UTF-8. An empty block has no bytes.
///
///     0a 00  63 61 63 68 65 …  0a 00 00 00  6d 61 78 2d 61 67 65 3d 36 30
///     └ 10   └ "cache-contr…"  └ 10         └ "max-age=60"
enum FieldBlock {
    static func write(_ pairs: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for pair in pairs {
            let name = Array(pair.name.utf8.prefix(Int(UInt16.max)))
            let value = Array(pair.value.utf8.prefix(Int(Int32.max)))
            bytes += [UInt8(name.count & 0xFF), UInt8(name.count >> 8)] + name
            bytes += (0..<4).map { UInt8((value.count >> ($0 * 8)) & 0xFF) } + value
        }
        return bytes
    }

    /// - Returns: `nil` when the bytes are no field block.
    static func read(_ bytes: [UInt8]) -> [(name: String, value: String)]? {
        var pairs: [(String, String)] = []
        var position = 0
        func length(_ width: Int) -> Int? {
            guard position + width <= bytes.count else { return nil }
            let value = (0..<width).reduce(0) { $0 | Int(bytes[position + $1]) << ($1 * 8) }
            position += width
            return value
        }
        func text(_ count: Int) -> String? {
            guard position + count <= bytes.count else { return nil }
            defer { position += count }
            return String(decoding: bytes[position..<position + count], as: UTF8.self)
        }
        while position < bytes.count {
            guard let nameLength = length(2), let name = text(nameLength), let valueLength = length(4),
                let value = text(valueLength)
            else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }

    static func write(_ fields: HTTPFields) -> [UInt8] {
        write(fields.map { ($0.name.rawName, $0.value) })
    }

    static func readFields(_ bytes: [UInt8]) -> HTTPFields? {
        guard let pairs = read(bytes) else { return nil }
        var fields = HTTPFields()
        fields.reserveCapacity(pairs.count)
        for pair in pairs {
            guard let name = HTTPField.Name(pair.name) else { return nil }
            fields.append(HTTPField(name: name, value: pair.value))
        }
        return fields
    }
}
