/// The same numbers in every run: a Weyl sequence, mixed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 31)) &* 0xD6E8_FEB8_6659_FD93
        mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ (mixed >> 32)
    }

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
}
