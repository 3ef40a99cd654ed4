/// Finds what a JavaScript module or classic script imports, as its bytes come, without parsing it.
///
/// Seen are `import … from "x"`, `export … from "x"`, `import "x"`, `import("x")` with a literal, and `import.meta`.
/// Strings, templates, comments and regular expressions are told from code by ECMA-262 §12. Whether a slash divides
/// depends on the grammar; what stands before it tells in code as people and bundlers write it. Where it does not, or
/// where the source can't be right, the lexer stops: ``uncertain`` says where, and nothing behind is reported.
package struct ModuleLexer: Sendable {
    /// Limits one token, in bytes; beyond it the lexer stops.
    package static let defaultLimit = 1 << 20
    private static let patience = 256

    let isModule: Bool
    let isInert: Bool
    let limit: Int
    private var carry: [UInt8] = []
    private var retryLength = 0
    var grammar = ModuleGrammar()
    /// Where the lexer stopped. `nil` as long as it has read everything.
    package private(set) var uncertain: Int?
    /// The offset up to which no reference will be reported any more.
    package var reported: Int { min(grammar.heldFrom ?? position, position) }
    private var position: Int

    /// - Parameters:
    ///   - offset: The offset of the first byte, for scripts that stand within something else.
    ///   - isModule: A classic script has `import()` only, and comments as HTML has them.
    package init(offset: Int = 0, isModule: Bool = true, isInert: Bool = false, limit: Int = Self.defaultLimit) {
        (position, self.isModule, self.isInert, self.limit) = (offset, isModule, isInert, max(64, limit))
        grammar.isModule = isModule
    }

    package mutating func feed(_ piece: UnsafeBufferPointer<UInt8>, _ report: (PageReference) -> Void) {
        if uncertain != nil {
            position += piece.count
        } else if carry.isEmpty {
            let used = read(piece, isLast: false, report)
            carry += piece[used...]
            keepWaiting()
        } else {
            carry += piece
            if carry.count >= retryLength { readCarry(isLast: false, report) }
        }
    }

    package mutating func feed(_ piece: ArraySlice<UInt8>, _ report: (PageReference) -> Void) {
        piece.withUnsafeBufferPointer { feed($0, report) }
    }

    package mutating func feed(_ piece: [UInt8], _ report: (PageReference) -> Void) {
        piece.withUnsafeBufferPointer { feed($0, report) }
    }

    /// The source ends here.
    package mutating func finish(_ report: (PageReference) -> Void) {
        readCarry(isLast: true, report)
    }

    private mutating func readCarry(isLast: Bool, _ report: (PageReference) -> Void) {
        guard uncertain == nil else { return }
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
        guard carry.count > limit || uncertain != nil else { return }
        if uncertain == nil { uncertain = position }
        position += carry.count
        carry = []
    }

    /// - Returns: The number of bytes of complete tokens.
    private mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, _ report: (PageReference) -> Void
    ) -> Int {
        var index = 0
        let base = position
        let scanner = ScriptScanner(bytes: bytes, isLast: isLast, isModule: isModule)
        while index < bytes.count {
            let byte = bytes[index]
            // A slash, a brace and a dash are what depends on the tokens before.
            let context = byte == 0x2F || byte == 0x7D || byte == 0x2D ? grammar.context : .none
            if context.slash == .unsure, scanner.isSlash(index) {
                uncertain = base &+ index
                break
            }
            guard let token = scanner.token(at: index, context) else { break }
            if token.kind == .damaged || token.end &- index > limit {
                uncertain = base &+ index
                break
            }
            if let found = grammar.read(token, bytes, at: index, offset: base &+ index) { report(reference(found)) }
            if grammar.isLost {
                uncertain = base &+ index
                break
            }
            index = token.end
        }
        position = base + index
        return index
    }

    private func reference(_ found: ModuleGrammar.Found) -> PageReference {
        PageReference(
            kind: found.kind, range: found.range, url: found.specifier, notation: .scriptString(quote: found.quote),
            isInert: isInert)
    }
}
