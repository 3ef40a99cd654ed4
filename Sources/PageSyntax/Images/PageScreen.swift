/// The screen for which a page is fetched ahead of need: it decides which one of an image's candidates is fetched.
package struct PageScreen: Hashable, Sendable {
    /// The web view's width in CSS pixels.
    package let width: Double
    /// The web view's height in CSS pixels.
    package let height: Double
    /// Pixels of the device for one of CSS.
    package let density: Double

    /// Numbers that are none, too small or too large become ones that can be computed with.
    package init(width: Double, height: Double, density: Double = 1) {
        // Comparisons with NaN are false.
        self.width = width >= 1 ? min(width, 1e6) : 1
        self.height = height >= 1 ? min(height, 1e6) : 1
        self.density = density >= 0.1 ? min(density, 1e3) : 0.1
    }

    /// A length in CSS pixels, or a number or resolution in its own unit (css-values-4 §6, §7.4); `nil` for others.
    func measure(_ values: some Collection<CSSValue>) -> Double? {
        guard values.count == 1, let value = values.first else { return ratio(Array(values)) }
        switch value {
        case .number(let number, let unit): return factor(unit).map { number * $0 }
        case .group(let function, let values): return function == nil ? nil : compute(function, values)
        case .word, .delimiter: return nil
        }
    }

    private func factor(_ unit: String) -> Double? {
        switch unit {
        case "", "px", "dppx", "x": 1
        // The font of the page counts nowhere here but that of the user (Media Queries 4 §1.3).
        case "em", "rem", "ic": 16
        case "ex", "ch": 8
        case "vw", "svw", "lvw", "dvw", "vi", "svi", "lvi", "dvi": width / 100
        case "vh", "svh", "lvh", "dvh", "vb", "svb", "lvb", "dvb": height / 100
        case "vmin", "svmin", "lvmin", "dvmin": min(width, height) / 100
        case "vmax", "svmax", "lvmax", "dvmax": max(width, height) / 100
        case "in": 96
        case "cm": 96 / 2.54
        case "mm": 96 / 25.4
        case "q": 96 / 101.6
        case "pt": 96.0 / 72
        case "pc": 16
        case "dpi": 1.0 / 96
        case "dpcm": 2.54 / 96
        default: nil
        }
    }

    private func ratio(_ values: [CSSValue]) -> Double? {
        guard values.count == 3, values[1] == .delimiter(0x2F), let above = measure(values[...0]),
            let below = measure(values[2...])
        else { return nil }
        return above / below
    }

    /// css-values-4 §10 without types, as far as WebKit 2.50 has it in `sizes`: no `min()`, `max()` and `clamp()`.
    private func compute(_ function: String?, _ values: [CSSValue]) -> Double? {
        [nil, "calc", "-webkit-calc"].contains(function) ? sum(values[...]) : nil
    }

    private func sum(_ values: ArraySlice<CSSValue>) -> Double? {
        var (total, rest) = (Double?.some(0), values)
        var sign = 1.0
        while true {
            let end = rest.firstIndex { $0 == .delimiter(0x2B) || $0 == .delimiter(0x2D) } ?? rest.endIndex
            guard let part = product(rest[..<end]), let before = total else { return nil }
            total = before + sign * part
            guard end < rest.endIndex else { return total }
            sign = rest[end] == .delimiter(0x2B) ? 1 : -1
            rest = rest[(end + 1)...]
        }
    }

    private func product(_ values: ArraySlice<CSSValue>) -> Double? {
        // Factors and operators in turn.
        guard values.count % 2 == 1 else { return nil }
        var total: Double?
        for index in stride(from: values.startIndex, to: values.endIndex, by: 2) {
            let value: Double? =
                if case .group(let function, let inner) = values[index] { compute(function, inner) } else {
                    measure(values[index...index])
                }
            guard let value else { return nil }
            guard let before = total else {
                total = value
                continue
            }
            switch values[index - 1] {
            case .delimiter(0x2A): total = before * value
            case .delimiter(0x2F): total = before / value
            default: return nil
            }
        }
        return total
    }
}

/// The images that a web view loads: one candidate of each `srcset`, one source of each `picture`, HTML §4.8.4.
package struct ImageSelection {
    /// `nil` where it is not known: then all are loaded.
    private let screen: PageScreen?
    /// Where the tag that was met last begins, and its URLs that are loaded; `nil` for all.
    private var last: (offset: Int, loaded: Set<String>?)?
    /// The first source of the picture that is read, and whether one of them is loaded for certain.
    private var picture: (offset: Int, isDecided: Bool)?
    /// The tag that was met last ends a picture.
    private var isAtEnd = false

    /// Every WebKit draws these.
    private static let formats: Set<String> = [
        "image/apng", "image/avif", "image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp",
    ]

    package init(for screen: PageScreen?) { self.screen = screen }

    /// - Returns: Whether the reference is loaded, and its choice: of those with one choice a web view loads one.
    package mutating func meet(_ reference: PageReference, _ tag: HTMLTag) -> (isLoaded: Bool, choice: Int?) {
        guard tag.namespace == .html else { return (true, nil) }
        let isChoice = tag.attribute(.srcset) != nil || tag.attribute(.imagesrcset) != nil
        switch (reference.kind, tag.name) {
        case (.image, .source), (.image, .img), (.image, .image), (.preload, .link): break
        default: return (true, nil)
        }
        if last?.offset != tag.offset { begin(tag) }
        let isInPicture = tag.name != .link
        return (
            last?.loaded?.contains(reference.url) ?? true,
            (isInPicture ? picture?.offset : nil) ?? (isChoice ? tag.offset : nil)
        )
    }

    private mutating func begin(_ tag: HTMLTag) {
        if isAtEnd { picture = nil }
        if tag.name == .source, picture == nil { picture = (tag.offset, false) }
        isAtEnd = tag.name != .source && tag.name != .link
        last = (tag.offset, nil)
        var condition: Bool? = true
        if let media = tag.value(.media), tag.name != .img { condition = MediaQuery.matches(media, screen) }
        if let type = tag.value(.type)?.asciiTrimmed.asciiLowercased, tag.name == .source, !type.isEmpty,
            condition != false
        {
            // Other formats depend on the system.
            condition = !type.hasPrefix("image/") ? false : Self.formats.contains(type) ? condition : nil
        }
        guard condition != false, tag.name == .link || picture?.isDecided != true else {
            last?.loaded = []
            return
        }
        let srcset = tag.value(tag.name == .link ? .imagesrcset : .srcset)
        // A link without candidates has its address.
        guard let screen, srcset != nil || tag.name != .link else { return }
        let loaded = Srcset.chosen(
            srcset ?? "", sizes: tag.value(tag.name == .link ? .imagesizes : .sizes),
            source: tag.name == .source ? nil : tag.value(tag.name == .link ? .href : .src)?.asciiTrimmed, on: screen)
        if tag.name == .source, condition == true, !loaded.isEmpty { picture?.isDecided = true }
        last?.loaded = loaded
    }
}
