import Testing

@testable import DemoSite

@Suite("Generated pictures, font and film")
struct ArtworkTests {
    @Test(
        "a PNG has its chunks in order, with right lengths and checksums", arguments: ["tomato.png", "fields@2x.png"])
    func png(name: String) throws {
        let bytes = try #require(Artwork.pngs[name])
        #expect(Array(bytes[..<8]) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        var types: [String] = []
        var place = 8
        while place < bytes.count {
            let length = Self.word(bytes, place)
            let typed = bytes[(place + 4)..<(place + 8 + length)]
            types.append(String(decoding: typed.prefix(4), as: UTF8.self))
            #expect(Self.crc(typed) == UInt32(Self.word(bytes, place + 8 + length)))
            place += length + 12
        }
        #expect(types == ["IHDR", "sRGB", "IDAT", "IEND"])
        #expect(place == bytes.count)
    }

    @Test("deflated bytes inflate to what they were")
    func deflate() throws {
        for input in [[], [7], Array("aaaaaaaaaaaaaaaaaaaaabcabcabcabc".utf8), PixelFont.trueType] as [[UInt8]] {
            #expect(try Inflater.zlib(Deflate.zlib(input)) == input)
        }
    }

    @Test("a Huffman code is complete and within its limit, for counts that grow like Fibonacci's")
    func huffman() {
        var counts = [1, 1]
        while counts.count < 30 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
        let lengths = HuffmanCode(counts: counts, limit: 15).lengths
        #expect(lengths.allSatisfy { (1...15).contains($0) })
        #expect(lengths.reduce(0) { $0 + 1 << (15 - $1) } == 1 << 15)
    }

    @Test("pictures have the sizes of real ones")
    func sizes() {
        #expect(Artwork.pngs.count == 18)
        for product in Artwork.products {
            #expect((20_000...80_000).contains(Artwork.pngs["\(product).png"]?.count ?? 0))
        }
    }

    @Test("the font's tables add up to the checksum that the format prescribes")
    func fontChecksums() {
        let font = PixelFont.trueType
        #expect(Self.word(font, 0) == 0x1_0000)
        var tables: [String: (at: Int, length: Int)] = [:]
        for index in 0..<Self.half(font, 4) {
            let entry = 12 + index * 16
            let tag = String(decoding: font[entry..<entry + 4], as: UTF8.self)
            tables[tag] = (Self.word(font, entry + 8), Self.word(font, entry + 12))
        }
        #expect(
            tables.keys.sorted()
                == ["OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post"])
        var sum: UInt32 = 0
        for place in stride(from: 0, to: font.count, by: 4) { sum &+= UInt32(Self.word(font, place)) }
        #expect(sum == 0xB1B0_AFBA)
        #expect(tables["head"]?.length == 54)
        #expect(tables["hhea"]?.length == 36)
        #expect(tables["maxp"]?.length == 32)
        #expect(tables["OS/2"]?.length == 96)
        #expect(tables["loca"]?.length == (PixelFont.glyphs.count + 2) * 4)
        #expect(tables["hmtx"]?.length == (PixelFont.glyphs.count + 1) * 4)
    }

    @Test("every glyph is seven rows of one width, and every contour is closed by at least four points")
    func glyphs() {
        for glyph in PixelFont.glyphs {
            #expect(glyph.rows.count == 7, "\(glyph.character)")
            #expect(glyph.rows.allSatisfy { $0.count == glyph.width }, "\(glyph.character)")
            let outline = GlyphOutline(glyph, pixel: 100)
            #expect(outline.contours.isEmpty == (glyph.character == " "))
            #expect(outline.contours.allSatisfy { $0.count >= 4 })
        }
        #expect(GlyphOutline(PixelFont.glyphs[15], pixel: 100).contours.count == 2, "O has a hole")
    }

    @Test("the film's boxes fill the file, and every sample starts with a picture")
    func film() throws {
        let film = DemoVideo.bytes
        var boxes: [String] = []
        var place = 0
        while place < film.count {
            boxes.append(String(decoding: film[(place + 4)..<(place + 8)], as: UTF8.self))
            place += Self.word(film, place)
        }
        #expect(boxes == ["ftyp", "moov", "mdat"])
        #expect(place == film.count)
        let table = try #require(film.firstRange(of: Array("stco".utf8))).lowerBound
        for index in 0..<Self.word(film, table + 8) {
            let offset = Self.word(film, table + 12 + index * 4)
            #expect(film[offset..<offset + 4].elementsEqual([0x89, 0x50, 0x4E, 0x47]))
        }
    }

    private static func half(_ bytes: [UInt8], _ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }

    private static func word(_ bytes: [UInt8], _ place: Int) -> Int {
        half(bytes, place) << 16 | half(bytes, place + 2)
    }

    private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
        return ~sum
    }
}
