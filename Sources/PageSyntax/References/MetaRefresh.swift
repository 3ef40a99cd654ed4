/// The URL of `<meta http-equiv=refresh content=…>`, HTML "shared declarative refresh steps".
enum MetaRefresh {
    /// - Parameter text: The attribute's value, decoded.
    /// - Returns: `nil` if the document is to be loaded again, or the value says nothing.
    static func urlRange(_ text: [UInt8]) -> Range<Int>? {
        var index = 0
        func skipSpaces() { while index < text.count, text[index].isSpace { index += 1 } }
        func take(_ byte: UInt8) -> Bool {
            guard index < text.count, text[index].lowercased == byte else { return false }
            index += 1
            return true
        }
        skipSpaces()
        let digits = index
        while index < text.count, text[index].isDigit { index += 1 }
        if index == digits, index >= text.count || text[index] != 0x2E { return nil }
        while index < text.count, text[index].isDigit || text[index] == 0x2E { index += 1 }
        guard index < text.count else { return nil }
        guard text[index] == 0x3B || text[index] == 0x2C || text[index].isSpace else { return nil }
        skipSpaces()
        if index < text.count, text[index] == 0x3B || text[index] == 0x2C { index += 1 }
        skipSpaces()
        guard index < text.count else { return nil }
        // `url`, spaces and an equals sign, or else all that is left.
        var start = index
        if take(0x75), take(0x72), take(0x6C) {
            skipSpaces()
            if take(0x3D) {
                skipSpaces()
                start = index
            }
        }
        index = start
        if index < text.count, text[index] == 0x22 || text[index] == 0x27 {
            let quote = text[index]
            return start + 1..<(text[(start + 1)...].firstIndex(of: quote) ?? text.count)
        }
        return start..<text.count
    }
}
