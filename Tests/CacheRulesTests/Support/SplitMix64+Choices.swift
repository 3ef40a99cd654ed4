import CacheTesting

extension SplitMix64 {
    /// For the rows of a test, which are numbered from zero.
    init(seed: Int) { self.init(seed: UInt64(seed)) }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    mutating func list<Value>(upTo most: Int, _ make: (inout Self) -> Value) -> [Value] {
        (0..<below(most + 1)).map { _ in make(&self) }
    }
}
