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

    static func trimmed(_ text: String) -> String {
        var view = text[...]
        while let last = view.utf8.last, last == 0x20 || last == 0x09 { view.removeLast() }
        while let first = view.utf8.first, first == 0x20 || first == 0x09 { view.removeFirst() }
        return String(view)
    }
}
