/// Writes still pictures as a film: a QuickTime file whose samples are one picture each.
///
/// Every sample is a sync sample, so a player can seek to any of them with one range request. The sample table comes
/// before the media data, so the first frame shows before the rest has arrived. Boxes as in the QuickTime File Format
/// and ISO/IEC 14496-12.
struct QuickTimeWriter {
    /// Pixels across.
    let width: Int
    /// Pixels down.
    let height: Int
    /// Frames per second.
    let rate: Int
    /// Four characters that name the coding of the frames, such as `raw `.
    let coding: String

    private static let identity: [UInt32] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]

    /// The film.
    func bytes(frames: [[UInt8]]) -> [UInt8] {
        let brand = box("ftyp", ascii("qt  ") + words([0x200]) + ascii("qt  "))
        let index = movie(frames, firstAt: 0).count
        return brand + movie(frames, firstAt: brand.count + index + 8) + box("mdat", Array(frames.joined()))
    }

    private func movie(_ frames: [[UInt8]], firstAt start: Int) -> [UInt8] {
        let length = UInt32(frames.count)
        let header = words([0, 0, 0, UInt32(rate), length, 0x1_0000, 0x100_0000, 0, 0]) + words(Self.identity)
        let track =
            words([7, 0, 0, 1, 0, length, 0, 0, 0, 0]) + words(Self.identity)
            + words([UInt32(width) << 16, UInt32(height) << 16])
        let media = box("mdhd", words([0, 0, 0, UInt32(rate), length, 0x55C4_0000]))
        let handler = box("hdlr", words([0]) + ascii("mhlrvide") + words([0, 0, 0]) + [5] + ascii("video"))
        let dataHandler = box("hdlr", words([0]) + ascii("dhlrurl ") + words([0, 0, 0]) + [4] + ascii("data"))
        let reference = box("dinf", box("dref", words([0, 1]) + box("url ", words([1]))))
        let information = box(
            "minf", box("vmhd", words([1, 0, 0])) + dataHandler + reference + samples(frames, firstAt: start))
        return box(
            "moov",
            box("mvhd", header + words([0, 0, 0, 0, 0, 0, 2]))
                + box("trak", box("tkhd", track) + box("mdia", media + handler + information)))
    }

    private func samples(_ frames: [[UInt8]], firstAt start: Int) -> [UInt8] {
        let count = UInt32(frames.count)
        var entry = words([0, 1, 0, 0, 0, 0])
        entry += words([UInt32(width) << 16 | UInt32(height), 72 << 16, 72 << 16, 0, 1 << 16])
        entry += [UInt8](repeating: 0, count: 30) + [0, 24, 0xFF, 0xFF]
        var (offsets, next) = ([UInt32](), start)
        for frame in frames {
            offsets.append(UInt32(next))
            next += frame.count
        }
        return box(
            "stbl",
            box("stsd", words([0, 1]) + box(coding, entry)) + box("stts", words([0, 1, count, 1]))
                + box("stsc", words([0, 1, 1, 1, 1]))
                + box("stsz", words([0, 0, count] + frames.map { UInt32($0.count) }))
                + box("stco", words([0, count] + offsets)))
    }

    private func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        words([UInt32(contents.count + 8)]) + ascii(type) + contents
    }

    private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func words(_ values: [UInt32]) -> [UInt8] {
        values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    }
}
