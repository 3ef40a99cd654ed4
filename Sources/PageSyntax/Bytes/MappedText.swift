/// Text as a parser sees it, and where in the source each part of it stands.
package struct MappedText: Sendable {
    /// A place where text and source part: both run side by side again from here, or this replaces something.
    private struct Mark {
        var decoded: Int
        var source: Int
        var isReplacement: Bool
    }

    package private(set) var bytes: [UInt8] = []
    private var marks: [Mark] = []

    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// - Parameter offset: Where the first of these bytes stands in the source.
    init(_ raw: UnsafeBufferPointer<UInt8>, in context: CharacterReference.Context, offset: Int = 0) {
        self.init(raw, offset: offset, special: [0x26, 0x0D, 0]) { raw, index in
            Self.replacement(in: raw, at: index, context)
        }
    }

    /// - Parameters:
    ///   - special: The bytes at which something may be replaced.
    ///   - replace: How many bytes from an index on, and by what.
    init(
        _ raw: UnsafeBufferPointer<UInt8>, offset: Int, special: [UInt8],
        _ replace: (UnsafeBufferPointer<UInt8>, Int) -> (Int, [UInt8])?
    ) {
        marks.append(Mark(decoded: 0, source: offset, isReplacement: false))
        bytes.reserveCapacity(raw.count)
        var (index, plain) = (0, 0)
        while index < raw.count {
            guard special.contains(raw[index]), let (length, characters) = replace(raw, index) else {
                index += 1
                continue
            }
            bytes += raw[plain..<index]
            marks.append(Mark(decoded: bytes.count, source: offset + index, isReplacement: true))
            bytes += characters
            index += length
            plain = index
            marks.append(Mark(decoded: bytes.count, source: offset + index, isReplacement: false))
        }
        bytes += raw[plain...]
    }

    private static func replacement(
        in raw: UnsafeBufferPointer<UInt8>, at index: Int, _ context: CharacterReference.Context
    ) -> (Int, [UInt8])? {
        switch raw[index] {
        case 0x26: return CharacterReference(in: raw, at: index, context).map { ($0.length, $0.characters) }
        // HTML §13.2.3.5: line ends are normalised before the tokenizer sees them.
        case 0x0D: return (index + 1 < raw.count && raw[index + 1] == 0x0A ? 2 : 1, [0x0A])
        default: return context == .attribute ? (1, [0xEF, 0xBF, 0xBD]) : nil
        }
    }

    /// Where a part of ``bytes`` stands in the source; whole references, where it cuts one.
    package func sourceRange(_ range: Range<Int>) -> Range<Int> {
        let start = source(range.lowerBound, isEnd: false)
        return start..<max(start, source(range.upperBound, isEnd: true))
    }

    private func source(_ position: Int, isEnd: Bool) -> Int {
        // The last mark at or before the position; of an end, before what begins there.
        let next = marks.indices.partition { marks[$0].decoded < position || !isEnd && marks[$0].decoded == position }
        guard next > 0 else { return marks.first?.source ?? 0 }
        let mark = marks[next - 1]
        if !mark.isReplacement { return mark.source + position - mark.decoded }
        return isEnd && next < marks.count ? marks[next].source : mark.source
    }

    /// Without the whitespace of ASCII around it.
    var trimmed: Range<Int> {
        var (start, end) = (0, bytes.count)
        while start < end, bytes[start].isSpace { start += 1 }
        while end > start, bytes[end - 1].isSpace { end -= 1 }
        return start..<end
    }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension String {
    /// Letters of ASCII in lower case.
    var asciiLowercased: String { String(decoding: utf8.map(\.lowercased), as: UTF8.self) }

    /// Without the whitespace of ASCII around it.
    var asciiTrimmed: String {
        var rest = Substring(self).utf8
        while rest.first?.isSpace == true { rest = rest.dropFirst() }
        while rest.last?.isSpace == true { rest = rest.dropLast() }
        return String(Substring(rest))
    }
}
