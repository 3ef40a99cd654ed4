import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Decoding
@testable import WebTesting

@Suite("RFC 7932 br, where the system decodes it", .enabled(if: ContentCodings.decodesBrotli))
struct BrotliTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var codings = "br"
        var content: [UInt8]
        var decoded = CodedContent.text
        var testDescription: String { "\(codings), \(content.count) bytes" }
    }

    static let rows = [
        Row(content: CodedContent.brotli),
        // RFC 9110 §8.4.1: codings are case-insensitive.
        Row(codings: "BR", content: CodedContent.brotli),
        // §9.1: meta-blocks after each other, empty ones too.
        Row(content: CodedContent.brotliBlocks),
        // Bytes behind the end are padding, as they are for gzip.
        Row(content: CodedContent.brotli + [0, 0, 0]),
        Row(content: CodedContent.brotli + CodedContent.brotli),
        // RFC 9110 §8.4: listed "in the order in which they were applied".
        Row(codings: "gzip, br", content: CodedContent.brotliOfGzip),
        Row(content: [], decoded: []),
        // §9.1: a stream of one last, empty meta-block.
        Row(content: [0x06], decoded: []),
    ]

    @Test("the same bytes come out whatever pieces go in", arguments: rows)
    func pieces(_ row: Row) throws {
        let codings = try codings(row.codings)
        for size in [1, 2, 3, 7, 64, 100_000] {
            #expect(try decode(row.content, codings, pieces: size) == row.decoded, "pieces of \(size)")
        }
        #expect(try ContentDecoding.decode(row.content, codings, limits: DecodingLimits()) == row.decoded)
    }

    @Test("what has arrived is given out before the rest arrives")
    func streams() throws {
        let decoding = ContentDecoding(try codings("br"))
        decoding.add(Array(CodedContent.brotliBlocks[..<(CodedContent.brotliBlocks.count / 2)]))
        guard case .piece(let first) = try decoding.next() else {
            Issue.record("nothing came out of the first half")
            return
        }
        #expect(CodedContent.text.starts(with: first))
        #expect(try decoding.next() == .needsInput)
    }

    @Test("content that is cut off anywhere is an error", arguments: [rows[0], rows[2]])
    func cutOff(_ row: Row) throws {
        let codings = try codings(row.codings)
        for length in 1..<row.content.count {
            for size in [1, 1_000] {
                let error = #expect(throws: ContentDecodingError.self, "after \(length) bytes") {
                    _ = try decode(Array(row.content[..<length]), codings, pieces: size)
                }
                #expect(error?.code == .cutOff, "after \(length) bytes")
            }
        }
    }

    @Test("damage in any bit, and wrong data, end with an error or with other content: br has no checksum")
    func damaged() throws {
        let codings = try codings("br")
        var refused = 0
        for place in CodedContent.brotli.indices {
            for bit in 0..<8 {
                var content = CodedContent.brotli
                content[place] ^= 1 << UInt8(bit)
                do {
                    _ = try decode(content, codings, pieces: 50)
                } catch {
                    refused += 1
                    let expected: [ContentDecodingError.Code] = [.damaged, .cutOff, .expandsTooMuch, .tooLarge]
                    if !expected.contains(error.code) { Issue.record("\(error.code) at \(place)") }
                }
            }
        }
        #expect(refused > CodedContent.brotli.count)
        for wrong in [CodedContent.gzip, CodedContent.text, [0xFF, 0xFF, 0xFF, 0xFF], [0x11]] {
            let error = #expect(throws: ContentDecodingError.self) { try decode(wrong, codings, pieces: 3) }
            #expect(error?.code == .damaged || error?.code == .cutOff)
        }
    }

    @Test("random bytes neither trap nor decode without end")
    func random() throws {
        var random = SplitMix64(seed: 3)
        let limits = DecodingLimits(ratio: 10_000, total: .mebibytes(4))
        for _ in 0..<2_000 {
            var content = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { content = Array(CodedContent.brotli.prefix(60)) + content }
            let size = Int.random(in: 1...100, using: &random)
            _ = try? decode(content, codings("br"), limits: limits, pieces: size)
        }
    }

    @Test("a few bytes that say nothing but zeros end after the first megabyte, or at the limits' size")
    func bomb() throws {
        let codings = try codings("br")
        var count = 0
        let decoding = ContentDecoding(codings)
        decoding.add(CodedContent.brotliBomb)
        decoding.endInput()
        let error = #expect(throws: ContentDecodingError.self) {
            while case .piece(let piece) = try decoding.next() { count += piece.count }
        }
        #expect(error?.code == .expandsTooMuch && count == 1 << 20)
        for (total, expected) in [(Int64(64 << 20), nil), ((64 << 20) - 1, ContentDecodingError.Code.tooLarge)] {
            let limits = DecodingLimits(ratio: .max, total: ByteCount(total))
            var code: ContentDecodingError.Code?
            do {
                #expect(try decode(CodedContent.brotliBomb, codings, limits: limits, pieces: 10).count == 64 << 20)
            } catch { code = error.code }
            #expect(code == expected)
        }
    }

    @Test("br over br is refused: each takes a window of 16 MiB")
    func twice() throws {
        #expect(ContentCodings([.contentEncoding: "br, br"]) == nil)
        #expect(ContentCodings([.contentEncoding: "gzip, br, gzip"]) != nil)
    }
}

@Suite("br without a decoder in the system")
struct MissingBrotliTests {
    @Test("the coding is unknown, and not asked for")
    func unknown() {
        #expect(ContentCodings([.contentEncoding: "br"], decodesBrotli: false) == nil)
        #expect(ContentCodings([.contentEncoding: "gzip, br"], decodesBrotli: false) == nil)
        #expect(ContentCodings([.contentEncoding: "gzip"], decodesBrotli: false) != nil)
        #expect(ContentCodings.acceptEncoding(for: [:], decodesBrotli: false) == "gzip, deflate")
        #expect(ContentCodings.acceptEncoding(for: [:], decodesBrotli: true) == "gzip, deflate, br")
        #expect(ContentCodings.acceptEncoding(for: [:], isSecure: false) == "gzip, deflate")
        #expect(ContentCodings.acceptEncoding(for: [.range: "bytes=0-"], decodesBrotli: true) == "identity")
    }
}
