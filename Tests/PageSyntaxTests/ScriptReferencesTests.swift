import Testing

@testable import PageSyntax

/// As bundlers write them.
@Suite("What a script names for later")
struct ScriptReferencesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var script: String
        var imports: [String] = []
        var files: [String] = []
        var styles: [String] = []
        var workers: [String] = []
        var scripts: [String] = []
        var path = "/assets/main-a.js"
        var testDescription: String { script }
    }

    private static let rows = [
        // HTML §10.2.6.3 and §10.3.1.
        Row(script: "new Worker('/w.js')", workers: ["/w.js"]),
        Row(script: "x=new Worker( \"w.js\", {type: 'module'})", workers: ["w.js"]),
        Row(script: "new Worker(u+'/w.js');new MyWorker('/m.js');a.Worker('/a.js')"), Row(script: "Worker('/a.js'+x)"),
        Row(script: "importScripts('/a.js', 'b.js');importScripts()", scripts: ["/a.js", "b.js"]),
        // ECMAScript §13.3.10, import calls.
        Row(script: "import('./a.js')", imports: ["./a.js"]),
        Row(script: "x(()=>import( \"./a.js\" ).then(f))", imports: ["./a.js"]),
        Row(script: "import(/* webpackChunkName: \"a\" */ './a.js')", imports: ["./a.js"]),
        Row(script: "import(`./a.js`)", imports: ["./a.js"]), Row(script: "import(`./${a}.js`)"),
        Row(script: "import('./a.json', { with: { type: 'json' } })", imports: ["./a.json"]),
        Row(script: "import('./' + a)"), Row(script: "import(a)"),
        Row(script: "reimport('./a.js'); x.import('./b.js')"),
        Row(script: "import('pk/z.js'); import('./b.js')", imports: ["pk/z.js", "./b.js"]),
        Row(script: "import './a.js'; import.meta"), Row(script: "import('./a.js"), Row(script: "import("),
        // HTML §8.1.3.8, `import.meta.url`.
        Row(script: "new Worker(new URL('w.js', import.meta.url))", files: ["w.js"]),
        Row(
            script: "new Worker(\"\"+new URL(\"/assets/w-a.js\",import.meta.url).href,{type:\"module\"})",
            files: ["/assets/w-a.js"]),
        Row(script: "new URL(/* @vite-ignore */ './p.png', import.meta.url)", files: ["./p.png"]),
        Row(script: "new URL('a.js', base)"), Row(script: "new URL(`./${a}.png`, import.meta.url)"),
        Row(script: "new URL('a.js', import.meta.urls)"), Row(script: "myURL('a.js', import.meta.url)"),
        // Vite's list.
        Row(
            script: "const d=(m.f||(m.f=[\"assets/r-a.js\",\"assets/r-a.css\"])))=>i.map(i=>d[i])",
            styles: ["/assets/r-a.css"]),
        Row(
            script: "m.f||(m.f=['assets/r-a.css','assets/s-b.css'])",
            styles: ["/app/assets/r-a.css", "/app/assets/s-b.css"],
            path: "/app/assets/main-a.js?x=/assets/y"),
        Row(script: "m.f||(m.f=[\"./r-a.css\"])", styles: ["./r-a.css"]),
        Row(script: "m.f||(m.f=[\"/b/r-a.css\"])", styles: ["/b/r-a.css"]),
        Row(script: "m.f||(m.f=[\"r-a.css\"])", styles: ["/r-a.css"], path: "/main-a.js"),
        Row(script: "m.f||(m.f=[\"static/r-a.css\"])"), Row(script: "m.f||(m.f=[])"), Row(script: "m.f||(m.f=[\"a.css"),
    ]

    @Test("imports, files relative to the script, and Vite's style sheets", arguments: rows)
    func found(_ row: Row) {
        let found = ScriptReferences(Array(row.script.utf8), at: row.path)
        #expect(found.workers == row.workers && found.scripts == row.scripts, "\(found)")
        #expect(found.imports == row.imports && found.files == row.files && found.styles == row.styles, "\(found)")
    }

    @Test("any beginning of a script, and any byte in it, is read without a trap")
    func cut() {
        for row in Self.rows {
            let bytes = Array(row.script.utf8)
            for count in bytes.indices {
                _ = ScriptReferences(Array(bytes[..<count]), at: row.path)
                var changed = bytes
                changed[count] = [0x2F, 0x2A, 0x22, 0x60, 0xFF][count % 5]
                _ = ScriptReferences(changed, at: "")
            }
        }
    }
}
