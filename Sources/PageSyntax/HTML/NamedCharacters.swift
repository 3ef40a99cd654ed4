/// The named character references.
struct NamedCharacters: Sendable {
    static let shared = NamedCharacters()

    /// No name is longer.
    private static let longest = 32

    /// The meaning of each name, as UTF-8; most names have their semicolon.
    private var characters: [[UInt8]: [UInt8]] = [:]

    private init() {
        let source = UnsafeBufferPointer(start: Self.source.utf8Start, count: Self.source.utf8CodeUnitCount)
        for row in source.split(whereSeparator: \.isSpace) {
            let parts = row.split(separator: 0x3D)
            guard parts.count == 2 else { continue }
            let scalars = parts[0].split(separator: 0x2B).compactMap { digits in
                Unicode.Scalar(digits.reduce(0) { $0 << 4 | $1.hexValue })
            }
            let utf8 = scalars.flatMap { Array(Unicode.UTF8.encode($0) ?? .init()) }
            for part in parts[1].split(separator: 0x2C) {
                let isLegacy = part.first == 0x2E
                let name = Array(part.dropFirst(isLegacy ? 1 : 0))
                if isLegacy { characters[name] = utf8 }
                characters[name + [0x3B]] = utf8
            }
        }
    }

    /// The longest name that the bytes from `start` on, behind an ampersand, begin with.
    func longestMatch(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> (length: Int, characters: [UInt8])? {
        let word = bytes[start...].prefix(Self.longest).prefix { $0.isLetter || $0.isDigit }
        var name = Array(word)
        if word.endIndex < bytes.count, bytes[word.endIndex] == 0x3B { name.append(0x3B) }
        while !name.isEmpty {
            if let found = characters[name] { return (name.count, found) }
            name.removeLast()
        }
        return nil
    }
}

/// One character reference, HTML §13.2.5.72–80.
struct CharacterReference {
    enum Context { case text, attribute }

    /// In bytes, from the ampersand on.
    var length: Int
    /// The characters that it stands for, as UTF-8.
    var characters: [UInt8]

    /// - Parameter start: The index of the ampersand.
    /// - Returns: `nil` if the ampersand is one.
    init?(in bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ context: Context) {
        guard start + 1 < bytes.count else { return nil }
        let next = bytes[start + 1]
        if next == 0x23 {
            guard let (length, code) = Self.number(in: bytes, at: start) else { return nil }
            self.length = length
            characters = Array(Unicode.UTF8.encode(Self.scalar(code)) ?? .init())
            return
        }
        guard next.isLetter || next.isDigit,
            let match = NamedCharacters.shared.longestMatch(in: bytes, from: start + 1)
        else { return nil }
        let end = start + 1 + match.length
        // Named character reference state: for historical reasons, `&copy=` and `&copyx` in attributes are text.
        if context == .attribute, bytes[end - 1] != 0x3B, end < bytes.count {
            let following = bytes[end]
            if following == 0x3D || following.isLetter || following.isDigit { return nil }
        }
        (length, characters) = (match.length + 1, match.characters)
    }

    /// The length and the code point of a reference with digits.
    private static func number(
        in bytes: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> (length: Int, code: UInt32)? {
        var index = start + 2
        let isHex = index < bytes.count && bytes[index] | 0x20 == 0x78
        if isHex { index += 1 }
        let digits = index
        var code: UInt32 = 0
        while index < bytes.count, isHex ? bytes[index].isHexDigit : bytes[index].isDigit {
            code = min(code * (isHex ? 16 : 10) + bytes[index].hexValue, 0x11_0000)
            index += 1
        }
        guard index > digits else { return nil }
        if index < bytes.count, bytes[index] == 0x3B { index += 1 }
        return (index - start, code)
    }

    /// Numeric character reference end state.
    private static func scalar(_ code: UInt32) -> Unicode.Scalar {
        if (0x80...0x9F).contains(code), let scalar = Unicode.Scalar(UInt32(windows1252[Int(code) - 0x80])) {
            return scalar
        }
        return code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
    }

    /// The code points that 0x80 to 0x9F stand for.
    private static let windows1252: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
