import HTTPCacheSemantics

/// The lines of `Set-Cookie` that a session has joined into one value.
///
/// RFC 9110 §5.3 forbids to join them, because a date in `Expires` has a comma of its own; sessions do it all the same.
enum SetCookieLines {
    /// Splits at the commas after which a new cookie begins: a name, which is a token, and "=" (RFC 6265 §4.1.1). What
    /// follows the comma of a date is a number and a space. A cookie's value may not contain a comma by the grammar;
    /// one that does, followed by what looks like a cookie, is split wrongly.
    static func split(_ joined: String) -> [String] {
        var (lines, scanner) = ([""], ByteScanner(joined))
        while true {
            lines[lines.count - 1] += scanner.text { $0 != 0x2C }
            guard scanner.take(",") else { return lines.map { ListField.trimmed($0) }.filter { !$0.isEmpty } }
            var ahead = scanner
            ahead.skipWhitespace()
            if ahead.token() != nil, ahead.peek == 0x3D { lines.append("") } else { lines[lines.count - 1] += "," }
        }
    }
}
