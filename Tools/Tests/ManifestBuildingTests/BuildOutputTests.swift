import Foundation
import ManifestBuilding
import Manifests
import Testing

@Suite("Groups and order come from what the build tool says, files from the folder")
struct BuildOutputTests {
    /// A Vite build: two entries that share a chunk, a lazy route, an asset, and a file of public/.
    private static let vite = [
        ".vite/manifest.json": """
        {"index.html": {"file": "assets/index-BX3kTQ9a.js", "isEntry": true, "imports": ["_shared"],
          "dynamicImports": ["src/late.js"], "css": ["assets/index-Dk2.css"], "assets": ["assets/logo-1.png"]},
         "admin.html": {"file": "assets/admin-CC.js", "isEntry": true, "imports": ["_shared"]},
         "_shared": {"file": "assets/shared-AA.js", "css": ["assets/shared.css"], "imports": ["_deep"]},
         "_deep": {"file": "assets/deep-BB.js", "imports": ["_shared"]},
         "src/late.js": {"file": "assets/late-DD.js", "isDynamicEntry": true, "imports": ["_shared"]},
         "gone": {"file": "assets/gone.js", "isEntry": true}}
        """,
        "assets/index-BX3kTQ9a.js": "i", "assets/index-Dk2.css": "c", "assets/admin-CC.js": "a",
        "assets/shared-AA.js": "s",
        "assets/shared.css": "sc", "assets/deep-BB.js": "d", "assets/late-DD.js": "l", "assets/logo-1.png": "p",
        "robots.txt": "r", "index.html": "h",
    ]

    @Test("Vite: entries, their static imports and styles are boot; cycles end; what is not there is not listed")
    func vite() throws {
        let folder = try SampleFolder(Self.vite)
        let list = try folder.builder().list(release: "1")
        #expect(
            SampleFolder.groups(list)
                == "boot: assets/admin-CC.js assets/shared.css assets/shared-AA.js assets/deep-BB.js assets/index-Dk2.css "
                + "assets/index-BX3kTQ9a.js | lazy: assets/late-DD.js assets/logo-1.png robots.txt")
        #expect(list.files.filter { $0.path.hasSuffix(".js") }.allSatisfy { $0.use == .module })
        #expect(list.files.first { $0.path.hasSuffix(".css") }?.use == .style)
    }

    @Test("Vite: what pages can reach by their scripts and styles switches with them; the rest is lazy")
    func reached() throws {
        var files = Self.vite
        files["index.html"] = "<script type=module src=/assets/index-BX3kTQ9a.js></script>"
        files["assets/index-BX3kTQ9a.js"] = "import('./late-DD.js'); import './shared-AA.js'"
        files["assets/late-DD.js"] = "new URL('logo-1.png', import.meta.url)"
        let folder = try SampleFolder(files)
        var builder = try folder.builder()
        builder.listsDocuments = true
        let groups = SampleFolder.groups(try builder.list(release: "1"))
        #expect(groups.hasSuffix("| shared: assets/late-DD.js assets/logo-1.png | lazy: robots.txt"), "\(groups)")
    }

    @Test("one entry of several can be chosen, and another name is refused with those that there are")
    func entry() throws {
        let folder = try SampleFolder(Self.vite)
        let list = try folder.builder(["index.html"]).list(release: "1")
        #expect(
            SampleFolder.groups(list).hasPrefix("boot: assets/index-Dk2.css assets/index-BX3kTQ9a.js assets/shared.css")
        )
        #expect(list.files.first { $0.path.contains("admin") }?.group == .lazy)
        let error = #expect(throws: ManifestToolError.self) { try folder.builder(["main"]) }
        #expect(error?.message.contains("'index.html'") == true)
    }

    @Test("a web app's manifest.json is not Vite's, and is a file like any other")
    func webAppManifest() throws {
        let folder = try SampleFolder(["manifest.json": "{\"name\":\"a\",\"icons\":[]}", "a.js": "a"])
        let list = try folder.builder().list(release: "1")
        #expect(SampleFolder.groups(list) == "boot: a.js | lazy: manifest.json")
    }

    @Test("webpack's stats.json, with assets as names or as objects, a public path and a query")
    func stats() throws {
        let stats = """
            {"entrypoints": {"main": {"assets": ["runtime.1a.js", {"name": "main.2b.js?v=1"}, "/static/main.css", "x.js"]},
              "other": {"assets": ["other.js"]}}}
            """
        let folder = try SampleFolder([
            "stats.json": stats, "main.2b.js": "m", "main.css": "c", "runtime.1a.js": "r", "other.js": "o", "3.js": "3",
        ])
        let list = try folder.builder(["main"]).list(release: "1")
        #expect(SampleFolder.groups(list) == "boot: runtime.1a.js main.2b.js main.css | lazy: 3.js other.js")
        #expect(list.files.allSatisfy { $0.use != .module })
    }

    @Test(
        "asset-manifest.json of Create React App",
        arguments: [
            #"{"files":{"main.js":"/s/static/js/main.js"},"entrypoints":["static/css/main.css","static/js/main.js"]}"#,
            #"{"entrypoints":{"main":{"imports":["/s/static/css/main.css","/s/static/js/main.js"]}}}"#,
        ])
    func assetManifest(_ text: String) throws {
        let folder = try SampleFolder([
            "asset-manifest.json": text, "static/js/main.js": "m", "static/css/main.css": "c",
            "static/js/1.chunk.js": "1",
        ])
        let list = try folder.builder().list(release: "1")
        #expect(SampleFolder.groups(list) == "boot: static/css/main.css static/js/main.js | lazy: static/js/1.chunk.js")
    }

    @Test("Next: pages are groups, what several need is shared, and URLs begin with _next/")
    func next() throws {
        let folder = try SampleFolder([
            "build-manifest.json": """
            {"polyfillFiles": ["static/chunks/polyfills.js"], "rootMainFiles": ["static/chunks/main-app.js"],
             "pages": {"/_app": ["static/chunks/_app.js"], "/_error": ["static/chunks/_error.js"],
               "/": ["static/chunks/shared.js", "static/chunks/index.js"],
               "/item/[id]": ["static/chunks/shared.js", "static/chunks/pages/%5Bid%5D.js"]}}
            """,
            "app-build-manifest.json": """
            {"pages": {"/docs/[...rest]/page": ["static/chunks/docs.js"], "/layout": ["static/chunks/layout.js"]}}
            """,
            "static/chunks/main-app.js": "1", "static/chunks/_app.js": "2", "static/chunks/_error.js": "3",
            "static/chunks/shared.js": "4", "static/chunks/index.js": "5", "static/chunks/pages/[id].js": "6",
            "static/chunks/docs.js": "7", "static/chunks/polyfills.js": "8", "server/secret.js": "s",
        ])
        let list = try folder.builder().list(release: "1")
        #expect(
            SampleFolder.groups(list)
                == "boot: _next/static/chunks/main-app.js _next/static/chunks/_app.js | shared: _next/static/chunks/shared.js "
                + "| page:/: _next/static/chunks/index.js | page:/item/[id]: _next/static/chunks/pages/%5Bid%5D.js "
                + "| page:/docs/[...rest]: _next/static/chunks/docs.js "
                + "| lazy: _next/static/chunks/_error.js _next/static/chunks/polyfills.js")
        #expect(list.pages.map(\.match) == ["/", "/item/*", "/docs/**"])
        #expect(list.pages.last?.needs.map(\.name) == ["boot", "shared", "page:/docs/[...rest]"])
    }

    @Test("without a build manifest: by the names of files, and rules come first")
    func names() throws {
        let folder = try SampleFolder([
            "index.html": "<script src=app.js></script><link href=style.css>", "about/index.html": "h", "a b.html": "h",
            "assets/index-BX3kTQ9a.js": "import '../x.mjs'", "app.js": "import('assets/index-BX3kTQ9a.js')",
            "x.mjs": "m", "style.css": "@font-face { src: url(f.woff2) }", "f.woff2": "f",
            "big.png": "p", "deep/a.js": "d",
        ])
        var builder = try folder.builder()
        builder.listsDocuments = true
        builder.rules = [try GroupRule("deep/*=later"), try GroupRule("*.png=boot")]
        let list = try builder.list(release: "1")
        #expect(
            SampleFolder.groups(list)
                == "boot:  style.css app.js assets/index-BX3kTQ9a.js x.mjs f.woff2 big.png | page:/a b.html: a%20b.html "
                + "| page:/about/: about/ | later: deep/a.js")
        let modules = list.files.filter { $0.use == .module }.map(\.path)
        #expect(modules == ["assets/index-BX3kTQ9a.js", "x.mjs"])
        builder.listsDocuments = false
        #expect(try !builder.list(release: "1").files.contains { $0.use == .document })
    }

    @Test("a rule is PATTERN=NAME", arguments: ["", "a", "=a", "a="])
    func badRule(_ text: String) { #expect(throws: ManifestToolError.self) { try GroupRule(text) } }

    @Test("a release without a name is named by its content")
    func contentName() throws {
        let (one, same) = (try SampleFolder(["a.js": "1"]), try SampleFolder(["a.js": "1"]))
        let other = try SampleFolder(["a.js": "2"])
        let names = try [one, same, other].map { try $0.builder().list(release: nil) }
        #expect(names[0] == names[1] && names[0].release != names[2].release && names[0].release.count == 12)
    }
}
