/// Text measured in terminal cells.
package enum TerminalText {
    /// The text without anything that a terminal would obey: control characters become U+FFFD, breaks a space.
    package static func clean(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\t", "\r", "\u{2028}", "\u{2029}": result.append(" ")
            case _ where scalar.isDeceptive: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Cells that the text takes.
    package static func width(_ text: String) -> Int {
        text.reduce(0) { $0 + width($1) }
    }

    /// The text in exactly so many cells: filled with spaces, or cut with an ellipsis.
    package static func fit(_ text: String, to cells: Int, rightAligned: Bool = false) -> String {
        let cut = shortened(text, to: cells)
        let space = String(repeating: " ", count: max(0, cells - width(cut)))
        return rightAligned ? space + cut : cut + space
    }

    package static func shortened(_ text: String, to cells: Int) -> String {
        guard width(text) > cells else { return text }
        var result = ""
        var used = 1
        for character in text {
            used += width(character)
            guard used <= cells else { break }
            result.append(character)
        }
        return result + "…"
    }

    /// The text in at most so many cells, without its middle; more of its end is kept, where URLs differ.
    package static func shortenedInside(_ text: String, to cells: Int) -> String {
        guard width(text) > cells, cells > 2 else { return shortened(text, to: cells) }
        let front = shortened(text, to: (cells - 1) * 2 / 5 + 1)
        var rest = cells - width(front)
        var end = text.endIndex
        while end > text.startIndex {
            let before = text.index(before: end)
            rest -= width(text[before])
            guard rest >= 0 else { break }
            end = before
        }
        return front + text[end...]
    }

    /// Lines of at most so many cells, broken at spaces, and inside a word only where it is longer than a line.
    package static func wrapped(_ text: String, to cells: Int) -> [String] {
        let cells = max(cells, 2)
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in clean(text).split(separator: " ") {
            let length = width(String(word))
            if used > 0, used + 1 + length > cells {
                lines.append(line)
                (line, used) = ("", 0)
            }
            if used > 0 {
                line += " "
                used += 1
            }
            for character in word {
                let next = width(character)
                if used + next > cells {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                line.append(character)
                used += next
            }
        }
        return used > 0 ? lines + [line] : lines
    }

    /// 2 for East Asian wide characters (Unicode UAX 11) and emoji, 0 for marks on their own, else 1.
    private static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: break
        }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }
}
