import HTTPTypes

/// Reading fields that RFC 9110 §5.6.1 defines as comma-separated lists.
enum ListField {
    /// The members of all lines of a field, in order, trimmed; empty members are ignored (§5.6.1.2), and
    /// commas inside quoted strings do not separate.
    static func members(_ lines: [String]) -> [String] {
        var result: [String] = []
        for line in lines {
            var scanner = ByteScanner(line)
            while !scanner.isAtEnd {
                scanner.skipWhitespace()
                let member = trimmed(scanner.text(upTo: [0x2C]))
                if !member.isEmpty { result.append(member) }
                scanner.advance()
            }
        }
        return result
    }

    /// The text without the spaces and tabs at both ends.
    static func trimmed(_ text: String) -> String {
        // Bytes, not characters: a space and a combining mark after it are one character.
        var view = text[...].utf8
        while let last = view.last, last == 0x20 || last == 0x09 { view.removeLast() }
        while let first = view.first, first == 0x20 || first == 0x09 { view.removeFirst() }
        return String(Substring(view))
    }
}
