/// The image candidates of a `srcset` or `imagesrcset` attribute, HTML §4.8.4.2 "parse a srcset attribute".
package enum Srcset {
    /// The places of the URLs in a decoded value; of candidates with a descriptor that engines refuse as well.
    package static func candidates(_ text: [UInt8]) -> [Range<Int>] { read(text).map(\.url) }

    /// The places of the URLs, and of the descriptors behind each.
    private static func read(_ text: [UInt8]) -> [(url: Range<Int>, descriptors: Range<Int>)] {
        var (candidates, index) = ([(url: Range<Int>, descriptors: Range<Int>)](), 0)
        while true {
            while index < text.count, text[index].isSpace || text[index] == 0x2C { index += 1 }
            guard index < text.count else { return candidates }
            let start = index
            while index < text.count, !text[index].isSpace { index += 1 }
            var end = index
            while end > start, text[end - 1] == 0x2C { end -= 1 }
            let behind = index
            if end == index { skipDescriptors(text, &index) }
            candidates.append((start..<end, behind..<index))
        }
    }

    /// Up to a comma outside of parentheses.
    private static func skipDescriptors(_ text: [UInt8], _ index: inout Int) {
        var isInParentheses = false
        while index < text.count, isInParentheses || text[index] != 0x2C {
            if text[index] == 0x28 { isInParentheses = true }
            if text[index] == 0x29 { isInParentheses = false }
            index += 1
        }
    }

    /// More candidates, and more widths that an image may have, are left out.
    private static let (mostCandidates, mostWidths) = (1_000, 8)

    /// The URLs, as written, of which a web view loads one; several where a condition of `sizes` can't be known.
    static func chosen(
        _ srcset: String, sizes: String?, source: String?, on screen: PageScreen
    ) -> Set<String> {
        let bytes = Array(srcset.utf8)
        var images: [(url: String, width: Double?, density: Double?)] = read(bytes).prefix(mostCandidates).compactMap {
            candidate in
            guard let (width, density) = descriptors(bytes[candidate.descriptors]) else { return nil }
            return (String(decoding: bytes[candidate.url], as: UTF8.self), width, density)
        }
        // HTML §4.8.4.2.2, step 4.
        if let source, !source.isEmpty, !images.contains(where: { $0.width != nil || $0.density ?? 1 == 1 }) {
            images.append((source, nil, 1))
        }
        return Set(
            widths(sizes ?? "", screen).compactMap { slot in
                let sorted = images.map { (url: $0.url, density: $0.width.map { $0 / slot } ?? $0.density ?? 1) }
                    .enumerated().sorted { ($0.element.density, $0.offset) < ($1.element.density, $1.offset) }
                    .map(\.element)
                return pick(sorted, screen.density)
            })
    }

    /// WebKit's choice, as HTML §4.8.4.2.5 allows: the first of the least density that is enough, else of the greatest.
    private static func pick(_ sorted: [(url: String, density: Double)], _ density: Double) -> String? {
        guard let best = sorted.first(where: { $0.density >= density }) ?? sorted.last else { return nil }
        return sorted.first { $0.density == best.density }?.url
    }

    /// Width and density of a candidate; `nil` where engines leave it out.
    private static func descriptors(_ text: ArraySlice<UInt8>) -> (width: Double?, density: Double?)? {
        var (width, density, height): (Double?, Double?, Double?)
        for word in text.split(whereSeparator: \.isSpace) {
            // "A valid floating-point number" ends with a digit, and has no plus.
            guard let unit = word.last, let first = word.first, first != 0x2B,
                let end = word.dropLast().last, (0x30...0x39).contains(end),
                let number = Double(String(decoding: word.dropLast(), as: UTF8.self)), number.isFinite, number >= 0
            else { return nil }
            switch unit {
            case 0x77 where width == nil && density == nil && number > 0: width = number
            case 0x78 where width == nil && density == nil && height == nil: density = number
            case 0x68 where height == nil && density == nil && number > 0: height = number
            default: return nil
            }
        }
        // A height alone is an error.
        return height != nil && width == nil ? nil : (width, density)
    }

    /// HTML "parse a sizes attribute": the width of the image in CSS pixels; several where a condition can't be known.
    private static func widths(_ sizes: String, _ screen: PageScreen) -> [Double] {
        var widths: [Double] = []
        for entry in CSSValue.read(sizes).listed {
            guard let size = entry.last, let width = screen.measure([size]), width >= 0, isLength(size) else {
                continue
            }
            let condition = entry.dropLast()
            let holds = condition.isEmpty ? true : MediaQuery.condition(condition, screen)
            if holds != false { widths.append(width) }
            if holds == true || widths.count == mostWidths { return widths }
        }
        return widths + [screen.width]
    }

    /// A number without unit is a length where it is 0 alone.
    private static func isLength(_ value: CSSValue) -> Bool {
        if case .number(let number, let unit) = value { return !unit.isEmpty || number == 0 }
        return true
    }
}

/// A component value of css-syntax-3 §5.4.7 in media queries and sizes of images; whitespace and comments are none.
enum CSSValue: Equatable {
    /// In lower case.
    case word(String)
    /// The unit in lower case, `%` for percentages, empty without one.
    case number(Double, unit: String)
    case delimiter(UInt8)
    /// The content of parentheses, those of a function with its name in lower case.
    case group(function: String?, [CSSValue])

    /// Values nested deeper are nothing.
    private static let deepest = 16

    /// Brackets that are not closed are closed at the end.
    static func read(_ text: String) -> [CSSValue] {
        var open: [(function: String?, values: [CSSValue])] = [(nil, [])]
        var tokenizer = CSSTokenizer()
        let close = {
            let group = open.removeLast()
            let value = CSSValue.group(function: group.function, open.count > deepest ? [] : group.values)
            open[open.count - 1].values.append(value)
        }
        let meet = { (token: CSSToken) in
            switch token.kind {
            case .whitespace, .comment: break
            case .function: open.append((token.value.asciiLowercased, []))
            case .delimiter where token.byte == 0x28: open.append((nil, []))
            case .delimiter where token.byte == 0x29: if open.count > 1 { close() }
            case .delimiter: open[open.count - 1].values.append(.delimiter(token.byte))
            case .number, .percentage, .dimension: open[open.count - 1].values.append(number(token))
            case .ident: open[open.count - 1].values.append(.word(token.value.asciiLowercased))
            // Nothing that stands in these values.
            default: open[open.count - 1].values.append(.delimiter(0))
            }
        }
        tokenizer.feed(Array(text.utf8), meet)
        tokenizer.finish(meet)
        while open.count > 1 { close() }
        return open[0].values
    }

    private static func number(_ token: CSSToken) -> CSSValue {
        let end =
            switch token.kind {
            case .dimension: token.content.lowerBound
            case .percentage: token.bytes.count - 1
            default: token.bytes.count
            }
        guard let value = Double(String(decoding: token.bytes[..<end], as: UTF8.self)) else { return .delimiter(0) }
        return .number(value, unit: String(decoding: token.bytes[end...], as: UTF8.self).asciiLowercased)
    }
}

extension [CSSValue] {
    /// The parts between commas.
    var listed: [SubSequence] { split(separator: .delimiter(0x2C), omittingEmptySubsequences: false) }
}
