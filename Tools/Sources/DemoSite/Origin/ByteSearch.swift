/// Finds a pattern with Horspool's method, which looks at few of the bytes when the pattern is long.
struct ByteSearch {
    let pattern: [UInt8]
    private let skip: [Int]

    init(_ pattern: [UInt8]) {
        self.pattern = pattern
        var skip = [Int](repeating: max(1, pattern.count), count: 256)
        for (index, byte) in pattern.dropLast().enumerated() { skip[Int(byte)] = pattern.count - 1 - index }
        self.skip = skip
    }

    /// Where the pattern begins for the first time; `nil` when it does not occur.
    func first(in bytes: [UInt8]) -> Int? {
        let last = pattern.count - 1
        guard last >= 0 else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start + last < bytes.count {
                var index = last
                while index >= 0, bytes[start + index] == pattern[index] { index -= 1 }
                if index < 0 { return start }
                start += skip[Int(bytes[start + last])]
            }
            return nil
        }
    }
}
