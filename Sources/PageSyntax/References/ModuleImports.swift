/// Finds what a JavaScript module imports before it does anything (ECMAScript §16.2.2): the statements at its top
/// level. `import()` is for ``ScriptReferences``. Other statements are passed over without being understood; where that
/// goes wrong, imports behind them are missed.
package struct ModuleImports {
    /// The specifiers in order, as they are written; one with an escape is passed over.
    package private(set) var specifiers: [String] = []
    /// The names that each statement imports, or exports from another module, with its specifier and their offset in
    /// the text; `default` for the default export.
    package private(set) var names: [(name: String, specifier: String, offset: Int)] = []
    private let text: [UInt8]
    private var index = 0

    package init(_ text: [UInt8]) {
        self.text = text
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        // ECMAScript §12.5, a hashbang comment.
        if text[index...].starts(with: Array("#!".utf8)) { skipLine() }
        while index < text.count {
            let start = index
            if readStatement() { continue }
            // Nothing long is read twice.
            if index - start < 128 { index = start }
            skipStatements()
        }
    }

    private var byte: UInt8? { index < text.count ? text[index] : nil }

    /// Reads an `import`, an `export` of names, or a directive such as `"use strict"`; returns whether it is one.
    private mutating func readStatement() -> Bool {
        skipSpace(and: 0x3B)
        if byte == 0x22 || byte == 0x27 { return readString() != nil }
        let word = readWord()
        skipSpace()
        switch word {
        // `import(…)` and `import.meta` are expressions.
        case "import": return byte != 0x28 && byte != 0x2E && readSource()
        case "export": return (byte == 0x2A || byte == 0x7B) && readSource()
        default: return false
        }
    }

    /// Reads names up to the specifier, or to the end of the statement where it has none.
    private mutating func readSource() -> Bool {
        var depth = 0
        // A name is what follows a bracket or comma; another word is `as`, `from`, or the name that it gets.
        var (names, isName) = ([(String, Int)](), true)
        while true {
            skipSpace()
            guard let byte else { return false }
            switch byte {
            case 0x22, 0x27:
                let start = index
                guard let string = readString() else { return false }
                guard depth == 0 else {
                    if isName { names.append((string, start)) }
                    isName = false
                    continue
                }
                if !string.contains("\\") {
                    specifiers.append(string)
                    self.names += names.map { ($0, string, $1) }
                }
                skipAttributes()
                return true
            case 0x7B: (depth, isName) = (depth + 1, true)
            case 0x7D: depth -= 1
            case 0x2A: isName = false
            case 0x2C: isName = true
            case 0x3B where depth == 0: return true
            default:
                let start = index
                guard let word = readWord() else { return false }
                // A line's end may be the statement's: `export { a }`.
                guard depth > 0 || !["import", "export"].contains(word) else {
                    index = start
                    return true
                }
                if isName { names.append((depth > 0 ? word : "default", start)) }
                isName = false
                continue
            }
            index += 1
        }
    }

    /// Import attributes: `with { type: "json" }`.
    private mutating func skipAttributes() {
        skipSpace()
        let start = index
        guard let word = readWord(), word == "with" || word == "assert" else {
            index = start
            return
        }
        while let byte, byte != 0x7D { index += 1 }
        if byte != nil { index += 1 }
    }

    /// Passes over statements, up to one that may be an import or export.
    private mutating func skipStatements() {
        var (depth, previous, isNewLine, isFirst) = (0, UInt8(0x3B), false, true)
        while let byte {
            let start = index
            switch byte {
            case 0x20, 0x09...0x0D:
                isNewLine = isNewLine || byte == 0x0A
                index += 1
                continue
            case 0x22, 0x27: if readString() == nil, index == start { index += 1 }
            case 0x60: skipTemplate()
            case 0x2F:
                skipSpace()
                if index > start {
                    isNewLine = isNewLine || text[start..<min(index, text.count)].contains(0x0A)
                    continue
                }
                skipSlash(after: previous)
            case 0x28, 0x5B, 0x7B:
                depth += 1
                index += 1
            case 0x29, 0x5D, 0x7D:
                depth = max(0, depth - 1)
                index += 1
            case _ where Self.isOfName(byte):
                let isBoundary = !isFirst && depth == 0 && (isNewLine || previous == 0x3B || previous == 0x7D)
                while let byte = self.byte, Self.isOfName(byte) { index += 1 }
                if isBoundary, index == start + 6, Self.keywords.contains(where: text[start..<index].elementsEqual) {
                    index = start
                    return
                }
            default: index += 1
            }
            previous = text[min(index, text.count) - 1]
            (isNewLine, isFirst) = (false, false)
        }
    }

    private static let keywords = [Array("import".utf8), Array("export".utf8)]

    /// A division, or a regular expression where an operator or bracket stands before it.
    private mutating func skipSlash(after previous: UInt8) {
        index += 1
        guard "(,=:[!&|?{};+-*%~^<>".utf8.contains(previous) else { return }
        var isInClass = false
        while let byte, byte != 0x0A {
            index += byte == 0x5C ? 2 : 1
            if byte == 0x5B { isInClass = true }
            if byte == 0x5D { isInClass = false }
            if byte == 0x2F, !isInClass { return }
        }
    }

    /// A template, with those in its expressions.
    private mutating func skipTemplate() {
        // A brace is one of an expression, `nil` for the template's own text.
        var open: [Int?] = [nil]
        index += 1
        while let byte, let last = open.last {
            index += byte == 0x5C ? 2 : 1
            switch (byte, last) {
            case (0x60, nil): open.removeLast()
            case (0x24, nil) where self.byte == 0x7B:
                index += 1
                open.append(1)
            case (0x60, _): open.append(nil)
            case (0x7B, let braces?): open[open.count - 1] = braces + 1
            case (0x7D, 1?): open.removeLast()
            case (0x7D, let braces?): open[open.count - 1] = braces - 1
            case (0x22, _?), (0x27, _?):
                index -= 1
                if readString() == nil { index += 1 }
            default: break
            }
        }
    }

    private mutating func readWord() -> String? {
        let start = index
        while let byte, Self.isOfName(byte) { index += 1 }
        return index > start ? String(decoding: text[start..<index], as: UTF8.self) : nil
    }

    private mutating func readString() -> String? {
        guard let quote = byte else { return nil }
        let start = index + 1
        index = start
        while let byte, byte != quote, byte != 0x0A { index += byte == 0x5C ? 2 : 1 }
        guard byte == quote else { return nil }
        index += 1
        return String(decoding: text[start..<(index - 1)], as: UTF8.self)
    }

    /// Skips white space and comments, and one other byte wherever it stands.
    private mutating func skipSpace(and other: UInt8 = 0x20) {
        while let byte {
            if byte == 0x20 || (0x09...0x0D).contains(byte) || byte == other {
                index += 1
                continue
            }
            guard byte == 0x2F, index + 1 < text.count else { return }
            if text[index + 1] == 0x2F {
                skipLine()
            } else if text[index + 1] == 0x2A {
                index += 3
                while index < text.count, !(text[index] == 0x2F && text[index - 1] == 0x2A) { index += 1 }
                index += 1
            } else {
                return
            }
        }
    }

    private mutating func skipLine() { while let byte, byte != 0x0A { index += 1 } }

    static func isOfName(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || byte == 0x24 || byte == 0x5F || byte >= 0x80
    }
}
