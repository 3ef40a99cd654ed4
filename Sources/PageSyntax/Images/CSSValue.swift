/// A component value of css-syntax-3 §5.4.7, as media queries and sizes of images have them. Whitespace and comments
/// are left out.
enum CSSValue: Equatable {
    /// In lower case.
    case word(String)
    /// The unit in lower case, `%` for percentages, empty without one.
    case number(Double, unit: String)
    case delimiter(UInt8)
    /// The content of parentheses, those of a function with its name in lower case.
    case group(function: String?, [CSSValue])

    static let comma = CSSValue.delimiter(0x2C)
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
            case .number, .percentage, .dimension:
                open[open.count - 1].values.append(number(String(decoding: token.bytes, as: UTF8.self)))
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

    private static func number(_ text: String) -> CSSValue {
        // The longest beginning that is a number: `1e3px` is 1,000 px, `1em` is not 1e….
        var end = text.startIndex
        var isExponent = false
        for index in text.indices {
            let character = text[index]
            let next = text[text.index(after: index)...].drop { $0 == "+" || $0 == "-" }.first
            if character.isASCII, character.isNumber || !isExponent && "+-.".contains(character) {
            } else if !isExponent, character == "e" || character == "E", next?.isASCII == true, next?.isNumber == true {
                isExponent = true
            } else if isExponent, character == "+" || character == "-", "eE".contains(text[text.index(before: index)]) {
            } else {
                break
            }
            end = text.index(after: index)
        }
        guard let value = Double(text[..<end]) else { return .delimiter(0) }
        return .number(value, unit: String(text[end...]).asciiLowercased)
    }
}

extension [CSSValue] {
    /// The parts between commas.
    var listed: [SubSequence] { split(separator: .comma, omittingEmptySubsequences: false) }
}
