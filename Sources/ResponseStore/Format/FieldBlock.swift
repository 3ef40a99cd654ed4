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
        var list = FieldList()
        list.fields.reserveCapacity(16)
        let isWhole = forEach(bytes) { name, value in
            guard list.fields.count < UInt16.max - 1,
                let name = KnownFieldNames.name(name) ?? HTTPField.Name(String(decoding: name, as: UTF8.self))
            else { return false }
            list.fields.append(field(name, value))
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

/// Fields for `HTTPFields`, which reads them in code that is not specialised: with our own iterator that takes a third
/// of the time for an array's.
private struct FieldList: Collection {
    var fields: [HTTPField] = []

    var startIndex: Int { 0 }
    var endIndex: Int { fields.count }
    func index(after index: Int) -> Int { index + 1 }
    subscript(index: Int) -> HTTPField { fields[index] }
    func makeIterator() -> Iterator { Iterator(fields: fields) }

    struct Iterator: IteratorProtocol {
        let fields: [HTTPField]
        var index = 0

        mutating func next() -> HTTPField? {
            guard index < fields.count else { return nil }
            defer { index += 1 }
            return fields[index]
        }
    }
}

/// Common field names, found by their bytes: creating a name from text checks and copies it twice.
enum KnownFieldNames {
    private static let all = [
        "Accept-Ranges", "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials",
        "Access-Control-Allow-Headers", "Access-Control-Allow-Methods", "Access-Control-Expose-Headers",
        "Access-Control-Max-Age", "Age", "Alt-Svc", "Cache-Control", "Cache-Status", "CDN-Cache-Control",
        "Clear-Site-Data", "Connection", "Content-Disposition", "Content-Encoding", "Content-Language",
        "Content-Length", "Content-Location", "Content-Range", "Content-Security-Policy", "Content-Type",
        "Cross-Origin-Embedder-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Date", "ETag",
        "Expires", "Last-Modified", "Link", "Location", "NEL", "No-Vary-Search", "Origin-Agent-Cluster",
        "Permissions-Policy", "Pragma", "Priority", "Referrer-Policy", "Report-To", "Reporting-Endpoints", "Server",
        "Server-Timing", "Set-Cookie", "SourceMap", "Strict-Transport-Security", "Surrogate-Control",
        "Timing-Allow-Origin", "Vary", "Via", "X-Cache", "X-Content-Type-Options", "X-DNS-Prefetch-Control",
        "X-Frame-Options", "X-Powered-By", "X-Request-Id", "X-XSS-Protection",
    ]

    /// The names, as above and in lower case, by ``place(of:)``.
    private static let places: [[(bytes: [UInt8], name: HTTPField.Name)]] = {
        var table = [[(bytes: [UInt8], name: HTTPField.Name)]](repeating: [], count: 1_024)
        for text in all + all.map({ $0.lowercased() }) {
            guard let name = HTTPField.Name(text) else { continue }
            let bytes = Array(text.utf8)
            table[bytes.withUnsafeBytes { place(of: $0) }].append((bytes, name))
        }
        return table
    }()

    /// A hash of the length and four of the bytes, which distinguishes nearly all of the names.
    private static func place(of bytes: UnsafeRawBufferPointer) -> Int {
        guard let first = bytes.first, let last = bytes.last else { return 0 }
        let (half, third) = (bytes[bytes.count / 2], bytes[bytes.count / 3])
        var sum = UInt32(first) | UInt32(last) << 8 | UInt32(half) << 16 | UInt32(third) << 24
        sum = (sum ^ UInt32(truncatingIfNeeded: bytes.count)) &* 0x9E37_79B1
        return Int(sum >> 22)
    }

    /// - Returns: The name with exactly these bytes; `nil` if it is not among them.
    static func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        for known in places[place(of: bytes)] where isEqual(known.bytes, bytes) { return known.name }
        return nil
    }

    private static func isEqual(_ known: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard known.count == bytes.count else { return false }
        for index in known.indices where known[index] != bytes[index] { return false }
        return true
    }
}
