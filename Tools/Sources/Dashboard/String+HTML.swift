extension String {
    /// The text for element content and for attribute values in double quotes.
    ///
    /// Control characters, and the marks that reverse the direction of what follows, become U+FFFD: a URL must not
    /// be able to look like another one.
    var escapedForHTML: String {
        var text = ""
        text.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            case "`": text += "&#96;"
            case "\n", "\t": text.unicodeScalars.append(scalar)
            case _ where scalar.isDeceptive: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Controls, line and paragraph separators, tags, and bidirectional formatting (Unicode UAX 9, §2).
    var isDeceptive: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        // Tags, which nobody sees.
        case 0xE0000...0xE007F: true
        default: properties.generalCategory == .control
        }
    }
}
