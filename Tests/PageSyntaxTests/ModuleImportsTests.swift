import PageSyntax
import Testing

@Suite("What modules import, ECMAScript §16.2")
struct ModuleImportsTests {
    @Test(
        "the statements at the top level",
        arguments: [
            ("import './a.js'", ["./a.js"]),
            ("import{a as b}from\"./a.js\";import\"./b.js\";let c=1", ["./a.js", "./b.js"]),
            ("import a, { b, default as c } from './a.js'\nimport * as d from '/d.js'\n", ["./a.js", "/d.js"]),
            ("export * from './a.js'; export { b } from './b.js'", ["./a.js", "./b.js"]),
            ("export { a, b }\nimport './c.js'", ["./c.js"]), ("export { a };import './c.js'", ["./c.js"]),
            ("import { \"a b\" as c } from './a.js'", ["./a.js"]), ("import a from'./a.js'", ["./a.js"]),
            ("import j from './j.json' with { type: 'json' }; import './b.js'", ["./j.json", "./b.js"]),
            ("#!/usr/bin/env node\n'use strict';\nimport './a.js'", ["./a.js"]),
            ("/* import './x.js' */ // import './y.js'\nimport /* b */ './a.js' // c", ["./a.js"]),
            ("\u{FEFF}import './a.js'", ["./a.js"]), ("import \"./a\\u002Ejs\"; import './b.js'", ["./b.js"]),
            ("import('./a.js')", []), ("import.meta.url; import './a.js'", ["./a.js"]),
            ("let a; import './a.js'", ["./a.js"]),
            ("export default 1; import './a.js'", ["./a.js"]), ("export const a = 'import'", []),
            ("import", []), ("import './a", []), ("import { a", []), ("import /", []), ("/*", []), ("\"", []), ("", []),
            ("import defer * as a from './a.js'", ["./a.js"]), ("a / b; import './a.js'", ["./a.js"]),
            ("import './a.js'\nfunction f(){ import('./x.js') }import './b.js'", ["./a.js", "./b.js"]),
            ("export const x=1;import{y}from\"./b.js\"", ["./b.js"]), ("x\nexport * from './b.js'\n", ["./b.js"]),
            ("const s = `import './x.js'\n${'`'}import './y.js'${`\nimport './z.js'`}`\nimport './a.js'", ["./a.js"]),
            ("const r = /[/'\"`]/; import './a.js'", ["./a.js"]),
            ("const r = a.replace(/`/g, ''); import './a.js'", ["./a.js"]),
            ("if (a) { import './x.js' }\n// import './y.js'\n/*\nimport './z.js' */ import './a.js'", ["./a.js"]),
            ("a.import\n.export './x.js'; let important; import './a.js'", ["./a.js"]),
            ("'it\nimport './a.js'", ["./a.js"]),
            ("const a = 'x' // it's\nimport './a.js'", ["./a.js"]), ("`${", []), ("`\\", []), ("/a", []),
            ("x = /[", []),
        ])
    func specifiers(_ text: String, _ expected: [String]) {
        #expect(ModuleImports(Array(text.utf8)).specifiers == expected)
        // Cut anywhere, it is read without a fault.
        for end in text.utf8.indices { _ = ModuleImports(Array(text.utf8[..<end])) }
    }

    @Test(
        "the names that a module takes from others, with the line of each",
        arguments: [
            ("import './a.js'", []), ("import * as a from './a.js'", []), ("export * from './a.js'", []),
            ("\nimport {a as b, c}\nfrom './a.js'", ["a ./a.js 2", "c ./a.js 2"]),
            ("import a from './a.js';import{\nb}from'./b.js'", ["default ./a.js 1", "b ./b.js 2"]),
            (
                "import a, { default as b, \"c d\" as e } from './a.js'",
                ["default", "default", "c d"].map { "\($0) ./a.js 1" }
            ),
            ("export { a as b } from './a.js'", ["a ./a.js 1"]), ("export { a }", []),
            ("import a, * as b from './a.js'", ["default ./a.js 1"]),
        ])
    func names(_ text: String, _ expected: [String]) {
        let bytes = Array(text.utf8)
        let lines = ModuleImports(bytes).names.map { name in
            "\(name.name) \(name.specifier) \(1 + bytes[..<name.offset].count { $0 == 0x0A })"
        }
        #expect(lines == expected)
    }
}
