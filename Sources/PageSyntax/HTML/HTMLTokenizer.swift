/// Splits the bytes of an HTML document into tokens as they come, by the tokenizer of HTML §13.2.5.
///
/// Pieces may be cut anywhere. The state is a value: a copy goes on from where it was made. Encodings in which the
/// bytes of ASCII mean ASCII wherever they stand pass (UTF-8, windows-125x, ISO 8859, EUC); of Shift_JIS, Big5 and GBK,
/// whose second bytes may be letters, tags and quotes are still found. UTF-16 and ISO-2022-JP are not handled: ask the
/// `Content-Type` and the byte order mark first. The `parse errors` of the standard are not reported.
///
/// A tokenizer depends on the tree that a parser builds. What is simplified of it stands at ``ForeignContent``; beside
/// that, each start tag of `script`, `style`, `textarea` and the like counts, although parsers ignore some of them (in
/// a `frameset`, by older rules in a `select`).
package struct HTMLTokenizer: Sendable {
    package struct Limits: Sendable {
        /// Limits one tag, in bytes; 1 MiB unless set. Longer ones are reported as ``HTMLToken/oversized(_:)``.
        package var tagBytes = 1 << 20
        /// Limits the attributes of one tag; 512 unless set. Tags with more are oversized.
        package var attributes = 512

        package init() {}
    }

    private(set) var limits: Limits
    /// Without it, every tag leaves the tokenizer in the data state: for tests of the tokenizer alone.
    let followsTree: Bool

    var state = State.data
    /// The state of text that a `<` is met in, to go back to.
    var textState = State.data
    var textKind = HTMLText.Kind.data
    /// The name of the end tag that ends the text.
    var endName = PackedName()
    var endLength = 0
    var foreign = ForeignContent()

    /// The number of bytes that were fed.
    var position = 0
    /// The offset of the `<` of the token that is being read.
    var mark = 0
    /// The bytes from ``mark`` on that came with earlier pieces; empty while none are needed.
    var carry: [UInt8] = []
    /// The number of bytes that matched of a name or delimiter; -1 once one did not.
    var matched = 0
    /// Where the content of a comment begins.
    var contentStart = 0
    var tag = TagInProgress()
    var isOversized = false
    /// The name of a tag whose bytes were given up.
    var oversizedName: (HTMLElementName, PackedName)?

    package init(limits: Limits = Limits(), followsTree: Bool = true) {
        (self.limits, self.followsTree) = (limits, followsTree)
        // Offsets within a tag have 32 bits.
        self.limits.tagBytes = min(max(64, limits.tagBytes), 1 << 30)
    }

    /// The offset up to which all that was fed has been reported; what follows may become a part of a token.
    package var reported: Int { state.isText ? position : min(mark, position) }

    /// - Parameter report: Is called for each token that is complete, in order.
    package mutating func feed(_ piece: [UInt8], _ report: (HTMLToken) -> Void) {
        guard !piece.isEmpty else { return }
        piece.withUnsafeBufferPointer { bytes in
            var scan = Scan(bytes: bytes, origin: position)
            run(&scan, report)
            keep(&scan, report)
        }
        position += piece.count
    }

    /// One piece while it is read.
    struct Scan {
        let bytes: UnsafeBufferPointer<UInt8>
        /// The offset of the piece's first byte.
        let origin: Int
        /// The next byte.
        var index = 0
        /// The first byte of text that was not reported yet.
        var textStart = 0

        var count: Int { bytes.count }
        var offset: Int { origin &+ index }

        @inline(__always)
        func slice(_ from: Int, _ to: Int) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: bytes[from..<to])
        }
    }

    /// A tag up to where it was read; offsets count from ``mark``.
    struct TagInProgress: Sendable {
        var isEnd = false
        var isSelfClosing = false
        var nameStart = 1
        var nameEnd = 0
        var attributes: [HTMLAttribute] = []
    }

    /// Reports the text of the piece up to a place that is no part of it.
    @inline(__always)
    func flushText(_ scan: inout Scan, to end: Int, _ report: (HTMLToken) -> Void) {
        if end > scan.textStart {
            let bytes = scan.slice(scan.textStart, end)
            report(.text(HTMLText(kind: textKind, offset: scan.origin &+ scan.textStart, bytes: bytes)))
        }
        scan.textStart = end
    }

    /// A possible tag is text after all: bytes of earlier pieces are reported, the rest later.
    @inline(__always)
    mutating func backToText(_ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        state = textState
        if !carry.isEmpty { reportCarry(report) }
    }

    /// Reports the bytes that were kept as text: all of them, or the first.
    mutating func reportCarry(_ report: (HTMLToken) -> Void, first count: Int? = nil) {
        let count = count ?? carry.count
        carry.withUnsafeBufferPointer { kept in
            let text = UnsafeBufferPointer(rebasing: kept[..<count])
            report(.text(HTMLText(kind: textKind, offset: mark, bytes: text)))
        }
        carry.removeFirst(count)
    }

    /// At the end of a piece: reports the text, and keeps the bytes of a token that goes on.
    private mutating func keep(_ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        if state.isText {
            flushText(&scan, to: scan.count, report)
            return
        }
        let start = max(0, mark - scan.origin)
        if state.mayBeText { flushText(&scan, to: start, report) }
        guard state.mayBeText || state.isTag else { return }
        if state.isTag, isOversized || carry.count + scan.count - start > limits.tagBytes {
            becomeOversized(scan)
        } else {
            carry += scan.slice(start, scan.count)
        }
    }
}
