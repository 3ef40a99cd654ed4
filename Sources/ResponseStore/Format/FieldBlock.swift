import HTTPTypes

/// Header fields as bytes in the store.
///
/// Each field in order: the length of its name (2 bytes), the name, the length of its value (4 bytes), the value; the
/// lengths are little-endian. Values keep their bytes: they need not be UTF-8 (RFC 9110 §5.5). An empty block has no
/// bytes.
///
///     0d 00  43 61 63 68 65 …  0a 00 00 00  6d 61 78 2d 61 67 65 3d 36 30
///     └ 13   └ "Cache-Contr…"  └ 10         └ "max-age=60"
enum FieldBlock {
    static func write(_ pairs: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for pair in pairs {
            var value = pair.value
            value.withUTF8 { append(pair.name, $0, to: &bytes) }
        }
        return bytes
    }

    static func write(_ fields: HTTPFields) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        for field in fields {
            field.withUnsafeBytesOfValue { append(field.name.rawName, $0, to: &bytes) }
        }
        return bytes
    }

    private static func append(_ name: String, _ value: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        let name = name.utf8.prefix(Int(UInt16.max))
        let value = value.prefix(Int(Int32.max))
        bytes.append(number: UInt16(name.count))
        bytes.append(contentsOf: name)
        bytes.append(number: UInt32(value.count))
        bytes.append(contentsOf: value)
    }

    /// - Returns: `nil` if the bytes are not a field block.
    static func read(_ bytes: UnsafeRawBufferPointer) -> [(name: String, value: String)]? {
        var pairs: [(String, String)] = []
        let isWhole = forEach(bytes) { name, value in
            pairs.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
            return true
        }
        return isWhole ? pairs : nil
    }

    /// - Returns: `nil` if the bytes are not a field block, a name in it is not a field name, or it has more fields
    ///   than `HTTPFields` accepts without trapping.
    static func readFields(_ bytes: UnsafeRawBufferPointer) -> HTTPFields? {
        var list: [HTTPField] = []
        list.reserveCapacity(16)
        let isWhole = forEach(bytes) { name, value in
            guard list.count < UInt16.max - 1, let name = HTTPField.Name(String(decoding: name, as: UTF8.self))
            else { return false }
            list.append(field(name, value))
            return true
        }
        guard isWhole else { return nil }
        var fields = HTTPFields()
        fields.replaceSubrange(0..<0, with: list)
        return fields
    }

    /// A value of visible ASCII becomes text directly; the library's validation of UTF-8 takes several times as long.
    private static func field(_ name: HTTPField.Name, _ value: UnsafeRawBufferPointer) -> HTTPField {
        value.first != 0x20 && value.last != 0x20 && value.allSatisfy { 0x20..<0x7F ~= $0 }
            ? HTTPField(name: name, value: String(decoding: value, as: UTF8.self))
            : HTTPField(name: name, lenientValue: value)
    }

    static func read(_ bytes: [UInt8]) -> [(name: String, value: String)]? { bytes.withUnsafeBytes { read($0) } }

    static func readFields(_ bytes: [UInt8]) -> HTTPFields? { bytes.withUnsafeBytes { readFields($0) } }

    /// - Returns: Whether the block was read to its end, and the closure accepted all fields.
    private static func forEach(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        var reader = BlockReader(bytes)
        while !reader.isAtEnd {
            guard let length = reader.number(UInt16.self), let name = reader.piece(Int(length)),
                let value = reader.piece(), body(name, value)
            else { return false }
        }
        return true
    }
}
