@testable import PageSyntax

/// A module or classic script: what it imports.
enum ScriptImportsTarget: FuzzTarget {
    static let name = "script-imports"
    static let shapes = [
        HostileShape("a"), HostileShape("import"), HostileShape("import 'a';"), HostileShape("import('a');"),
        HostileShape("("), HostileShape(")"), HostileShape("{"), HostileShape("`${"), HostileShape("`"),
        HostileShape("/"), HostileShape("/*"), HostileShape("*", after: "/*"), HostileShape("[", after: "a=/"),
        HostileShape("\\", after: "'"), HostileShape("a?"), HostileShape("class "), HostileShape("function "),
        HostileShape("\\u{"), HostileShape("<!--"), HostileShape("-"), HostileShape("\u{2028}"), HostileShape("1e+"),
        HostileShape("import{"), HostileShape("import a,", after: "\n"), HostileShape("export*from'a';"),
        HostileShape(" "),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        for isModule in [true, false] {
            try PagePieces.claimSame(input) { pieces in
                var (lexer, notes) = (ModuleLexer(isModule: isModule), PagePieces.Notes(pieces))
                for piece in pieces { lexer.feed(piece) { notes.add($0) } }
                lexer.finish { notes.add($0) }
                return notes.result + ["\(lexer.uncertain ?? -1)"]
            }
        }
        var (lexer, found) = (ModuleLexer(), [PageReference]())
        lexer.feed(input.bytes) { found.append($0) }
        lexer.finish { found.append($0) }
        var end = 0
        for reference in found {
            try claim(reference.range.lowerBound >= end, "one behind the other", [reference])
            end = reference.range.upperBound
            guard case .scriptString(let quote) = reference.notation, reference.kind != .importMeta else { continue }
            try claim(end < input.bytes.count && input.bytes[end] == quote, "up to its quote", [reference])
            try claim(input.bytes[reference.range.lowerBound - 1] == quote, "from its quote on", [reference])
            try claim(end <= lexer.uncertain ?? end, "nothing behind where it stopped", [reference])
        }
    }
}
