/// Writes a TrueType font whose outlines are bitmaps with rounded corners.
///
/// Tables and their fields follow ISO/IEC 14496-22 (OpenType). The twelve tables that browsers ask for are there and
/// nothing else: no hinting, no kerning.
struct TrueTypeWriter {
    /// Family name, ASCII.
    let family: String
    /// Glyphs after `.notdef`; seven rows each, the last one on the baseline.
    let glyphs: [PixelFont.Glyph]

    private let unitsPerEm = 1000
    private let pixel = 110
    private let ascent = 880
    private let descent = 120
    private let notdef = PixelFont.Glyph(
        character: "\0", rows: (0..<7).map { row in (0..<5).map { row == 0 || row == 6 || $0 == 0 || $0 == 4 } })

    /// The font file.
    func bytes() -> [UInt8] {
        let all = [notdef] + glyphs
        let outlines = all.map { GlyphOutline($0, pixel: pixel) }
        var glyf = BigEndianWriter()
        var loca = BigEndianWriter()
        for outline in outlines {
            loca.write32(UInt32(glyf.bytes.count))
            glyf.append(outline.record())
            glyf.pad(to: 4)
        }
        loca.write32(UInt32(glyf.bytes.count))
        var hmtx = BigEndianWriter()
        for (glyph, outline) in zip(all, outlines) {
            hmtx.write16(advance(glyph))
            hmtx.write16(outline.minX)
        }
        let tables: [(String, [UInt8])] = [
            ("OS/2", os2()), ("cmap", cmap()), ("glyf", glyf.bytes), ("head", head(outlines)),
            ("hhea", hhea(all, outlines)), ("hmtx", hmtx.bytes), ("loca", loca.bytes), ("maxp", maxp(outlines)),
            ("name", name()), ("post", post()),
        ]
        return assemble(tables)
    }

    private func advance(_ glyph: PixelFont.Glyph) -> Int { (glyph.width + 1) * pixel }

    /// The table directory, the tables, and the checksum of the whole in `head`.
    private func assemble(_ tables: [(String, [UInt8])]) -> [UInt8] {
        var (directory, body) = (BigEndianWriter(), BigEndianWriter())
        directory.write32(0x0001_0000)
        directory.write16(tables.count)
        let power = 3  // the largest power of two not above the ten tables is 2^3
        directory.write16(16 << power)
        directory.write16(power)
        directory.write16((tables.count - 1 << power) * 16)
        var headAt = 0
        let start = 12 + tables.count * 16
        for (tag, data) in tables {
            if tag == "head" { headAt = start + body.bytes.count }
            directory.append(Array(tag.utf8))
            directory.write32(Self.checksum(data))
            directory.write32(UInt32(start + body.bytes.count))
            directory.write32(UInt32(data.count))
            body.append(data)
            body.pad(to: 4)
        }
        var file = directory.bytes + body.bytes
        var adjustment = BigEndianWriter()
        adjustment.write32(0xB1B0_AFBA &- Self.checksum(file))
        file.replaceSubrange(headAt + 8..<headAt + 12, with: adjustment.bytes)
        return file
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var (sum, word): (UInt32, UInt32) = (0, 0)
        for (index, byte) in bytes.enumerated() {
            word = word << 8 | UInt32(byte)
            if index % 4 == 3 { (sum, word) = (sum &+ word, 0) }
        }
        let rest = bytes.count % 4
        return rest == 0 ? sum : sum &+ word << UInt32(8 * (4 - rest))
    }

    private func head(_ outlines: [GlyphOutline]) -> [UInt8] {
        var table = BigEndianWriter()
        for word: UInt32 in [0x0001_0000, 0x0001_0000, 0, 0x5F0F_3CF5] { table.write32(word) }
        table.write16(0b11)
        table.write16(unitsPerEm)
        // Created and modified: a fixed moment, so that the font is the same on every start.
        for word: UInt32 in [0, 0xE000_0000, 0, 0xE000_0000] { table.write32(word) }
        for value in [
            outlines.map(\.minX).min() ?? 0, outlines.map(\.minY).min() ?? 0, outlines.map(\.maxX).max() ?? 0,
            outlines.map(\.maxY).max() ?? 0, 0, 8, 2, 1, 0,
        ] { table.write16(value) }
        return table.bytes
    }

    private func hhea(_ glyphs: [PixelFont.Glyph], _ outlines: [GlyphOutline]) -> [UInt8] {
        var table = BigEndianWriter()
        table.write32(0x0001_0000)
        let right = zip(glyphs, outlines).map { advance($0) - $1.maxX }.min() ?? 0
        for value in [
            ascent, -descent, 0, glyphs.map(advance).max() ?? 0, outlines.map(\.minX).min() ?? 0, right,
            outlines.map(\.maxX).max() ?? 0, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.count,
        ] { table.write16(value) }
        return table.bytes
    }

    private func maxp(_ outlines: [GlyphOutline]) -> [UInt8] {
        var table = BigEndianWriter()
        table.write32(0x0001_0000)
        let points = outlines.map { $0.contours.reduce(0) { $0 + $1.count } }.max() ?? 0
        let contours = outlines.map(\.contours.count).max() ?? 0
        for value in [outlines.count, points, contours, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0] { table.write16(value) }
        return table.bytes
    }

    private func os2() -> [UInt8] {
        var table = BigEndianWriter()
        for value in [4, 6 * pixel, 800, 5, 0, 500, 500, 0, 100, 500, 500, 0, 400, 60, 300, 0] { table.write16(value) }
        table.append([UInt8](repeating: 0, count: 10))
        for word: UInt32 in [1, 0, 0, 0] { table.write32(word) }
        table.append(Array("DEMO".utf8))
        for value in [0x20 | 0x40, 0x20, 0x7A, ascent, -descent, 0, ascent, descent] { table.write16(value) }
        for word: UInt32 in [1, 0] { table.write32(word) }
        for value in [7 * pixel, 7 * pixel, 0, 0x20, 1] { table.write16(value) }
        return table.bytes
    }

    /// Format 4 with one segment per code point: small, and nothing to get wrong.
    private func cmap() -> [UInt8] {
        var pairs: [(code: Int, glyph: Int)] = []
        for (index, glyph) in glyphs.enumerated() {
            let code = Int(glyph.character.value)
            pairs.append((code, index + 1))
            if (0x41...0x5A).contains(code) { pairs.append((code + 0x20, index + 1)) }
        }
        pairs.sort { $0.code < $1.code }
        pairs.append((0xFFFF, 0))
        var power = 0
        while 2 << power <= pairs.count { power += 1 }
        var table = BigEndianWriter()
        for value in [0, 1, 3, 1, 0, 12, 4, 16 + pairs.count * 8, 0, pairs.count * 2] { table.write16(value) }
        table.write16(2 << power)
        table.write16(power)
        table.write16(pairs.count * 2 - (2 << power))
        for pair in pairs { table.write16(pair.code) }
        table.write16(0)
        for pair in pairs { table.write16(pair.code) }
        for pair in pairs { table.write16(pair.code == 0xFFFF ? 1 : pair.glyph - pair.code) }
        for _ in pairs { table.write16(0) }
        return table.bytes
    }

    private func name() -> [UInt8] {
        let compact = family.filter { $0 != " " }
        let names = [(1, family), (2, "Regular"), (3, "\(compact)-1"), (4, family), (5, "Version 1.000"), (6, compact)]
        var (table, strings) = (BigEndianWriter(), BigEndianWriter())
        for value in [0, names.count, 6 + names.count * 12] { table.write16(value) }
        for (identifier, text) in names {
            for value in [3, 1, 0x409, identifier, text.utf16.count * 2, strings.bytes.count] { table.write16(value) }
            for unit in text.utf16 { strings.write16(Int(unit)) }
        }
        return table.bytes + strings.bytes
    }

    private func post() -> [UInt8] {
        var table = BigEndianWriter()
        for word: UInt32 in [0x0003_0000, 0, UInt32(bitPattern: -75 << 16 | 50), 0, 0, 0, 0, 0] { table.write32(word) }
        return table.bytes
    }
}
