extension CacheControl.Directive: CustomStringConvertible {
    /// The directive as §5.2 writes it: a name, and behind `=` a token or else a quoted-string.
    ///
    /// Empty when the name is no token. A control character, which no quoted-string can carry, becomes a space
    /// (RFC 9110 §5.5 replaces CR, LF and NUL that way).
    package var description: String {
        guard !name.isEmpty, name.utf8.allSatisfy(ByteScanner.isTokenByte) else { return "" }
        guard let argument else { return name }
        let isToken = !argument.isEmpty && argument.utf8.allSatisfy(ByteScanner.isTokenByte)
        return name + "=" + (isToken && !isList ? argument : Self.quoted(argument))
    }

    /// "A sender SHOULD NOT generate the token form (even if quoting appears not to be needed …)", §5.2.2.4, §5.2.2.7.
    private var isList: Bool { name == "no-cache" || name == "private" }

    /// RFC 9110 §5.6.4.
    private static func quoted(_ argument: String) -> String {
        var text: [UInt8] = [0x22]
        for byte in argument.utf8 {
            if byte == 0x22 || byte == 0x5C { text.append(0x5C) }
            text.append((byte < 0x20 && byte != 0x09) || byte == 0x7F ? 0x20 : byte)
        }
        return String(decoding: text + [0x22], as: UTF8.self)
    }
}

extension CacheControl: CustomStringConvertible {
    /// The value of one field line. ``init(lines:)`` reads the same directives from it, as long as their names are
    /// tokens in lower case and their arguments have no control characters.
    package var description: String {
        directives.map(\.description).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
