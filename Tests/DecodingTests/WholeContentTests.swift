import Decoding
import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("Taking content codings off")
struct WholeContentTests {
    private static let text = Array("hello, hello, hello".utf8)
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8,
        0x40, 0xA2, 0x00, 0x9F, 0xA1, 0xCA, 0x09, 0x13, 0x00, 0x00, 0x00,
    ]
    private static let zlib: [UInt8] = [
        0x78, 0xDA, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8, 0x40, 0xA2, 0x00, 0x44, 0x28, 0x06, 0xD5,
    ]

    private func decode(
        _ coding: String, _ bytes: [UInt8], upTo limit: ByteCount = .kibibytes(1)
    ) throws(ContentDecodingError) -> [UInt8]? {
        guard let codings = ContentCodings([.contentEncoding: coding]) else { return nil }
        return try ContentDecoding.decode(bytes, codings, limits: DecodingLimits(total: limit))
    }

    @Test("gzip, its members, deflate with and without zlib's format, one over the other, none, and other ones")
    func codings() throws {
        let bare = Array(Self.zlib[2..<Self.zlib.count - 4])
        for (coding, bytes) in [
            ("gzip", Self.gzip), ("X-GZIP", Self.gzip), ("deflate", Self.zlib), ("deflate", bare),
            ("identity", Self.text), ("identity, gzip", Self.gzip), ("gzip", Self.gzip + [0, 0, 0]),
        ] {
            let decoded = try decode(coding, bytes)
            #expect(decoded == Self.text, "\(coding)")
        }
        let twice = try decode("gzip", Self.gzip + Self.gzip)
        #expect(twice == Self.text + Self.text)
        let empty = try decode("gzip", [])
        #expect(empty == [])
        for coding in ["zstd", "gzip, zstd", "compress", "gzip, gzip, gzip, gzip, gzip"] {
            #expect(ContentCodings([.contentEncoding: coding]) == nil)
        }
        #expect(ContentCodings([:]) != nil)
    }

    @Test("br, where the system decodes it", .enabled(if: ContentCodings.decodesBrotli))
    func brotli() throws {
        let bytes: [UInt8] = [
            0x1B, 0x12, 0x00, 0xF8, 0x8D, 0x94, 0x6E, 0xDE, 0x44, 0x09, 0x52, 0x86, 0x96, 0x6C, 0x2C, 0x6F, 0x11, 0x4F,
            0x24, 0xD0, 0x71, 0x00,
        ]
        let decoded = try decode("br", bytes)
        #expect(decoded == Self.text)
        let error = #expect(throws: ContentDecodingError.self) { try decode("br", bytes, upTo: ByteCount(18)) }
        #expect(error?.code == .tooLarge)
    }

    @Test("every beginning of a content is an error, and so is every byte that is another one, or its text is the same")
    func damaged() throws {
        for count in 1..<Self.gzip.count {
            #expect(throws: ContentDecodingError.self) { try decode("gzip", Array(Self.gzip[..<count])) }
        }
        for (coding, whole) in [("gzip", Self.gzip), ("deflate", Self.zlib)] {
            for place in whole.indices {
                for bit in 0..<8 {
                    var bytes = whole
                    bytes[place] ^= 1 << UInt8(bit)
                    // Some bits of a gzip header say nothing about the content, others make bare deflate of zlib's.
                    if let decoded = try? decode(coding, bytes), coding == "gzip" { #expect(decoded == Self.text) }
                }
            }
        }
    }

    @Test("what grows beyond the limit is not taken into memory")
    func bomb() throws {
        // A run of zeros: each block of bare deflate stands for 258 of them and more.
        let bomb = [UInt8](repeating: 0, count: 1 << 20)
        let stored: [UInt8] = [0x78, 0x01, 0x01, 0xFF, 0xFF, 0x00, 0x00] + bomb[..<65_535]
        let error = #expect(throws: ContentDecodingError.self) { try decode("deflate", stored, upTo: ByteCount(1_000)) }
        #expect(error?.code == .tooLarge)
    }
}
