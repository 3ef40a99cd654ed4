/// Names, escapes and what three code points would start: css-syntax-3 §4.3.8–4.3.11.
extension CSSScanner {
    /// Ident-start code points as bytes: all of UTF-8 beyond ASCII counts, and NUL, which becomes U+FFFD.
    @inline(__always)
    static func startsName(_ byte: UInt8) -> Bool {
        byte.isLetter || byte >= 0x80 || byte == 0x5F || byte == 0
    }

    @inline(__always)
    static func isNameByte(_ byte: UInt8) -> Bool {
        if byte >= 0x80 { return true }
        let word = byte < 0x40 ? 0x03FF_2000_0000_0001 as UInt64 : 0x07FF_FFFE_87FF_FFFE
        return word &>> UInt64(byte & 0x3F) & 1 != 0
    }

    @inline(__always)
    func isName(_ index: Int) -> Bool { index < bytes.count && Self.isNameByte(bytes[index]) }

    /// Two code points are a valid escape; one at the end of the source is.
    func isEscape(_ index: Int) -> Bool {
        guard index < bytes.count, bytes[index] == 0x5C else { return false }
        guard index + 1 < bytes.count else { return true }
        return !Self.isNewline(bytes[index + 1])
    }

    static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0x0C }

    func startsIdent(_ index: Int) -> Bool {
        guard index < bytes.count else { return false }
        if bytes[index] == 0x2D {
            guard index + 1 < bytes.count else { return false }
            return Self.startsName(bytes[index + 1]) || bytes[index + 1] == 0x2D || isEscape(index + 1)
        }
        return Self.startsName(bytes[index]) || isEscape(index)
    }

    func startsNumber(_ index: Int) -> Bool {
        func isDigit(_ index: Int) -> Bool { index < bytes.count && bytes[index].isDigit }
        let first = bytes[index] == 0x2B || bytes[index] == 0x2D ? index + 1 : index
        return isDigit(first) || first < bytes.count && bytes[first] == 0x2E && isDigit(first + 1)
    }

    /// The end of a name. `nil` if it may go on behind these bytes.
    @inline(__always)
    func name(_ start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if Self.isNameByte(bytes[index]) {
                index &+= 1
            } else if bytes[index] == 0x5C {
                guard index &+ 1 < bytes.count || isLast else { return nil }
                guard isEscape(index) else { return index }
                guard let end = escapeEnd(index) else { return nil }
                index = end
            } else {
                return index
            }
        }
        return isLast ? index : nil
    }

    /// The end of what a backslash begins, also before a line end. `nil` if it may go on behind these bytes.
    func escapeEnd(_ start: Int) -> Int? {
        var index = start + 1
        guard index < bytes.count else { return isLast ? index : nil }
        if bytes[index].isHexDigit {
            let most = min(bytes.count, index + 6)
            while index < most, bytes[index].isHexDigit { index += 1 }
            if index == bytes.count { return isLast ? index : nil }
            return bytes[index].isSpace ? spaceEnd(index) : index
        }
        return Self.isNewline(bytes[index]) ? spaceEnd(index) : index + 1
    }

    /// One whitespace character; a carriage return and a line feed are one.
    private func spaceEnd(_ index: Int) -> Int? {
        guard bytes[index] == 0x0D else { return index + 1 }
        guard index + 1 < bytes.count else { return isLast ? index + 1 : nil }
        return bytes[index + 1] == 0x0A ? index + 2 : index + 1
    }
}

extension MappedText {
    /// A name, string or URL of CSS with its escapes.
    init(cssEscaped raw: UnsafeBufferPointer<UInt8>, offset: Int, isString: Bool) {
        self.init(raw, offset: offset, special: [0x5C, 0]) { raw, index in
            if raw[index] == 0 { return (1, [0xEF, 0xBF, 0xBD]) }
            let scanner = CSSScanner(bytes: raw, isLast: true)
            guard let end = scanner.escapeEnd(index) else { return nil }
            // A backslash at the end of the source is U+FFFD in a name, and nothing in a string.
            if end == index + 1 { return (1, isString ? [] : [0xEF, 0xBF, 0xBD]) }
            let next = raw[index + 1]
            if CSSScanner.isNewline(next) { return (end - index, []) }
            guard next.isHexDigit else {
                return (2, next == 0 ? [0xEF, 0xBF, 0xBD] : [next])
            }
            let digits = raw[(index + 1)..<end].prefix { $0.isHexDigit }
            let code = digits.reduce(0 as UInt32) { $0 << 4 | $1.hexValue }
            let scalar = code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
            return (end - index, Array(Unicode.UTF8.encode(scalar) ?? .init()))
        }
    }
}
