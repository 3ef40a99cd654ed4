import CacheRules
import CacheTesting
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import PageSyntax
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("A page is fetched ahead of need with all that it names, and nothing runs", .timeLimit(.minutes(5)))
struct PageWithFilesTests {
    private static let cdn = "https://cdn.other.test/lib.js"
    /// The type, the text, and more fields of each path.
    private static func content(_ n: Int) -> [String: (String, String, HTTPFields)] {
        [
            "/": (
                "text/html",
                "<link rel=stylesheet href=site.css><script src=\(cdn)></script><a href=/other>other</a>"
                    + "<img srcset='small.png 1x, large.png 2x'><iframe src=/frame></iframe><h1>\(n)</h1>"
                    + "<script>onload = () => { new Worker('/inline.js'); import('./dynamic.js') }</script>",
                [FetchField.link: "</late.js>; rel=preload; as=script, <https://elsewhere.test/>; rel=preconnect"]
            ),
            "/site.css": ("text/css", "@import 'deep.css'; p { background: url(back.png) } \(n)", [:]),
            "/deep.css": ("text/css", "@font-face { font-family: f; src: url(font.woff2) } \(n)", [:]),
            "/font.woff2": ("font/woff2", "font", [:]), "/back.png": ("image/png", "back", [:]),
            "/small.png": ("image/png", "small", [:]), "/large.png": ("image/png", "large", [:]),
            "/late.js": (
                "text/javascript",
                "m.f||(m.f=['lazy.css']); import('/chunk-\(n).js'); new Worker(new URL('work.js', import.meta.url))",
                [:]
            ),
            "/lazy.css": ("text/css", "lazy", [:]), "/work.js": ("text/javascript", "import './tool.js'", [:]),
            "/tool.js": ("text/javascript", "tool", [:]), "/dynamic.js": ("text/javascript", "dynamic", [:]),
            "/inline.js": ("text/javascript", "importScripts('parts.js')", [:]),
            "/parts.js": ("text/javascript", "parts", [:]),
            "/chunk-\(n).js": ("text/javascript", "chunk", [:]),
            "/frame": (
                "text/html",
                "<script type=module>import '/module.js'</script><meta http-equiv=refresh content=' 0; url=/next'>",
                [:]
            ),
            "/next": ("text/html", "<meta http-equiv=refresh content='900;url=/logout'><img src=next.png>", [:]),
            "/next.png": ("image/png", "next", [:]),
            "/module.js": ("text/javascript", "module", [:]),
        ]
    }

    let bench: PreloadBench

    init() throws {
        bench = try PreloadBench(.disk, rules: .webViewDefaults)
    }

    private func publish(_ n: Int, without missing: Set<String> = [], control: String? = "no-cache") {
        for (path, (type, text, more)) in Self.content(n) {
            var fields: HTTPFields = [.contentType: type, .eTag: "\"\(n)\(text.utf8.count)\""]
            fields[.cacheControl] = control
            fields.append(contentsOf: more)
            let isMissing = missing.contains(path)
            bench.on(path) { [fields] request in
                if isMissing { return ScriptedTransport.answer(404) }
                let isKnown = request.head.headerFields[.ifNoneMatch] == fields[.eTag]
                return isKnown
                    ? ScriptedTransport.answer(304, fields) : ScriptedTransport.answer(200, fields, body: text)
            }
        }
    }

    func preload(for screen: PageScreen? = nil) async -> (PreloadSummary, OfflinePages) {
        let page = PreloadItem(url: PreloadBench.base + "/").withFiles(for: screen)
        await bench.queue.add([page], set: "page")
        let summary = await bench.queue.runUntilSettled(set: "page", patience: .zero)
        return (summary, await bench.queue.openOffline(set: "page"))
    }

    private func page() async throws -> String { try await bench.offlinePage() }

    @Test(
        """
        style sheets in style sheets, fonts, frames, pages that go on at once (HTML §4.2.5.3), modules, chunks, Link
        fields and other sites; no links to pages
        """)
    func all() async throws {
        publish(1)
        bench.transport.on(Self.cdn) { _ in
            ScriptedTransport.answer(200, [.contentType: "text/javascript", .cacheControl: "max-age=60"], body: "cdn")
        }
        let (summary, offline) = await preload()
        #expect(summary.verified == summary.items && offline.lacking.isEmpty && offline.opening == 1, "\(offline)")
        let asked = Set(bench.transport.requests.map { $0.head.targetURL })
        #expect(asked == Set(Self.content(1).keys.map { PreloadBench.base + $0 } + [Self.cdn]))
        for request in bench.transport.requests {
            #expect(request.head.headerFields[.cookie] == nil)
            #expect(request.head.headerFields[FetchField.secPurpose] == "prefetch")
        }
    }

    @Test(
        "HTML §8.1.6.2: modules import by the import map of their page, and by its scopes; addresses are those of the page"
    )
    func importMap() async throws {
        let scripts = [
            "/site/js/main.js": "import 'kit'; import 'lib/a.js'; import './own.js'; import '/moved.js'; import 'none'",
            "/site/kit.js": "import 'deep'", "/libraries/a.js": "import 'deep'; import 'gone'", "/site/js/own.js": "",
            "/site/new.js": "import('late')", "/site/deep-1.js": "", "/site/deep-2.js": "", "/site/late.js": "",
        ]
        let map = """
            {"imports": {"kit": "./kit.js", "lib/": "/libraries/", "deep": "./deep-1.js", "/moved.js": "./new.js",
             "late": "./late.js", "unused": "./unused.js", "gone": "./gone.js"},
             "scopes": {"/libraries/": {"deep": "./deep-2.js", "gone": null}, "/other/": {"kit": "./other.js"}}}
            """
        let html = "<script type=importmap>\(map)</script><script type=module src=js/main.js></script>"
        for (path, text) in scripts.merging(["/site/": html], uniquingKeysWith: { $1 }) {
            let type = path == "/site/" ? "text/html" : "text/javascript"
            bench.on(path) { _ in ScriptedTransport.answer(200, [.contentType: type, .eTag: "\"1\""], body: text) }
        }
        await bench.queue.add([PreloadItem(url: PreloadBench.base + "/site/").withFiles()], set: "page")
        await bench.queue.runUntilSettled(set: "page", patience: .zero)
        let asked = Set(bench.transport.requests.map { $0.head.path ?? "" })
        #expect(asked == Set(scripts.keys).union(["/site/"]))
        let offline = await bench.queue.openOffline(set: "page")
        #expect(offline.opening == 1 && offline.lacking.isEmpty, "\(offline)")
    }

    @Test("a new page without one of its scripts opens, also where a file that it shares was there before")
    func sharing() async throws {
        let pages = [
            "/one": "<link rel=stylesheet href=s.css>",
            "/two": "<link rel=stylesheet href=s.css><script src=no.js></script>",
        ]
        for (path, text) in pages.merging(["/s.css": "p {}"], uniquingKeysWith: { $1 }) {
            let fields: HTTPFields = [.contentType: path == "/s.css" ? "text/css" : "text/html", .eTag: "\"1\""]
            bench.on(path) { request in
                request.head.headerFields[.ifNoneMatch] == fields[.eTag]
                    ? ScriptedTransport.answer(304, fields) : ScriptedTransport.answer(200, fields, body: text)
            }
        }
        bench.on("/no.js") { _ in ScriptedTransport.answer(404) }
        for path in ["/one", "/two"] {
            await bench.queue.add([PreloadItem(url: PreloadBench.base + path).withFiles()], set: path)
            await bench.queue.runUntilSettled(set: path, patience: .zero)
        }
        let offline = await bench.queue.openOffline(set: "/two")
        #expect(offline.lacking.map { $0.missing.map(\.url) } == [[PreloadBench.base + "/no.js"]], "\(offline)")
    }

    @Test("a page that a web view has laid out lacks no font that it has not asked for, but the script that is gone")
    func laidOut() async throws {
        let bench = try PreloadBench()
        for (path, type, text) in [
            ("/laid", "text/html", "<link rel=stylesheet href=/f.css><script src=/no.js></script>"),
            ("/f.css", "text/css", "@font-face { font-family: f; src: url(/f.woff2) }"),
        ] {
            bench.on(path) { _ in ScriptedTransport.answer(200, [.contentType: type, .eTag: "\"1\""], body: text) }
            let item = PreloadItem(
                url: PreloadBench.base + path, destination: type == "text/html" ? .document : .style)
            await bench.queue.add([item], set: path)
        }
        await bench.queue.runUntilSettled(patience: .zero)
        let listed = await bench.queue.openOffline(set: "/laid")
        #expect(listed.lacking.map { $0.missing.map(\.url).map { $0.suffix(6) } } == [[".woff2", "/no.js"]])
        let rendered = await bench.queue.openOffline(set: "", and: [PreloadBench.base + "/laid"])
        #expect(rendered.lacking.map { $0.missing.map(\.url) } == [[PreloadBench.base + "/no.js"]], "\(rendered)")
    }

    @Test(
        "a new page is not held back by what pages show themselves without, nor by another page that is gone",
        arguments: [
            "<style>@font-face { font-family: f; src: url(/gone) } p { filter: url(#a) }</style>",
            "<link rel='alternate stylesheet' href=/gone title=a>", "<link rel=stylesheet media=print href=/gone>",
            "<img src=/gone>", "<p style='filter: url(#a)'>", "<script src=/gone></script>",
            "<link rel=stylesheet href=/gone>",
        ])
    func dispensable(_ html: String) async throws {
        let isNeeded = html.contains("script src") || html.contains("rel=stylesheet href")
        let other = PreloadBench.base + "/two"
        func publish(_ n: Int, _ html: String) {
            bench.on("/") { _ in
                ScriptedTransport.answer(200, [.contentType: "text/html", .eTag: "\"\(n)\""], body: "\(n)" + html)
            }
            bench.on("/two") { _ in
                n == 1
                    ? ScriptedTransport.answer(200, [.contentType: "text/html", .eTag: "\"1\""], body: "two")
                    : ScriptedTransport.answer(404)
            }
            bench.on("/gone") { _ in ScriptedTransport.answer(404) }
        }
        func run() async -> OfflinePages {
            let pages = [PreloadItem(url: PreloadBench.base + "/"), PreloadItem(url: other)].map { $0.withFiles() }
            await bench.queue.add(pages, set: "page")
            _ = await bench.queue.runUntilSettled(set: "page", patience: .zero)
            return await bench.queue.openOffline(set: "page")
        }
        publish(1, "")
        _ = await run()
        #expect(try await page() == "1")
        publish(2, html)
        let offline = await run()
        #expect(try await page() == (isNeeded ? "1" : "2" + html))
        if !isNeeded, !html.contains("font-face"), !html.contains("img") {
            #expect(offline.lacking.isEmpty && offline.opening == 2, "\(offline)")
        }
    }

    @Test(
        "Mixed Content §4: an https page asks for pictures at https, and for no script at http; odd encodings for nothing"
    )
    func mixed() async throws {
        let html =
            "<img src='http://shop.test/i.png'><script src='http://shop.test/s.js'></script><img src='\u{FFFD}.png'>"
            + "<script type=module>const a = 1; import './late.js'</script><link rel=preload as=fetch href=p.json>"
            + "<link rel=preload as=document href=d.html><script type=module>import j from './j.json' with {type: 'json'}</script>"
        let contents = [
            "/": ("text/html", html), "/i.png": ("image/png", "picture"), "/late.js": ("text/javascript", ""),
            "/p.json": ("application/json", "{}"), "/j.json": ("application/json", "{}"),
        ]
        for (path, (type, text)) in contents {
            bench.transport.on("https://shop.test" + path) { _ in
                ScriptedTransport.answer(200, [.contentType: type, .eTag: "\"1\""], body: text)
            }
        }
        await bench.queue.add([PreloadItem(url: "https://shop.test/").withFiles()], set: "page")
        await bench.queue.runUntilSettled(set: "page", patience: .zero)
        let asked = bench.transport.requests.map { $0.head.targetURL }.sorted()
        // The page once more, whether it is still the same.
        #expect(asked == (["/"] + contents.keys.sorted()).map { "https://shop.test" + $0 })
        let offline = await bench.queue.openOffline(set: "page")
        #expect(offline.lacking.flatMap(\.missing).map(\.url) == ["https://shop.test/%EF%BF%BD.png"])
    }

    @Test("of an image's candidates the one for the screen; with another screen the other one")
    func screen() async throws {
        publish(1)
        bench.transport.on(Self.cdn) { _ in ScriptedTransport.answer(404) }
        for (density, file, other) in [(1.0, "/small.png", "/large.png"), (2, "/large.png", "/small.png")] {
            let before = bench.transport.requests.count
            let (_, offline) = await preload(for: PageScreen(width: 390, height: 844, density: density))
            let asked = bench.transport.requests[before...].map { $0.head.targetURL }
            #expect(asked.contains(PreloadBench.base + file) && !asked.contains(PreloadBench.base + other))
            #expect(offline.lacking.flatMap(\.missing).map(\.url) == [Self.cdn])
        }
    }

    @Test("a page that may not be stored leaves its files, and those of its frame and module")
    func unstored() async throws {
        bench.transport.on(Self.cdn) { _ in ScriptedTransport.answer(404) }
        for n in 1...2 {
            publish(n, control: "max-age=60")
            for path in ["/", "/frame", "/module.js"] {
                let (type, text, more) = try #require(Self.content(n)[path])
                var fields: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
                fields.append(contentsOf: more)
                bench.on(path) { [fields] _ in ScriptedTransport.answer(200, fields, body: text) }
            }
            let (summary, offline) = await preload()
            #expect(
                summary.items - summary.verified == 4,
                "the page, its frame and its module; and the file of the other site")
            #expect(offline.lacking.map { $0.missing.map(\.url) } == [[PreloadBench.base + "/"]])
            for (path, (_, text, _)) in Self.content(n) where !["/", "/frame", "/module.js"].contains(path) {
                let entry = try #require(
                    try await bench.cache.store.entries(for: CacheKey(uri: PreloadBench.base + path)).first, "\(path)")
                let content = try await bench.cache.store.open(entry).read(from: 0, upTo: 1_000)
                #expect(String(decoding: content, as: UTF8.self) == text)
            }
            bench.clock.advance(by: .seconds(100))
        }
    }

    @Test("a newer page takes its place with all of its files; one that lacks a file of its own site does not")
    func newer() async throws {
        publish(1)
        bench.transport.on(Self.cdn) { _ in ScriptedTransport.answer(404) }
        // Another site's script may be gone: the page opens without it online, too.
        _ = await preload()
        #expect(try await page().contains("<h1>1"))
        publish(2, without: ["/chunk-2.js"])
        _ = await preload()
        #expect(try await page().contains("<h1>1"))
        publish(2)
        let (_, offline) = await preload()
        #expect(try await page().contains("<h1>2"))
        bench.clock.advance(by: .seconds(5))
        let again = await preload().0
        #expect(again.transferred == .zero, "what the server confirms is not fetched again")
        let style = try await bench.cache.store.entries(for: CacheKey(uri: PreloadBench.base + "/site.css")).first
        #expect(style?.response.responseTime == bench.clock.now, "and is fresh from now on (RFC 9111 §4.3.4)")
        #expect(offline.lacking.flatMap(\.missing).map(\.url) == [Self.cdn])
    }

    @Test(
        "a newer page comes with its newer files, whatever freshness the older ones have left",
        arguments: [nil, "max-age=3600", "no-cache"])
    func unstated(_ control: String?) async throws {
        bench.transport.on(Self.cdn) { _ in ScriptedTransport.answer(404) }
        for n in 1...3 {
            publish(n, control: control)
            _ = await preload()
            #expect(try await page().contains("<h1>\(n)"))
            let style = try #require(
                try await bench.cache.store.entries(for: CacheKey(uri: PreloadBench.base + "/site.css")).first)
            #expect(style.response.fields[.eTag]?.hasPrefix("\"\(n)") == true)
            bench.clock.advance(by: .seconds(5))
        }
    }

    @Test("a run that lacked a file is made up for by the next one, and by a process that knows nothing of it")
    func again() async throws {
        bench.transport.on(Self.cdn) { _ in ScriptedTransport.answer(404) }
        publish(1)
        _ = await preload()
        publish(2, without: ["/chunk-2.js"])
        _ = await preload()
        publish(2)
        let next = try bench.restarted()
        await next.queue.add([PreloadItem(url: PreloadBench.base + "/").withFiles()], set: "page")
        let summary = await next.queue.runUntilSettled(set: "page", patience: .zero)
        #expect(summary.refused == [.status: 1], "the other site's alone: \(summary)")
        #expect(try await page().contains("<h1>2"))
    }

    @Test("a page keeps its files where another one that shares some has fetched newer ones")
    func shared() async throws {
        func publish(_ n: Int) {
            for path in ["/p1", "/p2"] {
                bench.answer(
                    path, 200, [.contentType: "text/html", .eTag: "\"\(n)\"", .cacheControl: "no-cache"],
                    body: "<script src=/sh.js></script>\(n)")
            }
            bench.answer(
                "/sh.js", 200, [.contentType: "text/javascript", .eTag: "\"\(n)\"", .cacheControl: "no-cache"],
                body: "\(n)")
        }
        func preload(_ paths: String...) async {
            await bench.queue.add(
                paths.map { PreloadItem(url: PreloadBench.base + $0).withFiles() }, set: paths.joined())
            await bench.queue.runUntilSettled(set: paths.joined(), patience: .zero)
        }
        publish(1)
        await preload("/p1", "/p2")
        bench.clock.advance(by: .seconds(60))
        publish(2)
        await preload("/p2")
        func offline(_ path: String, _ destination: PreloadDestination, of page: String) async throws -> String {
            let item = PreloadItem(url: PreloadBench.base + path, destination: destination)
            var request = EngineRequest(head: try #require(ViewFields().request(for: item, at: item.url)))
            request.head.headerFields[.referer] = PreloadBench.base + page
            request.context.destination = destination.destination
            request.context.connectivity = .disconnected
            let answer = await bench.cache.respond(to: request)
            return String(decoding: try await answer.body.collect(upTo: .mebibytes(1)), as: UTF8.self)
        }
        for (page, n) in [("/p1", "1"), ("/p2", "2")] {
            #expect(try await offline(page, .document, of: page).hasSuffix(n))
            #expect(try await offline("/sh.js", .script, of: page) == n)
        }
    }

    @Test("another site that says nothing keeps no page out")
    func silent() async throws {
        publish(1)
        bench.transport.on(Self.cdn) { _ in throw TransportError(code: .timedOut, message: "Nothing came.") }
        _ = await preload()
        #expect(try await page().contains("<h1>1"))
    }

    @Test("what a file behind a redirect names is fetched, relative to where it is")
    func redirected() async {
        let style: HTTPFields = [.contentType: "text/css"]
        bench.answer("/", 200, [.contentType: "text/html"], body: "<link rel=stylesheet href=/r.css>")
        bench.answer("/r.css", 302, [.location: "/sub/r2.css"])
        bench.answer("/sub/r2.css", 200, style, body: "@import 'rel.css';")
        bench.answer("/sub/rel.css", 200, style, body: "p {}")
        let (_, offline) = await preload()
        #expect(offline.opening == 1 && offline.lacking.isEmpty, "\(offline)")
    }

    @Test("a page that its server varies by an unknown User-Agent is not said to open")
    func varying() async {
        bench.answer("/", 200, [.contentType: "text/html", .vary: "User-Agent"], body: "page")
        let (_, offline) = await preload()
        #expect(offline.lacking.first?.missing.first?.message.contains("pass it with -H") == true, "\(offline)")
    }

    @Test("what is no page brings nothing along")
    func files() async {
        #expect(PreloadItem(url: PreloadBench.base + "/site.css").withFiles().namedBy == nil)
        #expect(PreloadItem(url: PreloadBench.base + "/page").withFiles(false).namedBy == nil)
    }
}
