/// A picture whose first bytes say that it is a PNG, with its size in pixels (PNG specification, §5.2 and §11.2.1).
struct PNGPicture {
    /// Base64 without line breaks, safe inside an attribute.
    let base64: String
    let width: Int
    let height: Int

    var isPortrait: Bool { height > width }

    /// Refuses text that is not base64, and bytes that do not begin like a PNG.
    init?(base64 text: String) {
        let digits = text.utf8.filter { $0 != 0x0A && $0 != 0x0D }
        let padding = digits.reversed().prefix { $0 == 0x3D }.count
        guard padding <= 2, digits.count.isMultiple(of: 4), digits.count >= Self.headDigits else { return nil }
        guard digits.dropLast(padding).allSatisfy({ Self.value(of: $0) != nil }) else { return nil }
        let head = Self.decoded(digits.prefix(Self.headDigits))
        guard head.starts(with: Self.signature), head[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        width = Self.number(head[16..<20])
        height = Self.number(head[20..<24])
        guard width > 0, height > 0 else { return nil }
        base64 = String(decoding: digits, as: UTF8.self)
    }

    /// 24 bytes: the signature, the length and type of the first chunk, width and height.
    private static let headDigits = 32
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case 0x41...0x5A: UInt32(digit) - 0x41
        case 0x61...0x7A: UInt32(digit) - 0x61 + 26
        case 0x30...0x39: UInt32(digit) - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }

    private static func decoded(_ digits: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        for (index, digit) in digits.enumerated() {
            bits = bits << 6 | (value(of: digit) ?? 0)
            guard index % 4 == 3 else { continue }
            bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
            bits = 0
        }
        return bytes
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
