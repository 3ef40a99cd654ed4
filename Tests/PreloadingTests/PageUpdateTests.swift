import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("What takes the place of a page that was fetched ahead, and what does not", .timeLimit(.minutes(5)))
struct PageUpdateTests {
    private let bench: PreloadBench
    private static let html: HTTPFields = [.contentType: "text/html"]

    init() throws {
        bench = try PreloadBench(.disk, rules: .webViewDefaults)
    }

    private func preload() async -> (summary: PreloadSummary, pages: OfflinePages) {
        await bench.queue.add([PreloadItem(url: PreloadBench.base + "/").withFiles()], set: "page")
        var summary = await bench.queue.runUntilSettled(set: "page", patience: .zero)
        if summary.next != nil { summary = await bench.runToEnd() }
        bench.clock.advance(by: .seconds(60))
        return (summary, await bench.queue.openOffline(set: "page"))
    }

    private func publish(_ n: Int, _ head: String) {
        bench.answer("/", 200, Self.html, body: "\(n)" + head)
        bench.answer("/a.css", 200, [.contentType: "text/css"], body: "\(n)")
        bench.answer("/a.js", 200, [.contentType: "text/javascript"], body: "\(n)")
    }

    private static let files = "<link rel=stylesheet href=/a.css><script src=/a.js></script>"

    @Test(
        "an answer that is no page leaves the one that is stored, and is refused",
        arguments: [
            ("", html), ("{}", [.contentType: "application/json"]), ("2", [.contentType: "application/octet-stream"]),
            ("2", [.contentType: "text/html", .contentDisposition: "attachment; filename=a.html"]),
        ] as [(String, HTTPFields)])
    func noPage(_ body: String, _ fields: HTTPFields) async throws {
        publish(1, Self.files)
        #expect(await preload().pages.opening == 1)
        publish(2, Self.files)
        bench.answer("/", 200, fields, body: body)
        let (summary, pages) = await preload()
        #expect(summary.refused[.type] == 1, "\(summary)")
        #expect(pages.opening == 1 && pages.lacking.isEmpty)
        #expect(try await bench.offlinePage() == "1" + Self.files)
        publish(3, Self.files)
        #expect(await preload().summary.refused.isEmpty)
        #expect(try await bench.offlinePage() == "3" + Self.files)
    }

    @Test("a first answer without content is no page that opens")
    func empty() async {
        bench.answer("/", 200, Self.html)
        let (summary, pages) = await preload()
        #expect(summary.refused == [.type: 1] && pages.opening == 0, "\(summary) \(pages)")
    }

    @Test(
        "a new page is not put beside an older file: one that may not be stored any more, or that pages can't use",
        arguments: ["/a.css", "/a.js"],
        [[.cacheControl: "no-store"], [.contentType: "text/csv", .xContentTypeOptions: "nosniff"]] as [HTTPFields])
    func unusable(_ path: String, _ change: HTTPFields) async throws {
        publish(1, Self.files)
        _ = await preload()
        publish(2, Self.files)
        var fields: HTTPFields = [.contentType: path == "/a.css" ? "text/css" : "text/javascript"]
        for field in change { fields[field.name] = field.value }
        bench.answer(path, 200, fields, body: "2")
        for _ in 1...2 {
            let (summary, pages) = await preload()
            #expect(summary.refused.count == 1 && pages.opening == 1, "\(summary) \(pages)")
            #expect(try await bench.offlinePage() == "1" + Self.files)
        }
        publish(3, Self.files)
        _ = await preload()
        #expect(try await bench.offlinePage() == "3" + Self.files)
    }

    @Test(
        "a page takes the place of one that lacks the same file",
        arguments: [
            "<link rel=stylesheet href=/gone.css>", "<script src=/gone.js></script>",
            "<script src=/page.js></script>", "<script src=/empty.js></script>", "<img src=/failing>",
            "<link rel=modulepreload href=/gone.js>",
            "<style>p { margin: 0 } @import '/gone.css';</style>",
            "<script type=module>/* import('/gone.js') */</script>",
            "<script type=module>import('/gone.js').catch(() => {})</script>",
        ])
    func lackingBoth(_ head: String) async throws {
        for path in ["/gone.css", "/gone.js"] { bench.answer(path, 404) }
        bench.answer("/page.js", 200, Self.html, body: "page")
        bench.answer("/empty.js", 204)
        bench.answer("/failing", 500)
        for n in 1...3 {
            publish(n, Self.files + head)
            _ = await preload()
            #expect(try await bench.offlinePage() == "\(n)" + Self.files + head)
        }
        // One that lacks more does not.
        publish(4, Self.files + head + "<script src=/lost.js></script>")
        bench.answer("/lost.js", 404)
        _ = await preload()
        #expect(try await bench.offlinePage() == "3" + Self.files + head)
    }

    @Test("images that a script shows later, by their twin in noscript, and the modules of Astro's islands")
    func later() async {
        let page = """
            <astro-island component-url="/c.js" renderer-url="/r.js" client="visible"></astro-island>
            <img data-src=/l.png><noscript><img src=/l.png><img src="/visit.gif?1"><img src=https://count.test/v.gif>
            <script src=/n.js></script></noscript>
            """
        bench.answer("/", 200, Self.html, body: page)
        for path in ["/c.js", "/r.js"] { bench.answer(path, 200, [.contentType: "text/javascript"], body: "1") }
        bench.answer("/l.png", 200, [.contentType: "image/png"], body: "1")
        #expect(await preload().pages.opening == 1)
        let asked = Set(bench.transport.requests.map { $0.head.path ?? "" })
        #expect(asked == ["/", "/c.js", "/r.js", "/l.png"])
    }

    @Test(
        "the page to which a Refresh field leads within ten seconds",
        arguments: ["0; url=/next", "1;URL='/next'", "10"])
    func refreshed(_ field: String) async {
        var fields = Self.html
        fields[HTTPField.Name("Refresh") ?? .location] = field
        bench.answer("/", 200, fields, body: "1")
        bench.answer("/next", 200, Self.html, body: "next")
        #expect(await preload().pages.opening == 1)
        let asked = Set(bench.transport.requests.map { $0.head.path ?? "" })
        #expect(asked == (field == "10" ? ["/"] : ["/", "/next"]))
    }

    @Test("a deploy between a first page and its files leaves nothing that is mixed")
    func firstOvertaken() async {
        let version = LockedBox(1)
        bench.on("/") { _ in
            ScriptedTransport.answer(200, Self.html, body: "\(version.withLock { $0 })" + Self.files)
        }
        for (path, type) in [("/a.css", "text/css"), ("/a.js", "text/javascript")] {
            bench.on(path) { _ in
                version.withLock { $0 = 2 }
                return ScriptedTransport.answer(200, [.contentType: type], body: "2")
            }
        }
        let first = await preload()
        #expect(first.summary.refused == [.validatorChanged: 1] && first.pages.opening == 0, "\(first)")
        let second = await preload()
        #expect(second.summary.refused.isEmpty && second.pages.opening == 1, "\(second)")
    }
}
