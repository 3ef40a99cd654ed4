/// Whether a text is one Item of a List, RFC 8941 §3.1 and §3.3, with its parameters; independent of the readers and
/// printers that it checks.
struct StructuredListChecker {
    private let bytes: [UInt8]
    private var position = 0
    /// The keys of the parameters so far.
    private(set) var keys: [String] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// An Item and nothing after it.
    mutating func isOneItem() -> Bool {
        guard bareItem() else { return false }
        while take(0x3B) {
            while take(0x20) {}
            let key = run(first: { Self.isLower($0) || $0 == 0x2A }) {
                Self.isLower($0) || Self.isDigit($0) || [0x2A, 0x2D, 0x2E, 0x5F].contains($0)
            }
            guard !key.isEmpty else { return false }
            keys.append(String(decoding: key, as: UTF8.self))
            if take(0x3D), !bareItem() { return false }
        }
        return position == bytes.count
    }

    private mutating func bareItem() -> Bool {
        if take(0x22) { return string() }
        if take(0x2D) || bytes.indices.contains(position) && Self.isDigit(bytes[position]) {
            return (1...15).contains(run(first: Self.isDigit, Self.isDigit).count)
        }
        let token = run(first: { Self.isLower($0 | 0x20) || $0 == 0x2A }) {
            Self.isLower($0 | 0x20) || Self.isDigit($0) || "!#$%&'*+-.^_`|~:/".utf8.contains($0)
        }
        return !token.isEmpty
    }

    private mutating func string() -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case 0x22: return true
            case 0x5C: guard take(0x22) || take(0x5C) else { return false }
            case 0x20...0x7E: break
            default: return false
            }
        }
        return false
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func run(first: (UInt8) -> Bool, _ rest: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        guard position < bytes.count, first(bytes[position]) else { return [] }
        while position < bytes.count, rest(bytes[position]) || position == start { position += 1 }
        return bytes[start..<position]
    }

    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
