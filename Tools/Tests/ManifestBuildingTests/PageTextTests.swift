import HTTPCacheSemantics
import ManifestBuilding
import Manifests
import Testing

@Suite("A list has the addresses that pages ask for")
struct PageTextTests {
    @Test(
        "parameters behind names of files are passed over, however an address is made",
        arguments: [
            // html-webpack-plugin's `hash: true`, and stamps.
            ("index.html", "<script src=\"/main.js?3f2a9\"></script>", ["3f2a9"]),
            ("index.html", "<link href='a/main.css?v=7&amp;t=1'>", ["v", "t"]),
            ("a/x.css", "@import url(main.css?x);", ["x"]),
            ("late.mjs", "import('./main.js?v=' + stamp)", ["v"]), ("late.mjs", "`main.js?v=${n}`", ["v"]),
            ("late.mjs", "new URL('with%20space.bin?w=1', base)", ["w"]),
            ("late.mjs", "fetch('with%20space.bin?' + Date.now())", ["*"]), ("late.mjs", "`main.js?${n}`", ["*"]),
            // No names of files, or none of this folder.
            ("late.mjs", "main.js ? a : b; x.main?c:d; other.js?v=1; 'main.js'?1:2", []),
            ("index.html", "<a href=/?page=2>", []),
        ])
    func queries(_ path: String, _ text: String, _ parameters: [String]) throws {
        let folder = try SampleFolder([
            "index.html": "h", "main.js": "m", "a/main.css": "c", "with space.bin": "b", "late.mjs": "l",
            "a/x.css": "x",
        ])
        try folder.write(path, text)
        var builder = try folder.builder()
        #expect(try builder.list(release: "1").ignoreQuery == parameters)
        builder.ignoreQuery = ["own"]
        let own = parameters == ["*"] ? [] : ["own"]
        #expect(try builder.list(release: "1").ignoreQuery == own + parameters)
        builder.ignoreQuery = ["none"]
        #expect(try builder.list(release: "1").ignoreQuery.isEmpty)
    }

    @Test("where there are more parameters than a list may have, all are passed over")
    func manyQueries() throws {
        let text = (0..<70).map { "<script src=main.js?h\($0)></script>" }.joined()
        let folder = try SampleFolder(["index.html": text, "main.js": "m"])
        let list = try folder.builder().list(release: "1")
        #expect(list.ignoreQuery == ["*"])
        #expect(NoVarySearch.field(ignoring: list.ignoreQuery) == "params")
    }

    @Test(
        "what a page or script imports is a module, for which web views want a JavaScript type",
        arguments: [
            ("a.js", "import './x.js'", true), ("a.js", "import{n as m}from\"./x.js\";", true),
            ("a.js", "export * from\n'../b/x.js?v=1'", true), ("a.js", "import(`/x.js`)", true),
            ("a.js", "W.push(import( \"./price$1-x.js\" ))", false), ("a.js", "from; 'x.js'", false),
            ("index.html", "<script>import('./x%2Ejs')</script>", true),
            ("index.html", "<script type=module src=/x.js?1></script>", true),
            ("index.html", "<link rel=modulepreload href=./x.js>", true),
            ("index.html", "<script src=x.js></script>", false), ("a.js", "import('", false),
            ("a.css", "@import 'x.js'", false), ("a.js", "import('./x.js", true),
        ])
    func imports(_ path: String, _ text: String, _ isModule: Bool) throws {
        let uses = try uses(path, text)
        #expect(uses["x.js"] == (isModule ? .module : .script))
        #expect(uses["price$1-x.js"] == (text.contains("$") ? .module : .script))
    }

    @Test(
        "so is what a script starts as a worker",
        arguments: [
            ("a.js", "new Worker('./x.js')"), ("a.js", "new SharedWorker(\n\"/x.js\", {name: 'x'})"),
            ("a.js", "new Worker(new URL(\"./x.js\", import.meta.url))"),
            ("a.js", "new Worker(new URL(/* @vite-ignore */ 'x.js'))"),
        ])
    func workers(_ path: String, _ text: String) throws {
        #expect(try uses(path, text)["x.js"] == (text.contains("@") ? .script : .worker))
    }

    private func uses(_ path: String, _ text: String) throws -> [String: ListedFile.Use] {
        let folder = try SampleFolder(["index.html": "h", "x.js": "1", "price$1-x.js": "2"])
        try folder.write(path, text)
        let list = try folder.builder().list(release: "1")
        return Dictionary(uniqueKeysWithValues: list.files.map { ($0.path, $0.use) })
    }

    @Test("what pages and styles name and the folder does not have is told, but for other hosts and what is left out")
    func missing() throws {
        let folder = try SampleFolder([
            "index.html": """
            <link rel=stylesheet href=a/x.css><img src="gone.png?v=1"><img src="a%20b.png"><script src=app.js?3></script>
            <img src=https://other.test/y.png><img srcset="gone.png 1x, big.png 2x"><a href=/nowhere></a>
            <iframe src=about></iframe><link rel=icon href=no.ico><img src=data:,x>
            """,
            "about.html": "<base href=/deep/><img src=far.png>",
            "a/x.css": "@import 'y.css'; b { background: url(../c.png) }",
            "a b.png": "1", "app.js": "2", "c.png": "3",
        ])
        var builder = try folder.builder()
        builder.listsDocuments = true
        let found = builder.missingFiles(try builder.list(release: "1"), base: SampleFolder.base)
        #expect(
            found.map { "\($0.namedBy): \($0.url.dropFirst(SampleFolder.base.count))" }.sorted() == [
                "a/x.css: a/y.css", "index.html: big.png", "index.html: gone.png?v=1",
            ])
    }

    @Test("what nothing names is lazy, so that it holds no release back")
    func unused() throws {
        let folder = try SampleFolder([
            "index.html": "<script src=a.js></script>", "a.js": "import './b.mjs'", "b.mjs": "1", "old.js": "2",
            "old.woff2": "3", "with space.css": "4",
        ])
        var builder = try folder.builder()
        builder.listsDocuments = true
        #expect(
            SampleFolder.groups(try builder.list(release: "1"))
                == "boot:  with%20space.css a.js b.mjs | lazy: old.js old.woff2")
        try folder.write("index.html", "<script src=a.js></script><img src=i.png><video src=f.mp4>")
        for name in ["i.png", "f.mp4", "old.png", "d.json"] { try folder.write(name, name) }
        try folder.write("b.mjs", "fetch('d.json')")
        var named = try folder.builder()
        named.listsDocuments = true
        #expect(
            SampleFolder.groups(try named.list(release: "1"))
                == "boot:  with%20space.css a.js b.mjs | shared: d.json i.png | lazy: old.js old.woff2 f.mp4 old.png",
            "what a page or script names switches with it, but for films")
        builder.listsDocuments = false
        #expect(!SampleFolder.groups(try builder.list(release: "1")).contains("lazy"), "pages may be elsewhere")
    }

    @Test("documents have the addresses under which hosts answer with them, and names their spellings")
    func otherAddresses() throws {
        let folder = try SampleFolder([
            "index.html": "1", "about.html": "2", "docs/index.html": "3", "docs/a b.html": "4", "taken.html": "5",
            "taken": "6", "a+b&c.json": "7", "[slug]|.json": "8", "re:port.json": "9", "it's.txt": "10",
            "plain.js": "11", "a&b.html": "12",
        ])
        var builder = try folder.builder()
        builder.listsDocuments = true
        let list = try builder.list(release: "1")
        let also = Dictionary(uniqueKeysWithValues: list.files.map { ($0.path, $0.also) })
        #expect(
            also == [
                "": ["index.html"], "about.html": ["about"], "docs/": ["docs", "docs/index.html"],
                "docs/a%20b.html": ["docs/a%20b"], "taken.html": [], "taken": [], "plain.js": [],
                "a+b&c.json": ["a%2Bb%26c.json"], "%5Bslug%5D%7C.json": ["[slug]|.json"],
                "re%3Aport.json": ["re:port.json"], "it's.txt": ["it%27s.txt"],
                "a&b.html": ["a&b", "a%26b.html", "a%26b"],
            ])
        let read = try ReleaseList(bytes: list.bytes, base: SampleFolder.base)
        #expect(read == list)
        #expect(
            read.files.first?.otherURLs(base: SampleFolder.base) == [
                SampleFolder.base + "index.html", String(SampleFolder.base.dropLast()),
            ])
    }
}
