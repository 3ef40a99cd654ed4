/// Media Queries 4 for a ``PageScreen``: true, false, or `nil` where only the web view knows, as without a screen.
package enum MediaQuery {
    /// - Parameter text: A list of queries; an empty one is true (§3).
    package static func matches(_ text: String, _ screen: PageScreen?) -> Bool? {
        let values = CSSValue.read(text)
        return values.isEmpty ? true : any(values.listed.map { query($0, screen) })
    }

    private static func query(_ values: ArraySlice<CSSValue>, _ screen: PageScreen?) -> Bool? {
        var rest = values
        var isNegated = false
        if case .word(let prefix)? = rest.first, prefix == "not" || prefix == "only",
            case .word? = rest.dropFirst().first
        {
            isNegated = prefix == "not"
            rest.removeFirst()
        }
        guard case .word(let type)? = rest.first, type != "not" else { return condition(rest, screen) }
        var result: Bool? = type == "all" || type == "screen"
        rest.removeFirst()
        if !rest.isEmpty {
            // A query that can't be read is `not all` (§3.2).
            guard rest.removeFirst() == .word("and") else { return false }
            result = all([result, condition(rest, screen)])
        }
        return isNegated ? result.map { !$0 } : result
    }

    /// §3, `<media-condition>`; `nil` also for what can't be read.
    static func condition(_ values: ArraySlice<CSSValue>, _ screen: PageScreen?) -> Bool? {
        if values.first == .word("not") { return condition(values.dropFirst(), screen).map { !$0 } }
        let isAlternative = values.dropFirst().first == .word("or")
        let parts = values.split(separator: .word(isAlternative ? "or" : "and"), omittingEmptySubsequences: false)
        let results = parts.map { part -> Bool? in
            guard part.count == 1, case .group(nil, let inner)? = part.first else { return nil }
            switch inner.first {
            case .group?, .word("not")?: return condition(inner[...], screen)
            default: return feature(inner, screen)
            }
        }
        return isAlternative ? any(results) : all(results)
    }

    private static func any(_ results: [Bool?]) -> Bool? {
        results.contains(true) ? true : results.contains(nil) ? nil : false
    }

    private static func all(_ results: [Bool?]) -> Bool? {
        results.contains(false) ? false : results.contains(nil) ? nil : true
    }

    private static func feature(_ values: [CSSValue], _ screen: PageScreen?) -> Bool? {
        guard let screen else { return nil }
        if case .word(let name)? = values.first, values.count == 1 || values[1] == .delimiter(0x3A) {
            return plain(name, values.dropFirst(2), screen)
        }
        // §2.4.3: a comparison, or two of them around the name.
        let isComparison = { (value: CSSValue) in [0x3C, 0x3D, 0x3E].contains { value == .delimiter($0) } }
        let sides = values.split(omittingEmptySubsequences: true, whereSeparator: isComparison)
        guard sides.count == 2 || sides.count == 3 else { return nil }
        let numbers = sides.map { side -> Double? in
            if case .word(let name)? = side.first { return side.count == 1 ? measured(name, screen) : nil }
            return screen.measure(side)
        }
        return all(
            zip(sides, sides.dropFirst()).enumerated().map { index, pair in
                guard let left = numbers[index], let right = numbers[index + 1] else { return nil }
                switch Array(values[pair.0.endIndex..<pair.1.startIndex]) {
                case [.delimiter(0x3C)]: return left < right
                case [.delimiter(0x3C), .delimiter(0x3D)]: return left <= right
                case [.delimiter(0x3E)]: return left > right
                case [.delimiter(0x3E), .delimiter(0x3D)]: return left >= right
                case [.delimiter(0x3D)]: return left == right
                default: return nil
                }
            })
    }

    /// `(name: value)` or `(name)`.
    private static func plain(_ name: String, _ value: ArraySlice<CSSValue>, _ screen: PageScreen) -> Bool? {
        if name == "orientation" {
            return value.isEmpty
                ? true : value.first == .word(screen.height >= screen.width ? "portrait" : "landscape")
        }
        let bare = name.hasPrefix("-webkit-") ? String(name.dropFirst(8)) : name
        let limit = bare.prefix(4)
        let isLimit = limit == "min-" || limit == "max-"
        guard let own = measured(isLimit ? String(bare.dropFirst(4)) : bare, screen) else { return nil }
        guard !value.isEmpty else { return isLimit ? nil : own > 0 }
        guard let number = screen.measure(value) else { return nil }
        return limit == "min-" ? own >= number : limit == "max-" ? own <= number : own == number
    }

    private static func measured(_ name: String, _ screen: PageScreen) -> Double? {
        switch name {
        case "width", "device-width": screen.width
        case "height", "device-height": screen.height
        case "aspect-ratio", "device-aspect-ratio": screen.width / screen.height
        case "resolution", "device-pixel-ratio": screen.density
        default: nil
        }
    }
}
