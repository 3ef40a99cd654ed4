import Testing

@testable import DemoSite

@Suite("Pictures, font and film")
struct ArtworkTests {
    @Test("pictures have the sizes of real ones")
    func sizes() {
        #expect(Artwork.pngs.count == 18)
        for product in Artwork.products {
            #expect((20_000...80_000).contains(Artwork.pngs["\(product).png"]?.count ?? 0))
        }
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect((Array(Artwork.pngs.values) + [Artwork.still]).allSatisfy { $0.starts(with: png) })
        #expect(Artwork.font.starts(with: [0, 1, 0, 0]))
    }

    @Test("the film's boxes fill the file, and every sample starts with a picture")
    func film() throws {
        let film = Artwork.film
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
}
