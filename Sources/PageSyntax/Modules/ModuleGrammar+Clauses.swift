extension ModuleGrammar {
    /// An import or export that has begun: ECMA-262 §16.2.2–3, and import calls, §13.3.10.
    enum Clause: Sendable {
        case none
        /// Behind `import`, at this offset; only at the top level of a module can it be a declaration.
        case afterImport(start: Int, canDeclare: Bool)
        /// Behind `import.`
        case importDot(start: Int)
        /// Behind `import.defer` and the like.
        case importPhase
        /// Behind `import(`
        case call
        /// Behind the string of an import call.
        case callString(Found)
        /// In an import declaration, before `from`.
        case importClause
        case importFrom
        case afterExport, exportStar, exportBraces, exportEnd, exportFrom

        /// A brace here opens a list of names.
        var isBeforeBraces: Bool {
            switch self {
            case .importClause, .exportBraces: true
            default: false
            }
        }
    }

    @inline(__always)
    mutating func stepClause(
        _ token: ScriptScanner.Token, _ word: ScriptWord, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int,
        _ offset: Int
    ) -> Found? {
        if case .none = clause {
            if word == .import || word == .export { begin(word, offset) }
            return nil
        }
        return goOn(token, word, bytes, start, offset)
    }

    private mutating func begin(_ word: ScriptWord, _ offset: Int) {
        guard previous != .dot, !isMemberName else { return }
        if word == .import {
            clause = .afterImport(start: offset, canDeclare: frames.isEmpty && isModule)
        } else if frames.isEmpty, isModule, isStatementStart {
            clause = .afterExport
        }
    }

    private mutating func goOn(
        _ token: ScriptScanner.Token, _ word: ScriptWord, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int,
        _ offset: Int
    ) -> Found? {
        let byte = token.kind == .punctuator ? bytes[start] : 0
        let isName = token.kind == .identifier
        switch clause {
        case .none: break
        case .afterImport(let importStart, let canDeclare):
            if byte == 0x28 {
                clause = .call
            } else if byte == 0x2E {
                clause = .importDot(start: importStart)
            } else if token.kind == .string, canDeclare {
                clause = .none
                return specifier(.moduleImport, token, bytes, start, offset)
            } else {
                clause = canDeclare && (isName || byte == 0x7B || byte == 0x2A) ? .importClause : .none
            }
        case .importDot(let importStart):
            clause = word == .phase ? .importPhase : .none
            if word == .meta {
                let end = offset + token.end - start
                return Found(kind: .importMeta, range: importStart..<end, specifier: "", quote: 0)
            }
        case .importPhase: clause = byte == 0x28 ? .call : .none
        case .call:
            clause =
                token.kind == .string
                ? .callString(specifier(.dynamicImport, token, bytes, start, offset)) : .none
            if word == .import { begin(word, offset) }
        case .callString(let found):
            clause = .none
            if byte == 0x29 || byte == 0x2C { return found }
        case .importClause: stepImport(token, word, byte)
        case .importFrom, .exportFrom:
            if token.kind == .string {
                clause = .none
                return specifier(.moduleImport, token, bytes, start, offset)
            }
            if word != .from { clause = clause.isExport ? .none : .importClause }
        case .afterExport: clause = byte == 0x2A ? .exportStar : byte == 0x7B ? .exportBraces : .none
        case .exportStar:
            if word == .from { clause = .exportFrom } else if !isName, token.kind != .string { clause = .none }
        case .exportBraces: if byte == 0x7D, frames.count == 1 { clause = .exportEnd }
        case .exportEnd: clause = word == .from ? .exportFrom : .none
        }
        if case .none = clause, word == .import || word == .export { begin(word, offset) }
        return nil
    }

    private mutating func stepImport(_ token: ScriptScanner.Token, _ word: ScriptWord, _ byte: UInt8) {
        if word == .from, frames.isEmpty {
            clause = .importFrom
        } else if token.kind == .punctuator, ![0x2C, 0x2A, 0x7B, 0x7D].contains(byte) {
            clause = .none
        }
    }

    private func specifier(
        _ kind: PageReference.Kind, _ token: ScriptScanner.Token, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int,
        _ offset: Int
    ) -> Found {
        let content = UnsafeBufferPointer(rebasing: bytes[(start + 1)..<(token.end - 1)])
        let text = MappedText(scriptEscaped: content).string
        return Found(
            kind: kind, range: offset + 1..<offset + token.end - start - 1, specifier: text, quote: bytes[start])
    }
}

extension ModuleGrammar.Clause {
    fileprivate var isExport: Bool {
        if case .exportFrom = self { return true }
        return false
    }
}

extension MappedText {
    /// The content of a string literal, ECMA-262 §12.9.4. Halves of surrogate pairs become U+FFFD.
    init(scriptEscaped raw: UnsafeBufferPointer<UInt8>) {
        self.init(raw, offset: 0, special: [0x5C]) { raw, index in
            guard index + 1 < raw.count else { return nil }
            func hex(_ start: Int, _ count: Int) -> UInt32? {
                guard start + count <= raw.count else { return nil }
                let digits = raw[start..<(start + count)]
                return digits.allSatisfy(\.isHexDigit) ? digits.reduce(0) { $0 << 4 | $1.hexValue } : nil
            }
            func encoded(_ code: UInt32) -> [UInt8] {
                Array(Unicode.UTF8.encode(Unicode.Scalar(code) ?? "\u{FFFD}") ?? .init())
            }
            switch raw[index + 1] {
            case 0x78: return hex(index + 2, 2).map { (4, encoded($0)) }
            case 0x75:
                if index + 2 < raw.count, raw[index + 2] == 0x7B {
                    let digits = raw[(index + 3)...].prefix { $0.isHexDigit }
                    let end = index + 3 + digits.count
                    guard digits.count <= 6, end < raw.count, let code = hex(index + 3, digits.count) else {
                        return nil
                    }
                    return (digits.count + 4, encoded(code))
                }
                guard let code = hex(index + 2, 4) else { return nil }
                if (0xD800..<0xDC00).contains(code), let low = hex(index + 8, 4), (0xDC00..<0xE000).contains(low),
                    raw[index + 6] == 0x5C, raw[index + 7] == 0x75
                {
                    return (12, encoded(0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)))
                }
                return (6, encoded(code))
            case 0x0D where index + 2 < raw.count && raw[index + 2] == 0x0A: return (3, [])
            case 0x0A, 0x0D: return (2, [])
            case 0x62: return (2, [0x08])
            case 0x66: return (2, [0x0C])
            case 0x6E: return (2, [0x0A])
            case 0x72: return (2, [0x0D])
            case 0x74: return (2, [0x09])
            case 0x76: return (2, [0x0B])
            case 0x30: return (2, [0])
            case let byte: return (2, [byte])
            }
        }
    }
}

extension ModuleGrammar {
    mutating func readPunctuator(_ byte: UInt8, length: Int, isClauseBrace: Bool) {
        let isFunctionStar = byte == 0x2A && functionIsExpression != nil
        switch byte {
        case 0x28: openParentheses()
        case 0x29: closeParentheses()
        case 0x5B:
            push(.square)
            previous = .open
        case 0x5D:
            if frames.last?.kind == .square { pop() } else { isLost = true }
            previous = .operand
        case 0x7B: openBrace(isClauseBrace: isClauseBrace)
        case 0x7D: closeBrace()
        case 0x3B:
            changeTop { ($0.isInValue, $0.ternaries) = (false, 0) }
            previous = .statementEdge
        case 0x2C:
            changeTop { $0.isInValue = false }
            if openClass?.depth == frames.count { openClass = nil }
            previous = .comma
        case 0x3A: readColon()
        case 0x2E where length == 1: previous = .dot
        case 0x3F where length == 2: previous = .dot
        case 0x3F:
            changeTop { $0.ternaries += 1 }
            previous = .operator
        case 0x3D where length == 2: previous = .arrow
        case 0x2B where length == 2, 0x2D where length == 2:
            // Behind an operand on the same line: a postfix.
            if context.slash != .division || isAfterNewline { previous = .operator }
        default:
            if byte == 0x3D || byte == 0x2E { changeTop { $0.isInValue = true } }
            previous = .operator
        }
        if !isFunctionStar { functionIsExpression = nil }
    }

    private mutating func openParentheses() {
        if expectsControl {
            push(.control)
        } else if let isExpression = functionIsExpression {
            push(isExpression ? .functionExpressionHead : .functionHead)
        } else {
            push(.parentheses)
        }
        expectsControl = false
        previous = .open
    }

    private mutating func closeParentheses() {
        switch frames.last?.kind {
        case .parentheses: previous = .parenthesesEnd
        case .control: previous = .statementEdge
        case .functionHead: previous = .functionHeadEnd
        case .functionExpressionHead: previous = .functionExpressionHeadEnd
        default: isLost = true
        }
        if !isLost { pop() }
    }

    private mutating func openBrace(isClauseBrace: Bool) {
        let kind = braceKind(isClauseBrace: isClauseBrace)
        if kind == .classBody || kind == .classExpressionBody { openClass = nil }
        push(kind)
        previous = kind == .object || kind == .clause ? .open : .statementEdge
    }

    private func braceKind(isClauseBrace: Bool) -> Frame.Kind {
        if isClauseBrace { return .clause }
        switch previous {
        case .functionHeadEnd: return .block
        case .functionExpressionHeadEnd: return .expressionBody
        case .arrow: return .arrowBody
        default: break
        }
        if let openClass, openClass.depth == frames.count, previous != .operandWord, previous != .statementEdge {
            return openClass.isExpression ? .classExpressionBody : .classBody
        }
        switch previous {
        case .statementEdge: return .block
        case .operator, .comma, .open: return .object
        case .operandWord, .yieldWord, .awaitWord: return isAfterNewline ? .block : .object
        case .ofWord where top.kind == .control: return .object
        case .staticWord where isInClass: return .block
        // A method, or a block behind a call without semicolon.
        case .parenthesesEnd where isInClass || top.kind == .object || isAfterNewline: return .block
        default: return isAfterNewline ? .block : .unknown
        }
    }

    private var isInClass: Bool { top.kind == .classBody || top.kind == .classExpressionBody }

    private mutating func closeBrace() {
        switch frames.last?.kind {
        case .block, .clause, .classBody: previous = .statementEdge
        case .object, .expressionBody, .classExpressionBody: previous = .operand
        case .arrowBody: previous = .arrowBodyEnd
        case .unknown: previous = .unknownEnd
        default: isLost = true
        }
        if isLost { return }
        pop()
        // A name that looked like a class: `{ class }`.
        if let openClass, openClass.depth > frames.count { self.openClass = nil }
        if isInClass { changeTop { $0.isInValue = false } }
    }

    private mutating func readColon() {
        if openClass?.depth == frames.count { openClass = nil }
        let top = top
        if top.ternaries > 0 {
            changeTop { $0.ternaries -= 1 }
            previous = .operator
        } else if top.kind == .block || top.kind == .arrowBody || top.kind == .expressionBody {
            previous = .statementEdge
        } else {
            changeTop { $0.isInValue = true }
            previous = top.kind == .unknown ? .unknownEnd : .operator
        }
    }

    /// A name of a member may stand here.
    var isMemberName: Bool {
        guard top.kind == .object || isInClass, !top.isInValue else { return false }
        return true
    }
}
