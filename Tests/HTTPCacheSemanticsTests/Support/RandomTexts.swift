import CacheTesting

extension SplitMix64 {
    /// A random number of characters from the alphabet, within `count`.
    mutating func text(of alphabet: String, count: ClosedRange<Int>) -> String {
        let scalars = Array(alphabet.unicodeScalars)
        var text = ""
        for _ in 0..<Int.random(in: count, using: &self) {
            if let scalar = scalars.randomElement(using: &self) { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    /// A random number of values, within `count`.
    mutating func values<Value>(_ count: ClosedRange<Int>, _ make: (inout Self) -> Value) -> [Value] {
        (0..<Int.random(in: count, using: &self)).map { _ in make(&self) }
    }

    /// A value, or `nil` half of the time.
    mutating func optional<Value>(_ make: (inout Self) -> Value) -> Value? {
        Bool.random(using: &self) ? make(&self) : nil
    }

    /// Up to `count` pieces in a row, any of them more than once.
    mutating func text(of pieces: [String], upTo count: Int) -> String {
        (0..<Int.random(in: 0...count, using: &self)).reduce(into: "") { text, _ in text += pick(pieces) }
    }

    /// The text with up to `count` of its octets replaced, inserted or left out; repaired where that broke UTF-8.
    mutating func damaged(_ text: String, upTo count: Int) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...count, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            let byte = Bool.random(using: &self) ? UInt8.random(in: 0...255, using: &self) : pick(bytes)
            switch Int.random(in: 0...3, using: &self) {
            case 0: bytes[place] = byte
            case 1: bytes[place] ^= 0x20
            case 2: bytes.insert(byte, at: place)
            default: bytes.remove(at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// True with the probability 1 / `count`.
    mutating func happens(onceIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

/// The alphabets of random texts in property tests.
enum Alphabets {
    /// `tchar` of RFC 9110 §5.6.2, without capitals.
    static let token = "abcxyz0189!#$%&'*+-.^_`|~"
    /// VCHAR and SP, the characters of a String (RFC 9651 §3.3.3). Delimiters are more frequent.
    static let printable = String(String.UnicodeScalarView((0x20...0x7E).compactMap(UnicodeScalar.init))) + delimiters
    /// The characters of a quoted-string (RFC 9110 §5.6.4), including obs-text and combining marks.
    static let quotable = printable + "\té気\u{301}\u{85}\u{1F600}\u{FFFD}"
    static let delimiters = "\"\"\\\\,,;;==() ::@@%%?&+"
}
