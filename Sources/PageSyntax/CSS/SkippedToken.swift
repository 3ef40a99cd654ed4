/// A token beyond the limit whose bytes are not kept: only its end is looked for.
struct SkippedToken: Sendable {
    private enum Kind: Sendable {
        case comment
        case string(quote: UInt8)
        /// `url()`, good or bad.
        case url
        case whitespace
        /// A name or number: a URL, if a parenthesis follows, is not told from another function.
        case name
    }

    let start: Int
    private let kind: Kind
    /// The last byte was a backslash, or the star of a comment's end.
    private var isPending = false
    private var isBegun = false

    init(start: Int, head: [UInt8]) {
        self.start = start
        switch head.first ?? 0 {
        case 0x22: kind = .string(quote: 0x22)
        case 0x27: kind = .string(quote: 0x27)
        case 0x2F: kind = .comment
        case let byte where byte.isSpace: kind = .whitespace
        default: kind = head.prefix(64).contains(0x28) ? .url : .name
        }
    }

    /// The number of bytes up to its end; `nil` if that is not among them.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        if !isBegun {
            isBegun = true
            // The opening quote, or the beginning of a comment.
            if case .string = kind { index = 1 }
            if case .comment = kind { index = 2 }
        }
        while index < bytes.count {
            let byte = bytes[index]
            let wasPending = isPending
            switch kind {
            case .comment:
                if wasPending, byte == 0x2F { return index + 1 }
                isPending = byte == 0x2A
            case .string(let quote):
                if !wasPending, byte == quote { return index + 1 }
                if !wasPending, CSSScanner.isNewline(byte) { return index }
                isPending = !wasPending && byte == 0x5C
            case .url:
                if !wasPending, byte == 0x29 { return index + 1 }
                isPending = !wasPending && byte == 0x5C
            case .whitespace: if !byte.isSpace { return index }
            case .name:
                if !wasPending, byte != 0x5C, !CSSScanner.isNameByte(byte) { return index }
                isPending = !wasPending && byte == 0x5C
            }
            index += 1
        }
        return nil
    }
}
