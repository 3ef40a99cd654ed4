import CacheTesting
import HTTPCacheSemantics
import Testing

@Suite("RFC 9111 §1.2.2 Delta Seconds")
struct DeltaSecondsTests {
    static let values: [Row<String, Duration?>] = [
        Row("0", .zero, "delta-seconds = 1*DIGIT"),
        Row("60", .seconds(60), "delta-seconds = 1*DIGIT"),
        Row("0060", .seconds(60), "delta-seconds = 1*DIGIT, leading zeros are digits"),
        Row("2147483647", .seconds(2_147_483_647), "\"at least 31 bits of non-negative integer range\""),
        Row("2147483648", .seconds(2_147_483_648), "\"2147483648 (2^31)\""),
        Row("2147483649", .seconds(2_147_483_648), "\"MUST consider the value to be 2147483648\""),
        Row("9223372036854775807", .seconds(2_147_483_648), "\"MUST consider the value to be 2147483648\""),
        Row("9223372036854775808", .seconds(2_147_483_648), "\"MUST consider the value to be 2147483648\""),
        Row(
            String(repeating: "9", count: 400), .seconds(2_147_483_648), "\"MUST consider the value to be 2147483648\""),
        Row(String(repeating: "0", count: 400) + "1", .seconds(1), "delta-seconds = 1*DIGIT, leading zeros are digits"),
        Row("", nil, "1*DIGIT needs a digit"),
        Row("-1", nil, "\"non-negative\""),
        Row("+1", nil, "1*DIGIT has no sign"),
        Row("1.0", nil, "1*DIGIT has no fraction"),
        Row("1e3", nil, "1*DIGIT has no exponent"),
        Row("0x10", nil, "1*DIGIT is decimal"),
        Row(" 1", nil, "1*DIGIT has no space"),
        Row("1 ", nil, "1*DIGIT has no space"),
        Row("1 2", nil, "1*DIGIT has no space"),
        Row("ten", nil, "1*DIGIT has no letters"),
        Row("10s", nil, "1*DIGIT has no unit"),
        Row("99999999999x", nil, "an overflow does not excuse what follows"),
        Row("١", nil, "DIGIT is ASCII"),
        Row("1\u{301}", nil, "DIGIT is ASCII"),
    ]

    @Test("digits are seconds, too many are 2^31, anything else is nothing", arguments: values)
    func parse(_ row: Row<String, Duration?>) {
        #expect(DeltaSeconds.parse(row.given) == row.expected)
    }

    @Test("every number that is printed is read back, up to 2^31", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            let seconds = Int64.random(in: 0...(1 << Int64.random(in: 1...62, using: &generator)), using: &generator)
            let zeros = String(repeating: "0", count: Int.random(in: 0...3, using: &generator))
            let expected = Duration.seconds(min(seconds, DeltaSeconds.greatest))
            #expect(DeltaSeconds.parse(zeros + String(seconds)) == expected, "\(seconds)")
        }
    }
}
