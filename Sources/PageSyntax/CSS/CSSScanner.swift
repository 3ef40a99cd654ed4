/// Where tokens of css-syntax-3 §4.3 end, in bytes that are at hand.
struct CSSScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Nothing follows these bytes.
    let isLast: Bool

    struct Found {
        var kind: CSSToken.Kind
        var end: Int
        var content: Range<Int>
    }

    /// - Returns: `nil` if the token may go on behind these bytes.
    @inline(__always)
    func token(at start: Int) -> Found? {
        let byte = bytes[start]
        if Self.startsName(byte) { return identLike(start) }
        if byte.isSpace {
            var end = start &+ 1
            while end < bytes.count, bytes[end].isSpace { end &+= 1 }
            return end == bytes.count && !isLast ? nil : found(.whitespace, start, end)
        }
        switch byte {
        case 0x22, 0x27: return string(start)
        case 0x28, 0x29, 0x2C, 0x3A, 0x3B, 0x5B, 0x5D, 0x7B, 0x7D: return found(.delimiter, start, start &+ 1)
        case 0x30...0x39: return numeric(start)
        case 0x23, 0x2B, 0x2D, 0x2E, 0x2F, 0x3C, 0x40, 0x5C: return lookingAhead(start)
        default: return found(.delimiter, start, start &+ 1)
        }
    }

    /// Reads a token that two or three more characters decide.
    private func lookingAhead(_ start: Int) -> Found? {
        if !isLast, start &+ 4 > bytes.count { return nil }
        let delimiter = found(.delimiter, start, start &+ 1)
        switch bytes[start] {
        case 0x23:
            guard isName(start &+ 1) || isEscape(start &+ 1) else { return delimiter }
            return name(start &+ 1).map { found(.hash, start, $0, content: start &+ 1..<$0) }
        case 0x2B, 0x2E: return startsNumber(start) ? numeric(start) : delimiter
        case 0x2D:
            if startsNumber(start) { return numeric(start) }
            if at(start &+ 1) == 0x2D, at(start &+ 2) == 0x3E { return found(.cdc, start, start &+ 3) }
            return startsIdent(start) ? identLike(start) : delimiter
        case 0x2F: return at(start &+ 1) == 0x2A ? comment(start) : delimiter
        case 0x3C:
            let isCDO = at(start &+ 1) == 0x21 && at(start &+ 2) == 0x2D && at(start &+ 3) == 0x2D
            return isCDO ? found(.cdo, start, start &+ 4) : delimiter
        case 0x40:
            guard startsIdent(start &+ 1) else { return delimiter }
            return name(start &+ 1).map { found(.atKeyword, start, $0, content: start &+ 1..<$0) }
        default: return isEscape(start) ? identLike(start) : delimiter
        }
    }

    @inline(__always)
    private func found(_ kind: CSSToken.Kind, _ start: Int, _ end: Int, content: Range<Int>? = nil) -> Found {
        Found(kind: kind, end: end, content: content ?? start..<end)
    }

    private func comment(_ start: Int) -> Found? {
        var index = start &+ 2
        while true {
            index = ByteSearch.first(0x2A, in: bytes, from: index, to: bytes.count)
            guard index < bytes.count else { break }
            index &+= 1
            if index < bytes.count, bytes[index] == 0x2F {
                return found(.comment, start, index &+ 1, content: start &+ 2..<index &- 1)
            }
        }
        return isLast ? found(.comment, start, bytes.count, content: start &+ 2..<bytes.count) : nil
    }

    private func string(_ start: Int) -> Found? {
        let quote = bytes[start]
        var index = start &+ 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote { return found(.string, start, index &+ 1, content: start &+ 1..<index) }
            if byte == 0x5C {
                guard let end = escapeEnd(index) else { return nil }
                index = end
            } else if byte == 0x0A || byte == 0x0D || byte == 0x0C {
                return found(.badString, start, index, content: start &+ 1..<index)
            } else {
                index &+= 1
            }
        }
        return isLast ? found(.string, start, bytes.count, content: start &+ 1..<bytes.count) : nil
    }

    /// Ident, function or URL.
    @inline(__always)
    private func identLike(_ start: Int) -> Found? {
        guard let end = name(start) else { return nil }
        guard end < bytes.count, bytes[end] == 0x28 else { return found(.ident, start, end) }
        guard isURL(start, end) else { return found(.function, start, end &+ 1, content: start..<end) }
        var index = end &+ 1
        while index < bytes.count, bytes[index].isSpace { index &+= 1 }
        guard index < bytes.count || isLast else { return nil }
        if index < bytes.count, bytes[index] == 0x22 || bytes[index] == 0x27 {
            return found(.function, start, end &+ 1, content: start..<end)
        }
        return url(start, content: index)
    }

    private func isURL(_ start: Int, _ end: Int) -> Bool {
        if end &- start == 3 {
            return bytes[start] | 0x20 == 0x75 && bytes[start &+ 1] | 0x20 == 0x72 && bytes[start &+ 2] | 0x20 == 0x6C
        }
        let name = UnsafeBufferPointer(rebasing: bytes[start..<end])
        guard name.count <= 24, name.contains(0x5C) else { return false }
        let value = MappedText(cssEscaped: name, offset: 0, isString: false).string
        return value.lowercased() == "url"
    }

    private func url(_ start: Int, content: Int) -> Found? {
        var index = content
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x29 { return found(.url, start, index &+ 1, content: content..<index) }
            if byte.isSpace {
                let contentEnd = index
                while index < bytes.count, bytes[index].isSpace { index &+= 1 }
                guard index < bytes.count else {
                    return isLast ? found(.url, start, index, content: content..<contentEnd) : nil
                }
                if bytes[index] == 0x29 { return found(.url, start, index &+ 1, content: content..<contentEnd) }
                return badURL(start, from: index)
            }
            if byte == 0x5C {
                guard isLast || index &+ 1 < bytes.count else { return nil }
                guard isEscape(index) else { return badURL(start, from: index) }
                guard let end = escapeEnd(index) else { return nil }
                index = end
            } else if byte == 0x22 || byte == 0x27 || byte == 0x28 || byte < 0x20 && byte != 0 || byte == 0x7F {
                return badURL(start, from: index)
            } else {
                index &+= 1
            }
        }
        return isLast ? found(.url, start, bytes.count, content: content..<bytes.count) : nil
    }

    private func badURL(_ start: Int, from: Int) -> Found? {
        var index = from
        while index < bytes.count {
            if bytes[index] == 0x29 { return found(.badURL, start, index &+ 1) }
            if bytes[index] == 0x5C {
                guard let end = escapeEnd(index) else { return nil }
                index = end
            } else {
                index &+= 1
            }
        }
        return isLast ? found(.badURL, start, bytes.count) : nil
    }

    private func numeric(_ start: Int) -> Found? {
        var index = start
        if at(index) == 0x2B || at(index) == 0x2D { index &+= 1 }
        while at(index).isDigit { index &+= 1 }
        if at(index) == 0x2E, at(index &+ 1).isDigit {
            index &+= 2
            while at(index).isDigit { index &+= 1 }
        }
        if at(index) | 0x20 == 0x65 {
            let sign = at(index &+ 1) == 0x2B || at(index &+ 1) == 0x2D ? 1 : 0
            if at(index &+ 1 &+ sign).isDigit {
                index &+= 2 &+ sign
                while at(index).isDigit { index &+= 1 }
            }
        }
        if !isLast, index &+ 4 > bytes.count { return nil }
        if startsIdent(index) {
            return name(index).map { found(.dimension, start, $0, content: index..<$0) }
        }
        return at(index) == 0x25 ? found(.percentage, start, index &+ 1) : found(.number, start, index)
    }

    /// The byte, or a control character that no rule looks for.
    @inline(__always)
    private func at(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0x1F }
}
