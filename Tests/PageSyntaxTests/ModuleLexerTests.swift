import Testing

@testable import PageSyntax

@Suite("What a module imports")
struct ModuleLexerTests {
    static func read(_ source: String, isModule: Bool = true) -> (found: [String], uncertain: Int?) {
        var (lexer, found) = (ModuleLexer(isModule: isModule), [String]())
        let add = { (reference: PageReference) in found.append("\(reference.kind) \(reference.url)") }
        var cutter = Cutter(seed: UInt64(source.utf8.count))
        for piece in cutter.pieces(of: Array(source.utf8), longest: 5) { lexer.feed(piece, add) }
        lexer.finish(add)
        return (found, lexer.uncertain)
    }

    @Test(
        "ECMA-262 §16.2.2–3 and §13.3.10",
        arguments: [
            (
                "import 'a'; import b from \"c\"\nimport * as d from 'e'",
                ["moduleImport a", "moduleImport c", "moduleImport e"]
            ),
            ("import{a as b,default as from}from'c'with{type:'json'};d", ["moduleImport c"]),
            ("import from from 'a'; import b, { c } from 'd'", ["moduleImport a", "moduleImport d"]),
            ("import { 'x y' as a } from 'b'; import defer * as c from 'd'", ["moduleImport b", "moduleImport d"]),
            (
                "export * from 'a'; export * as b from 'c'; export { d } from 'e'",
                ["moduleImport a", "moduleImport c", "moduleImport e"]
            ),
            ("export { a }; 'b'; export default 'c'; export const d = 'e'", []),
            (
                "import('a'); import /**/ ( /**/ 'b' , {} ); import.defer('c')",
                ["dynamicImport a", "dynamicImport b", "dynamicImport c"]
            ),
            ("import('a' + b); import(c); import(`d`)", []),
            ("import.meta.url", ["importMeta "]),
            ("a.import('b'); a?.import('c'); ({ import('d') { } }); class E { import('f') { } }", []),
            ("({ a: import('b') }); class C { d = import('e') }", ["dynamicImport b", "dynamicImport e"]),
            ("if (a) { import('b') } else import('c')", ["dynamicImport b", "dynamicImport c"]),
            ("'import(\"a\")'; `import('b')`; /import('c')/; // import('d')\n/* import('e') */", []),
            ("`${ import('a') } ${ `${ import('b') }` }`", ["dynamicImport a", "dynamicImport b"]),
            ("import 'a\\u{62}\\x63\\\nd'", ["moduleImport abcd"]),
            ("function f() { import 'a' }", []),
        ])
    func imports(_ source: String, _ expected: [String]) {
        #expect(Self.read(source).found == expected)
        #expect(Self.read(source).uncertain == nil)
    }

    @Test(
        "ECMA-262 §12.9.5: whether a slash divides",
        arguments: [
            "a / b / import('x')", "a = /'/; import('x')", "(a) / 1; '/'; import('x')", "if (a) /'/.b; import('x')",
            "a++ / 1; '/'; import('x')", "[a] / 1; '/'; import('x')", "return_ / 1; '/'; import('x')",
            "typeof /'/; import('x')", "{ } /'/.b; import('x')", "a = { } / 1; '/'; import('x')",
            "function a() { } /'/.b; import('x')", "a = function () { } / 1; '/'; import('x')",
            "a => { }\n/'/.b; import('x')", "a = b ? /'/ : /\"/; import('x')", "a: /'/.b; import('x')",
            "switch (a) { case /'/: b; default: /\"/ } import('x')", "a = /[/']/; import('x')",
            "class A { } /'/.b; import('x')", "for (a of /'/) b; import('x')", "do /'/; while (a) /\"/; import('x')",
            "`${ a }` / 1; '/'; import('x')", "a = b\n++/'/.c; import('x')", "x = a ? { b: 1 } / 2 : '/'; import('x')",
            "a.return / 1; '/'; import('x')", "with_ = { if: 1 } / 1; '/'; import('x')", "/'/\nimport('x')",
        ])
    func slashes(_ source: String) {
        #expect(Self.read(source).found == ["dynamicImport x"])
    }

    @Test(
        "what can't be told is said, and nothing behind it is reported",
        arguments: [
            ("import('a'); b => { } / 1; import('c')", 22), ("import('a'); 'b\n import('c')", 13),
            ("import('a'); ) import('c')", 13), ("import('a'); (} import('c')", 14), ("import('a'); /* ", 13),
            ("import('a'); `${", nil), ("import('a'); x = /[", 17),
        ])
    func uncertain(_ source: String, _ place: Int?) {
        #expect(Self.read(source).found == ["dynamicImport a"])
        #expect(Self.read(source).uncertain == place)
    }

    @Test("ECMA-262 §B.1.1: comments as HTML has them, in classic scripts alone")
    func htmlComments() {
        let source = "<!-- '\n --> '\nimport('a')"
        #expect(Self.read(source, isModule: false).found == ["dynamicImport a"])
        #expect(Self.read(source).uncertain != nil)
    }

    @Test("classic scripts have no declarations")
    func classic() {
        #expect(Self.read("import 'a'; export * from 'b'", isModule: false).found.isEmpty)
    }
}
