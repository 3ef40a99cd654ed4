import Testing

@testable import ResponseStore

@Suite("XXH64")
struct BlockChecksumTests {
    /// Values of the reference implementation (github.com/Cyan4973/xxHash), seed 0.
    static let known: [(text: String, sum: UInt64)] = [
        ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("as", 0x1C33_0FB2_D66B_E179),
        ("asd", 0x631C_37CE_72A9_7393), ("asdf", 0x4158_72F5_99CE_A71E), ("abc", 0x44BC_2CF5_AD77_0999),
        ("Call me Ishmael. Some years ago--never mind how long precisely-", 0x02A2_E854_70D6_FD96),
    ]

    @Test("gives the values of the reference implementation", arguments: known)
    func values(_ row: (text: String, sum: UInt64)) {
        #expect(BlockChecksum.of(Array(row.text.utf8)) == row.sum)
    }

    @Test(
        "a body that comes in pieces has the checksums of its blocks", arguments: [1, 1_000, 65_536, 70_001, 200_000])
    func pieces(_ piece: Int) {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 1_009) }
        var running = RunningChecksums()
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + piece)
            running.update(Array(bytes[position..<end]))
            position = end
        }
        let blocks = stride(from: 0, to: bytes.count, by: 65_536).map {
            BlockChecksum.of(Array(bytes[$0..<min(bytes.count, $0 + 65_536)]))
        }
        #expect(running.finish() == blocks)
        var empty = RunningChecksums()
        #expect(empty.finish().isEmpty)
    }
}
