/// Splits the bytes of a style sheet into tokens as they come, by css-syntax-3 §4.
///
/// Pieces may be cut anywhere; the state is a value. The source is UTF-8, or another encoding in which the bytes of
/// ASCII mean ASCII wherever they stand: in Shift_JIS, Big5 and GBK a second byte may be taken for a backslash or a
/// bracket. `@charset` and byte order marks are the caller's.
package struct CSSTokenizer: Sendable {
    /// Limits one token, in bytes. Longer ones are reported as ``CSSToken/Kind/oversized``.
    package static let defaultLimit = 1 << 20
    /// From this length on, a token that is not complete is looked at again only once it has grown by a quarter.
    private static let patience = 256

    let limit: Int
    /// The bytes of the token that is not complete yet.
    private var carry: [UInt8] = []
    /// The length of ``carry`` from which on it is looked at.
    private var retryLength = 0
    private var skipped: SkippedToken?

    /// The offset up to which all has been reported.
    package private(set) var reported: Int

    /// - Parameter offset: The first byte's, for sheets that stand within something else.
    package init(offset: Int = 0, limit: Int = Self.defaultLimit) {
        (reported, self.limit) = (offset, max(64, limit))
    }

    package mutating func feed(_ piece: UnsafeBufferPointer<UInt8>, _ report: (CSSToken) -> Void) {
        guard !piece.isEmpty else { return }
        if carry.isEmpty {
            let used = read(piece, isLast: false, report)
            carry += piece[used...]
            keepWaiting()
        } else {
            carry += piece
            if carry.count >= retryLength { readCarry(isLast: false, report) }
        }
    }

    package mutating func feed(_ piece: [UInt8], _ report: (CSSToken) -> Void) {
        piece.withUnsafeBufferPointer { feed($0, report) }
    }

    /// The source ends here.
    package mutating func finish(_ report: (CSSToken) -> Void) {
        readCarry(isLast: true, report)
        if let skipped { report(oversized(from: skipped.start)) }
        skipped = nil
    }

    private mutating func readCarry(isLast: Bool, _ report: (CSSToken) -> Void) {
        // Taken out, so that the state can change while the bytes are read.
        var source: [UInt8] = []
        swap(&source, &carry)
        let used = source.withUnsafeBufferPointer { read($0, isLast: isLast, report) }
        source.removeFirst(used)
        swap(&source, &carry)
        keepWaiting()
    }

    private mutating func keepWaiting() {
        retryLength = carry.count < Self.patience ? 0 : carry.count + carry.count / 4
        guard carry.count > limit else { return }
        var token = SkippedToken(start: reported, head: carry)
        _ = carry.withUnsafeBufferPointer { token.end(in: $0) }
        reported += carry.count
        (skipped, carry, retryLength) = (token, [], 0)
    }

    private func oversized(from start: Int) -> CSSToken {
        CSSToken(
            kind: .oversized, range: start..<reported, bytes: UnsafeBufferPointer(start: nil, count: 0), content: 0..<0)
    }

    /// - Returns: The number of bytes of complete tokens.
    private mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, _ report: (CSSToken) -> Void
    ) -> Int {
        var index = 0
        if let start = skipped?.start {
            guard let end = skipped?.end(in: bytes) else {
                reported += bytes.count
                return bytes.count
            }
            index = end
            reported += index
            report(oversized(from: start))
            skipped = nil
        }
        let base = reported - index
        let scanner = CSSScanner(bytes: bytes, isLast: isLast)
        while index < bytes.count, let found = scanner.token(at: index) {
            let isLong = found.end &- index > limit
            report(
                CSSToken(
                    kind: isLong ? .oversized : found.kind, range: base &+ index..<base &+ found.end,
                    bytes: isLong ? .init(start: nil, count: 0) : .init(rebasing: bytes[index..<found.end]),
                    content: isLong ? 0..<0 : found.content.lowerBound &- index..<found.content.upperBound &- index))
            index = found.end
        }
        reported = base + index
        return index
    }
}

/// One token of a style sheet, css-syntax-3 §4. Valid within the closure that it is reported to.
package struct CSSToken {
    package enum Kind: UInt8, Sendable {
        /// Comments are reported, although they are no tokens of the standard.
        case comment
        case whitespace, ident, function, atKeyword, hash, string, badString, url, badURL
        case number, percentage, dimension
        /// One character: what the standard calls a delim, and all brackets and separators.
        case delimiter
        /// `<!--`
        case cdo
        /// `-->`
        case cdc
        /// Beyond the limit; it has no bytes.
        case oversized
    }

    package var kind: Kind
    package var range: Range<Int>
    package var bytes: UnsafeBufferPointer<UInt8>
    /// Where the value is in these bytes: a name without `@`, `#` and `(`, a string without quotes, the URL of `url()`.
    var content: Range<Int>

    /// The character of a delimiter.
    var byte: UInt8 { bytes.first ?? 0 }

    /// With escapes replaced.
    package var value: String { mappedValue.string }

    /// The value, and which of its bytes come from which bytes of the source.
    var mappedValue: MappedText {
        MappedText(
            cssEscaped: contentBytes, offset: range.lowerBound + content.lowerBound, isString: kind == .string)
    }

    private var contentBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[content]) }

    /// The name without regard to case; names with escapes are decoded first.
    var packedName: PackedName {
        if !contentBytes.contains(0x5C) { return PackedName(contentBytes) }
        return mappedValue.bytes.withUnsafeBufferPointer { PackedName($0) }
    }
}

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

extension Range<Int> {
    /// The first place of which the condition does not hold, or the end. It holds of all before, and of none behind.
    func partition(_ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
