import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite(
    "A page is read as web views read it: escapes of any spelling, and files without a type", .timeLimit(.minutes(5)))
struct SpellingTests {
    private let bench: PreloadBench

    init() throws {
        bench = try PreloadBench(.disk, rules: .webViewDefaults)
    }

    private func publish(_ files: [String: (type: String?, text: String)]) {
        for (path, file) in files {
            var fields: HTTPFields = [.eTag: "\"1\""]
            fields[.contentType] = file.type
            bench.on(path) { [fields] _ in ScriptedTransport.answer(200, fields, body: file.text) }
        }
    }

    private func preload(_ path: String) async -> OfflinePages {
        await bench.queue.add([PreloadItem(url: PreloadBench.base + path).withFiles()], set: "page")
        _ = await bench.queue.runUntilSettled(set: "page", patience: .zero)
        return await bench.queue.openOffline(set: "page")
    }

    private func isStored(_ path: String) async -> Bool {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: path)
        let context = ExchangeContext(destination: .image, connectivity: .disconnected)
        return await bench.cache.isAvailableOffline(EngineRequest(head: head, context: context))
    }

    @Test("RFC 3986 §6.2.2: WebKitGTK asks for another spelling than the page's")
    func escapes() async {
        let html = """
            <link rel=stylesheet href="%c3%a9.css"><img src="x%7Ey.png"><img src="a%2db.png"><img src="b%2bc.png">
            <img src="d.png?x='y'">
            """
        publish([
            "/%d7%a9/": ("text/html", html), "/%D7%A9/%c3%a9.css": ("text/css", ""),
            "/%D7%A9/x%7Ey.png": ("image/png", "p"), "/%D7%A9/a%2db.png": ("image/png", "p"),
            "/%D7%A9/b%2bc.png": ("image/png", "p"), "/%D7%A9/d.png?x=%27y%27": ("image/png", "p"),
        ])
        let offline = await preload("/%d7%a9/")
        #expect(offline.opening == 1 && offline.lacking.isEmpty, "\(offline)")
        for folder in ["/%D7%A9/", "/%d7%a9/"] {
            for file in ["", "%C3%A9.css", "%c3%a9.css", "x~y.png", "a-b.png", "b%2bc.png", "d.png?x=%27y%27"] {
                #expect(await isStored(folder + file), "\(folder + file)")
            }
            // A plus of its own is another character (RFC 3986 §2.2).
            #expect(await !isStored(folder + "b+c.png"))
        }
    }

    @Test(
        "MIME Sniffing §7: a page without a type has the files that it names, and so has a style sheet",
        arguments: [nil, "text", "unknown/unknown"])
    func untyped(_ type: String?) async {
        publish([
            "/": (type, "<!doctype html><link rel=stylesheet href=s.css><img src=i.png>"),
            "/s.css": (nil, "@import 'deep.css'"), "/deep.css": ("text/css", ""), "/i.png": (nil, "p"),
        ])
        let offline = await preload("/")
        #expect(offline.opening == 1 && offline.lacking.isEmpty, "\(offline)")
        for path in ["/s.css", "/deep.css", "/i.png"] { #expect(await isStored(path), "\(path)") }
    }

    @Test("what is no HTML names nothing", arguments: [false, true])
    func unread(_ hasNoSniff: Bool) async throws {
        let name = try #require(HTTPField.Name("X-Content-Type-Options"))
        let text = hasNoSniff ? "<!doctype html><img src=i.png>" : "text <img src=i.png>"
        bench.on("/") { _ in
            var fields: HTTPFields = [.eTag: "\"1\""]
            if hasNoSniff { fields[name] = "nosniff" }
            return ScriptedTransport.answer(200, fields, body: text)
        }
        _ = await preload("/")
        #expect(bench.transport.requests.count == 1)
    }

    @Test("HTML §2.4.1: addresses are relative to the base before them, and those of srcdoc to its own")
    func bases() async {
        let html = """
            <link rel=stylesheet href=a.css><base href=/sub/><img src=i.png><base href=/no/>
            <iframe srcdoc="<img src=j.png><base href=deep/><img src=k.png>" src=no.html></iframe><img src=l.png>
            """
        let files = ["/a.css", "/sub/i.png", "/sub/j.png", "/sub/deep/k.png", "/sub/l.png"]
        publish(["/": ("text/html", html)])
        publish(Dictionary(uniqueKeysWithValues: files.map { ($0, ($0 == "/a.css" ? "text/css" : "image/png", "p")) }))
        let offline = await preload("/")
        #expect(offline.opening == 1 && offline.lacking.isEmpty, "\(offline)")
        #expect(Set(bench.transport.requests.map { $0.head.path ?? "" }) == Set(files + ["/"]))
    }

    @Test("what a page turns on itself is there, with what it names")
    func turnedOn() async {
        let html = """
            <link rel=stylesheet media=print onload="this.media='all'" href=print.css><link rel=stylesheet href=d.css disabled>
            <link rel='alternate stylesheet' title=dark href=dark.css>
            <noscript><link rel=stylesheet href=print.css></noscript><template><img src=t.png></template>
            <script>new SharedWorker('/w.js')</script>
            """
        let face =
            "@font-face { font-family: f; src: url(icons.woff2); unicode-range: u+f003 } i::before { content: '\\f003' }"
        publish([
            "/": ("text/html", html), "/print.css": ("text/css", face),
            "/d.css": ("text/css", "p { background: url(d.png) }"), "/d.png": ("image/png", "p"),
            "/dark.css": ("text/css", "@import 'night.css'"), "/night.css": ("text/css", ""),
            "/icons.woff2": ("font/woff2", "f"), "/t.png": ("image/png", "p"), "/w.js": ("text/javascript", ""),
        ])
        let offline = await preload("/")
        #expect(offline.opening == 1 && offline.lacking.isEmpty, "\(offline)")
        for path in ["/print.css", "/d.css", "/d.png", "/night.css", "/icons.woff2", "/t.png", "/w.js"] {
            #expect(await isStored(path), "\(path)")
        }
    }

    @Test(
        "Subresource Integrity §3.3: a script that its page would refuse leaves the whole page before it",
        arguments: [
            "sha256-LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564=",
            "sha384-mMEf/f3VQGdrGhN8saIrKnA1DJpEFx1rEYDGvly7LuP3nVMsih3Z7y6OCOdSo7q7",
            "sha256-AAAA sha512-9/u6bgY2+JDlb7vzKD5STG+jIErimDgtYkdB0NxmODJuKCxBvl5CVNiCB3LFUYosWowMf37aGVlKfrU5RT4e1w==",
        ])
    func integrity(_ hashes: String) async throws {
        func publish(_ page: Int, _ script: String) {
            let html = "\(page)<script src=s.js integrity='\(page == 1 ? "" : hashes)'></script>"
            for (path, type, text) in [("/", "text/html", html), ("/s.js", "text/javascript", script)] {
                let fields: HTTPFields = [.contentType: type, .eTag: "\"\(text)\""]
                bench.on(path) { request in
                    request.head.headerFields[.ifNoneMatch] == fields[.eTag]
                        ? ScriptedTransport.answer(304, fields) : ScriptedTransport.answer(200, fields, body: text)
                }
            }
        }
        publish(1, "bar")
        #expect(await preload("/").opening == 1)
        publish(2, "bar")
        let half = await preload("/")
        #expect(try await bench.offlinePage().hasPrefix("1"), "\(half)")
        publish(2, "foo")
        #expect(await preload("/").opening == 1)
        #expect(try await bench.offlinePage().hasPrefix("2"))
    }

    @Test(
        "a page that leads to another host of its site is fetched there, with its files",
        arguments: ["www.shop", "other"])
    func redirected(_ host: String) async throws {
        bench.on("/") { _ in ScriptedTransport.answer(301, [.location: "https://\(host).test/"]) }
        for (path, type, text) in [("/", "text/html", "<img src=i.png>"), ("/i.png", "image/png", "p")] {
            bench.transport.on("https://\(host).test" + path) { _ in
                ScriptedTransport.answer(200, [.contentType: type, .eTag: "\"1\""], body: text)
            }
        }
        let offline = await preload("/")
        #expect(offline.opening == (host == "other" ? 0 : 1), "\(offline)")
        let paths = bench.transport.requests.map { $0.head.targetURL }
        #expect(paths.contains("https://\(host).test/i.png") == (host != "other"), "\(paths)")
    }
}
