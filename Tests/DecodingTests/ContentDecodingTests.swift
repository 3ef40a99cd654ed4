import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Decoding
@testable import WebTesting

@Suite("RFC 9110 §8.4.1 Content codings, taken off piece by piece")
struct ContentDecodingTests {
    private static let bare = Array(CodedContent.zlib[2..<CodedContent.zlib.count - 4])

    struct Row: Sendable, CustomTestStringConvertible {
        var codings: String
        var content: [UInt8]
        var decoded = CodedContent.text
        var testDescription: String { "\(codings), \(content.count) bytes" }
    }

    static let rows = [
        Row(codings: "gzip", content: CodedContent.gzip),
        // §8.4.1.3: "a recipient SHOULD consider 'x-gzip' to be equivalent to 'gzip'"; codings are case-insensitive.
        Row(codings: "X-GZip", content: CodedContent.gzip),
        // RFC 1952 §2.2: members after each other.
        Row(
            codings: "gzip", content: CodedContent.gzip + CodedContent.gzip,
            decoded: CodedContent.text + CodedContent.text),
        Row(codings: "gzip", content: CodedContent.gzip + [0, 0, 0]),
        Row(codings: "gzip", content: CodedContent.gzip + [0x1F]),
        Row(codings: "deflate", content: CodedContent.zlib),
        Row(codings: "deflate", content: bare),
        Row(codings: "deflate", content: CodedContent.zlib + CodedContent.gzip),
        // §8.4: listed "in the order in which they were applied".
        Row(codings: "deflate, gzip", content: CodedContent.gzippedDeflate),
        Row(codings: "identity, gzip", content: CodedContent.gzip),
        Row(codings: "gzip", content: [], decoded: []),
        Row(codings: "gzip, deflate, gzip, deflate", content: [], decoded: []),
        Row(codings: "identity", content: CodedContent.text),
        Row(codings: "", content: [0x1F, 0x8B], decoded: [0x1F, 0x8B]),
    ]

    @Test("the same bytes come out whatever pieces go in", arguments: rows)
    func pieces(_ row: Row) throws {
        let codings = try codings(row.codings)
        for size in [1, 2, 3, 7, 64, 100_000] {
            #expect(try decode(row.content, codings, pieces: size) == row.decoded, "pieces of \(size)")
        }
        #expect(try ContentDecoding.decode(row.content, codings, limits: DecodingLimits()) == row.decoded)
    }

    @Test(
        "other codings, and more than four, are refused",
        arguments: ["zstd", "gzip, zstd", "compress", "gzip, gzip, gzip, gzip, gzip"])
    func refused(_ text: String) {
        #expect(ContentCodings([.contentEncoding: text]) == nil)
        #expect(ContentCodings([.contentEncoding: "gzip, gzip, gzip, gzip"]) != nil)
        #expect(ContentCodings([.contentEncoding: "gzip, gzip, gzip, gzip, gzip"]) == nil)
    }

    @Test(
        "content that is cut off anywhere is an error, not a shorter content",
        arguments: [rows[0], rows[5], rows[6], rows[8]])
    func cutOff(_ row: Row) throws {
        let codings = try codings(row.codings)
        for length in 1..<row.content.count {
            let error = #expect(throws: ContentDecodingError.self, "after \(length) bytes") {
                _ = try decode(Array(row.content[..<length]), codings, pieces: 50)
            }
            #expect(error?.code == .cutOff, "after \(length) bytes")
        }
    }

    @Test("a reader that forgives gets what came of content that is cut off", arguments: [rows[0], rows[5], rows[6]])
    func forgiven(_ row: Row) throws {
        for length in 2..<row.content.count {
            let decoding = ContentDecoding(try codings(row.codings), isForgiving: true)
            decoding.add(Array(row.content[..<length]))
            decoding.endInput()
            var decoded: [UInt8] = []
            while case .piece(let piece) = try decoding.next() { decoded += piece }
            let isBeginning = row.decoded.starts(with: decoded)
            #expect(isBeginning, "after \(length) bytes")
            // RFC 1952 §2.3: the last eight bytes of a member are a checksum and a length.
            guard row.codings == "gzip", length >= row.content.count - 8 else { continue }
            #expect(decoded.count == row.decoded.count, "after \(length) bytes")
        }
    }

    @Test("damage in any byte of gzip is an error, or is in a field that says nothing of the content")
    func damaged() throws {
        let codings = try codings("gzip")
        var harmless = 0
        for place in CodedContent.gzip.indices {
            for bit in 0..<8 {
                var content = CodedContent.gzip
                content[place] ^= 1 << UInt8(bit)
                do {
                    let decoded = try decode(content, codings, pieces: 1_000)
                    if decoded != CodedContent.text {
                        Issue.record("byte \(place), bit \(bit) has changed the content")
                    }
                    harmless += 1
                } catch {
                    if error.code != .damaged && error.code != .cutOff { Issue.record("\(error.code) at \(place)") }
                }
            }
        }
        // RFC 1952 §2.3: FTEXT, MTIME, XFL and OS.
        #expect((1...64).contains(harmless))
    }

    @Test("random bytes neither trap nor decode without end")
    func random() throws {
        var random = SplitMix64(seed: 2)
        for _ in 0..<2_000 {
            var content = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { content = Array(CodedContent.gzip.prefix(10)) + content }
            for text in ["gzip", "deflate", "gzip, deflate"] {
                let size = Int.random(in: 1...100, using: &random)
                _ = try? decode(content, codings(text), pieces: size)
            }
        }
    }

    @Test("an error stays")
    func staysFailed() throws {
        let decoding = ContentDecoding(try codings("gzip"))
        decoding.add([1, 2, 3])
        for _ in 0..<2 {
            let error = #expect(throws: ContentDecodingError.self) { try decoding.next() }
            #expect(error?.code == .damaged)
        }
    }
}

@Suite("Content that expands without end")
struct DecodingLimitTests {
    private func decoded(_ content: [UInt8], _ codings: String, _ limits: DecodingLimits) throws -> (Int, Error?) {
        let decoding = ContentDecoding(try #require(ContentCodings([.contentEncoding: codings])), limits: limits)
        decoding.add(content)
        decoding.endInput()
        var count = 0
        do {
            while case .piece(let piece) = try decoding.next() { count += piece.count }
            return (count, nil)
        } catch {
            return (count, error)
        }
    }
    private typealias Error = ContentDecodingError

    @Test("codings over each other end after the first megabyte")
    func bomb() throws {
        let (count, error) = try decoded(CodedContent.bomb, "gzip, gzip", DecodingLimits())
        #expect(error?.code == .expandsTooMuch)
        #expect(count <= 1 << 20)
    }

    @Test("one coding of nothing but zeros passes the ratio of deflate, and not that of the default")
    func ratio() throws {
        let inner = try ContentDecoding.decode(
            CodedContent.bomb, try #require(ContentCodings([.contentEncoding: "gzip"])), limits: DecodingLimits())
        #expect(try decoded(inner, "gzip", DecodingLimits()).1?.code == .expandsTooMuch)
        let (count, error) = try decoded(inner, "gzip", DecodingLimits(ratio: 1_032))
        #expect(count == 64 << 20)
        #expect(error == nil)
    }

    @Test("a size that the limits exceed by nothing, and by one byte")
    func total() throws {
        let size = Int64(CodedContent.text.count)
        #expect(try decoded(CodedContent.gzip, "gzip", DecodingLimits(total: ByteCount(size))).1 == nil)
        let (count, error) = try decoded(CodedContent.gzip, "gzip", DecodingLimits(total: ByteCount(size - 1)))
        #expect(error?.code == .tooLarge)
        #expect(count == 0)
    }

    @Test("the output of an inner coding counts, though the outer one makes nothing of it")
    func innerOutput() throws {
        let (count, error) = try decoded(CodedContent.emptyMembers, "gzip, gzip, gzip", DecodingLimits())
        #expect(error?.code == .expandsTooMuch)
        #expect(count == 0)
    }

    @Test("numbers at the ends of their range do not trap")
    func extremes() throws {
        for ratio in [Int64.min, 0, 1, .max] {
            let limits = DecodingLimits(ratio: ratio, anyRatioUpTo: ByteCount(Int64.min), total: ByteCount(Int64.max))
            let (count, error) = try decoded(CodedContent.gzip, "gzip", limits)
            #expect(ratio == .max ? count == CodedContent.text.count : error?.code == .expandsTooMuch)
        }
    }
}
