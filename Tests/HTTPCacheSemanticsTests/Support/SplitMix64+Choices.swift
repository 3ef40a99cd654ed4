import CacheTesting

extension SplitMix64 {
    /// Up to so many characters, each from the alphabet.
    mutating func text(of alphabet: String, count: ClosedRange<Int>) -> String {
        let scalars = Array(alphabet.unicodeScalars)
        var text = ""
        for _ in 0..<Int.random(in: count, using: &self) {
            if let scalar = scalars.randomElement(using: &self) { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    /// Up to so many values.
    mutating func values<Value>(_ count: ClosedRange<Int>, _ make: (inout Self) -> Value) -> [Value] {
        (0..<Int.random(in: count, using: &self)).map { _ in make(&self) }
    }

    /// Nothing, or a value, in equal parts.
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

    /// True once in so many times.
    mutating func happens(onceIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
