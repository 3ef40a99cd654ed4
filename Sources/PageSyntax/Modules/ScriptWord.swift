/// The words of JavaScript that decide what may follow them.
enum ScriptWord: UInt8, Sendable {
    case other
    /// An operand comes next: `return`, `typeof`.
    case operandFollows
    /// `if`, `while`, `for`, `with`, `switch`, `catch`: a statement or block comes behind the parentheses.
    case control
    /// `else`, `do`, `try`, `finally`: a statement or block comes next.
    case blockFollows
    case function, `class`, `import`, export, `default`, async, `await`, of, from, `as`, meta, phase
    case `static`
    case yield

    private static let words = NameTable(
        [
            ("return", .operandFollows), ("typeof", .operandFollows), ("instanceof", .operandFollows),
            ("in", .operandFollows), ("new", .operandFollows), ("delete", .operandFollows), ("void", .operandFollows),
            ("throw", .operandFollows), ("case", .operandFollows), ("extends", .operandFollows),
            ("if", .control), ("while", .control), ("for", .control), ("with", .control), ("switch", .control),
            ("catch", .control), ("else", .blockFollows), ("do", .blockFollows), ("try", .blockFollows),
            ("finally", .blockFollows), ("function", .function), ("class", .class), ("import", .import),
            ("export", .export), ("default", .default), ("async", .async), ("await", .await), ("of", .of),
            ("from", .from), ("as", .as), ("meta", .meta), ("defer", .phase), ("source", .phase), ("static", .static),
            ("yield", .yield),
        ], other: other)

    /// - Parameter bytes: Of an identifier. Unlike names of HTML, upper case makes another word.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count <= 10, bytes.count > 1, bytes[0] &- 0x61 < 26 else {
            self = .other
            return
        }
        self = Self.words[PackedName(bytes)]
        if self != .other, !bytes.allSatisfy({ $0 &- 0x61 < 26 }) { self = .other }
    }
}
