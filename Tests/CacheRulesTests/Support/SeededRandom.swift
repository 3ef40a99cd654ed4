/// SplitMix64, so that a failing case can be run again by its seed.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    mutating func list<Value>(upTo most: Int, _ make: (inout SeededRandom) -> Value) -> [Value] {
        (0..<below(most + 1)).map { _ in make(&self) }
    }
}
