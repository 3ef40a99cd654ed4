/// Long inputs, made by repeating short ones.
///
/// Quadratic work is fast for the few thousand bytes that a fuzzer tries. So some inputs are also read with many
/// repetitions: then quadratic work takes longer than libFuzzer's limit.
enum LongInput {
    /// Quadratic work on it takes many times the five seconds that `scripts/fuzz` allows, linear work a tenth of one.
    static let length = 128 * 1_024
    /// One in this number of inputs is repeated.
    static let share: UInt64 = 4_096

    /// - Returns: The repeated input, or `nil` for most inputs. The same result for the same bytes, so that a finding
    ///   can be reproduced.
    static func grown(from bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty, hash(bytes) % share == 0 else { return nil }
        var long: [UInt8] = []
        long.reserveCapacity(length + bytes.count)
        while long.count < length { long += bytes }
        return long
    }

    /// FNV-1a, its high bits mixed into the low ones.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        let value = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return value ^ value >> 32
    }
}
