/// The image candidates of a `srcset` or `imagesrcset` attribute, HTML "parse a srcset attribute".
///
/// Sizes and densities are not read: a candidate with a descriptor that engines refuse is reported as well.
package enum Srcset {
    /// The places of the URLs.
    ///
    /// - Parameter text: The attribute's value, decoded.
    package static func candidates(_ text: [UInt8]) -> [Range<Int>] {
        var (candidates, index) = ([Range<Int>](), 0)
        while true {
            while index < text.count, text[index].isSpace || text[index] == 0x2C { index += 1 }
            guard index < text.count else { return candidates }
            let start = index
            while index < text.count, !text[index].isSpace { index += 1 }
            var end = index
            while end > start, text[end - 1] == 0x2C { end -= 1 }
            candidates.append(start..<end)
            if end == index { skipDescriptor(text, &index) }
        }
    }

    /// Up to a comma outside of parentheses.
    private static func skipDescriptor(_ text: [UInt8], _ index: inout Int) {
        var isInParentheses = false
        while index < text.count, isInParentheses || text[index] != 0x2C {
            if text[index] == 0x28 { isInParentheses = true }
            if text[index] == 0x29 { isInParentheses = false }
            index += 1
        }
    }
}
