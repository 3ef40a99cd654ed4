/// The image candidates of a `srcset` or `imagesrcset` attribute, HTML "parse a srcset attribute".
///
/// Sizes and densities are not read: a candidate with a descriptor that engines refuse is reported as well.
package struct Srcset: Sendable {
    package struct Candidate: Hashable, Sendable {
        /// Counted in bytes of the text.
        package var range: Range<Int>
        package var url: String
        /// `2x`, `640w`; as written, without whitespace around.
        package var descriptor: String
    }

    package var candidates: [Candidate] = []

    /// - Parameter text: The attribute's value, decoded.
    package init(_ text: [UInt8]) {
        var index = 0
        while true {
            while index < text.count, text[index].isSpace || text[index] == 0x2C { index += 1 }
            guard index < text.count else { return }
            let start = index
            while index < text.count, !text[index].isSpace { index += 1 }
            var end = index
            while end > start, text[end - 1] == 0x2C { end -= 1 }
            var descriptor = index..<index
            if end == index { descriptor = Self.descriptor(text, &index) }
            candidates.append(
                Candidate(
                    range: start..<end, url: String(decoding: text[start..<end], as: UTF8.self),
                    descriptor: String(decoding: text[descriptor], as: UTF8.self)))
        }
    }

    /// Up to a comma outside of parentheses, which is taken as well.
    private static func descriptor(_ text: [UInt8], _ index: inout Int) -> Range<Int> {
        while index < text.count, text[index].isSpace { index += 1 }
        let start = index
        var isInParentheses = false
        while index < text.count, isInParentheses || text[index] != 0x2C {
            if text[index] == 0x28 { isInParentheses = true }
            if text[index] == 0x29 { isInParentheses = false }
            index += 1
        }
        var end = index
        while end > start, text[end - 1].isSpace { end -= 1 }
        if index < text.count { index += 1 }
        return start..<end
    }
}
