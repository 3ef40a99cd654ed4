/// A script's grammar between two tokens, as far as it is known: the open brackets, the last token,
/// and whether an import or export has begun.
struct ModuleGrammar: Sendable {
    /// An import that was found.
    struct Found {
        var kind: PageReference.Kind
        var range: Range<Int>
        var specifier: String
        var quote: UInt8
    }

    struct Frame: Sendable {
        enum Kind: UInt8, Sendable {
            case square, parentheses
            /// Parentheses of `if` and the like: a statement comes behind.
            case control
            /// The parameters of a function declaration, or of a function expression.
            case functionHead, functionExpressionHead
            case block
            /// The body of a function or class that is an expression.
            case expressionBody
            case arrowBody
            case classBody, classExpressionBody
            case object
            /// Braces of `import { … }` and `export { … }`.
            case clause
            /// `${ … }`
            case template
            /// Braces that nothing before explains.
            case unknown
        }

        var kind: Kind
        /// Question marks without their colon.
        var ternaries = 0
        /// In an object or class: behind the colon or equals sign, not where a name stands.
        var isInValue = false
    }

    /// The last token that is neither space nor comment.
    enum Previous: Sendable {
        /// A statement may begin here: the start, a semicolon, a block's brace, `else`, a label.
        case statementEdge
        case operand
        case `operator`
        case comma, dot, arrow
        case open
        /// `)` of parameters.
        case functionHeadEnd, functionExpressionHeadEnd
        case parenthesesEnd
        case arrowBodyEnd
        case unknownEnd
        /// `return` and others; a line end behind some of them ends the statement.
        case operandWord
        case awaitWord, yieldWord, staticWord, asyncWord, ofWord
    }

    /// Deeper nesting is not followed.
    static let mostFrames = 8_192

    var isModule = true
    var frames: [Frame] = []
    var root = Frame(kind: .block)
    var previous = Previous.statementEdge
    /// A line end stands before the next token.
    var isAfterNewline = true
    /// The next parentheses are those of `if` and the like.
    var expectsControl = false
    /// `function`, whose parameters come next: whether it is an expression.
    var functionIsExpression: Bool?
    /// `class`, whose body comes at this depth: whether it is an expression.
    var openClass: (depth: Int, isExpression: Bool)?
    /// An `async` that began a statement.
    var asyncIsStatement = false
    var clause = Clause.none
    /// The brackets do not match, or are too many.
    var isLost = false

    /// The offset of what may still turn out to be an import.
    var heldFrom: Int? {
        switch clause {
        case .callString(let found): found.range.lowerBound
        case .afterImport(let start, _), .importDot(let start): start
        default: nil
        }
    }

    var top: Frame { frames.last ?? root }

    var context: ScriptScanner.Context {
        let slash: ScriptScanner.Context.Slash
        switch previous {
        case .operand, .dot, .parenthesesEnd, .staticWord, .asyncWord: slash = .division
        case .arrowBodyEnd: slash = isAfterNewline ? .regularExpression : .unsure
        case .unknownEnd: slash = .unsure
        // Names, where the code is not strict.
        case .awaitWord, .yieldWord: slash = isModule ? .regularExpression : .unsure
        case .ofWord: slash = top.kind == .control ? .regularExpression : .division
        default: slash = .regularExpression
        }
        return .init(slash: slash, closesTemplate: frames.last?.kind == .template, isLineStart: isAfterNewline)
    }

    /// Whether a `function` or `class` here is a declaration.
    var isStatementStart: Bool {
        switch previous {
        case .statementEdge: true
        case .operand, .parenthesesEnd, .arrowBodyEnd, .unknownEnd: isAfterNewline
        case .asyncWord: asyncIsStatement
        default: false
        }
    }

    /// - Returns: An import that is complete with this token.
    @inline(__always)
    mutating func read(
        _ token: ScriptScanner.Token, _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, offset: Int
    ) -> Found? {
        if token.kind == .space || token.kind == .comment {
            if token.hasNewline { isAfterNewline = true }
            return nil
        }
        var word = ScriptWord.other
        if token.kind == .identifier {
            word = ScriptWord(UnsafeBufferPointer(rebasing: bytes[start..<token.end]))
        }
        let found = stepClause(token, word, bytes, start, offset)
        let isClauseBrace = clause.isBeforeBraces
        if token.kind != .punctuator || bytes[start] != 0x28, expectsControl, word != .await { expectsControl = false }
        switch token.kind {
        case .identifier: readWord(word)
        case .punctuator: readPunctuator(bytes[start], length: token.end &- start, isClauseBrace: isClauseBrace)
        case .template:
            // It began a template, or ended the last part of one.
            if bytes[start] == 0x7D { pop() }
            previous = .operand
        case .templateOpening:
            if bytes[start] == 0x7D { pop() }
            push(.template)
            previous = .open
        default: previous = found?.kind == .moduleImport ? .statementEdge : .operand
        }
        isAfterNewline = false
        return found
    }

    private mutating func readWord(_ word: ScriptWord) {
        defer { if word != .function, word != .other { functionIsExpression = nil } }
        guard previous != .dot else {
            previous = .operand
            return
        }
        switch word {
        case .operandFollows: previous = .operandWord
        case .control:
            expectsControl = true
            previous = .statementEdge
        case .blockFollows, .export, .default: previous = .statementEdge
        case .function:
            functionIsExpression = !isStatementStart
            previous = .operand
        case .class:
            openClass = (frames.count, !isStatementStart)
            previous = .operand
        case .async:
            asyncIsStatement = isStatementStart
            previous = .asyncWord
        case .await: previous = .awaitWord
        case .yield: previous = .yieldWord
        case .of: previous = .ofWord
        case .static: previous = .staticWord
        default: previous = .operand
        }
    }

    mutating func push(_ kind: Frame.Kind) {
        guard frames.count < Self.mostFrames else {
            isLost = true
            return
        }
        frames.append(Frame(kind: kind))
    }

    mutating func pop() {
        if frames.popLast() == nil { isLost = true }
    }

    mutating func changeTop(_ change: (inout Frame) -> Void) {
        if frames.isEmpty { change(&root) } else { change(&frames[frames.count - 1]) }
    }
}
