/// A document type declaration: where its parts stand. `nil` for what is missing.
package struct HTMLDoctype: Hashable, Sendable {
    package var range: Range<Int>
    package var name: Range<Int>?
    package var publicIdentifier: Range<Int>?
    package var systemIdentifier: Range<Int>?
    /// It is damaged so that parsers use quirks mode.
    package var forcesQuirks = false

    /// The states of HTML §13.2.5.53–68 over a whole declaration.
    ///
    /// - Parameters:
    ///   - bytes: From `<` on, to `>` or to the end of the source.
    ///   - isEnded: Whether there is a `>`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int, isEnded: Bool) {
        range = offset..<offset + bytes.count
        var reader = Reader(bytes: bytes, index: 9, end: isEnded ? bytes.count - 1 : bytes.count)
        reader.skipSpaces()
        guard reader.index < reader.end else {
            forcesQuirks = true
            return
        }
        let nameStart = reader.index
        while reader.index < reader.end, !bytes[reader.index].isSpace { reader.index += 1 }
        name = offset + nameStart..<offset + reader.index
        reader.skipSpaces()
        if reader.index == reader.end {
            forcesQuirks = !isEnded
        } else if reader.take("public") {
            publicIdentifier = reader.quoted(&forcesQuirks)?.shifted(by: offset)
            reader.skipSpaces()
            if forcesQuirks || reader.index == reader.end {
                forcesQuirks = forcesQuirks || !isEnded
                return
            }
            readSystemIdentifier(&reader, isEnded: isEnded)
        } else if reader.take("system") {
            readSystemIdentifier(&reader, isEnded: isEnded)
        } else {
            forcesQuirks = true
        }
    }

    private mutating func readSystemIdentifier(_ reader: inout Reader, isEnded: Bool) {
        systemIdentifier = reader.quoted(&forcesQuirks)?.shifted(by: range.lowerBound)
        reader.skipSpaces()
        // Bogus DOCTYPE state: what else follows is ignored.
        if reader.index == reader.end, !isEnded { forcesQuirks = true }
    }

    private struct Reader {
        let bytes: UnsafeBufferPointer<UInt8>
        var index: Int
        var end: Int

        mutating func skipSpaces() {
            while index < end, bytes[index].isSpace { index += 1 }
        }

        mutating func take(_ word: StaticString) -> Bool {
            let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            guard index + word.count <= end else { return false }
            guard zip(bytes[index...], word).allSatisfy({ $0.lowercased == $1 }) else { return false }
            index += word.count
            return true
        }

        /// A quoted identifier; without one, or where it is cut off, the flag is set.
        mutating func quoted(_ isDamaged: inout Bool) -> Range<Int>? {
            skipSpaces()
            guard index < end, bytes[index] == 0x22 || bytes[index] == 0x27 else {
                isDamaged = true
                return nil
            }
            let quote = bytes[index]
            let start = index + 1
            index = start
            while index < end, bytes[index] != quote { index += 1 }
            let range = start..<index
            if index < end { index += 1 } else { isDamaged = true }
            return range
        }
    }
}

extension Range<Int> {
    func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
