import HTTPCacheSemantics
import Testing

@Suite("ByteCount")
struct ByteCountTests {
    static let descriptions: [Row<Int64, String>] = [
        Row(0, "0 B", "bytes as they are"),
        Row(982, "982 B", "bytes as they are"),
        Row(999, "999 B", "bytes as they are"),
        Row(1_000, "1.0 kB", "decimal units"),
        Row(1_024, "1.0 kB", "one digit"),
        Row(1_050, "1.1 kB", "rounded to the nearest"),
        Row(12_345, "12.3 kB", "rounded to the nearest"),
        Row(999_949, "999.9 kB", "rounded to the nearest"),
        Row(999_950, "1.0 MB", "a thousand of one unit is one of the next"),
        Row(999_999_999, "1.0 GB", "a thousand of one unit is one of the next"),
        Row(4_000_000, "4.0 MB", "decimal units"),
        Row(2_147_483_648, "2.1 GB", "decimal units"),
        Row(-982, "-982 B", "differences may be negative"),
        Row(-1_500, "-1.5 kB", "differences may be negative"),
        Row(.max, "> 9223372036.9 GB", "the largest there is: what has overflowed, and is more"),
        Row(.min, "-9223372036.9 GB", "the smallest there is"),
    ]

    @Test("sizes print in decimal units with one digit", arguments: descriptions)
    func description(_ row: Row<Int64, String>) {
        #expect(ByteCount(row.given).description == row.expected)
    }

    @Test("sizes add, subtract and compare as their bytes do")
    func arithmetic() {
        var size = ByteCount.kibibytes(2) + ByteCount(1)
        #expect(size == ByteCount(2_049))
        size += .mebibytes(1)
        size -= ByteCount(1)
        #expect(size - .mebibytes(1) == .kibibytes(2))
        #expect(ByteCount.zero < .kibibytes(1))
    }
}
