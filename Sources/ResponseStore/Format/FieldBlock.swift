import HTTPTypes

/// Header fields as bytes, the form in which the index keeps them.
///
/// Each field in order: the length of its name (2 bytes), the name, the length of its value (4 bytes), the value; the
/// lengths little-endian. Values are kept byte by byte: they need not be UTF-8 (RFC 9110 §5.5). An empty block has no
/// bytes.
///
///     0d 00  43 61 63 68 65 …  0a 00 00 00  6d 61 78 2d 61 67 65 3d 36 30
///     └ 13   └ "Cache-Contr…"  └ 10         └ "max-age=60"
enum FieldBlock {
    static func write(_ pairs: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for pair in pairs { append(pair.name, Array(pair.value.utf8), to: &bytes) }
        return bytes
    }

    static func write(_ fields: HTTPFields) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields {
            field.withUnsafeBytesOfValue { append(field.name.rawName, Array($0), to: &bytes) }
        }
        return bytes
    }

    private static func append(_ name: String, _ value: [UInt8], to bytes: inout [UInt8]) {
        let name = name.utf8.prefix(Int(UInt16.max))
        let value = value.prefix(Int(Int32.max))
        bytes += [UInt8(name.count & 0xFF), UInt8(name.count >> 8)]
        bytes += name
        bytes += (0..<4).map { UInt8((value.count >> ($0 * 8)) & 0xFF) }
        bytes += value
    }

    /// - Returns: `nil` when the bytes are no field block.
    static func read(_ bytes: [UInt8]) -> [(name: String, value: String)]? {
        split(bytes)?.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }
    }

    /// - Returns: `nil` when the bytes are no field block, or a name in it is no field name, or it has more fields than
    ///   `HTTPFields` takes before it ends the program.
    static func readFields(_ bytes: [UInt8]) -> HTTPFields? {
        guard let pairs = split(bytes), pairs.count < UInt16.max else { return nil }
        var fields = HTTPFields()
        fields.reserveCapacity(pairs.count)
        for pair in pairs {
            guard let name = HTTPField.Name(pair.name) else { return nil }
            fields.append(HTTPField(name: name, lenientValue: pair.value))
        }
        return fields
    }

    private static func split(_ bytes: [UInt8]) -> [(name: String, value: ArraySlice<UInt8>)]? {
        var pairs: [(String, ArraySlice<UInt8>)] = []
        var position = 0
        func length(_ width: Int) -> Int? {
            guard position + width <= bytes.count else { return nil }
            let value = (0..<width).reduce(0) { $0 | Int(bytes[position + $1]) << ($1 * 8) }
            position += width
            return value
        }
        func part(_ count: Int) -> ArraySlice<UInt8>? {
            guard position + count <= bytes.count else { return nil }
            defer { position += count }
            return bytes[position..<position + count]
        }
        while position < bytes.count {
            guard let nameLength = length(2), let name = part(nameLength), let valueLength = length(4),
                let value = part(valueLength)
            else { return nil }
            pairs.append((String(decoding: name, as: UTF8.self), value))
        }
        return pairs
    }
}
