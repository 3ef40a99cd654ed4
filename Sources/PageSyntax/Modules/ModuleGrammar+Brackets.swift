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
