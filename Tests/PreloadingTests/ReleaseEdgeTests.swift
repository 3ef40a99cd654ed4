import CacheEngine
import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Manifests
import Testing

@testable import Preloading

/// Files that keep their names from release to release, and what is in one release alone.
@Suite("A release beside what keeps its name, comes and goes", .timeLimit(.minutes(5)))
struct ReleaseEdgeTests {
    typealias File = (path: String, text: String, use: ListedFile.Use, group: String)

    private static func installed(
        _ files: [File], _ rules: RuleList = .protocolOnly, asked query: String? = nil
    ) async throws -> ManifestBench {
        let bench = try ManifestBench(PreloadBench(.disk, rules: rules))
        try publish(1, files, to: bench, asked: query)
        _ = try await bench.preload.update()
        #expect(await bench.bench.queue.run().verified == files.count)
        bench.bench.clock.advance(by: .seconds(1))
        return bench
    }

    /// Everything is validated at each use.
    private static func publish(
        _ serial: Int64, _ files: [File], to bench: ManifestBench, statuses: [String: Int] = [:],
        controls: [String: String] = [:], asked query: String? = nil
    ) throws {
        for file in files {
            let type =
                switch file.use {
                case .document: "text/html"
                case .style: "text/css"
                case .fetch: "application/json"
                default: "text/javascript"
                }
            // A name that is asked for with a hash is one that never changes.
            let usual = query == nil || file.use == .document ? "max-age=0" : "max-age=31536000, immutable"
            let control = controls[file.path] ?? usual
            let fields: HTTPFields = [.cacheControl: control, .contentType: type, .eTag: "\"\(file.text)\""]
            for path in [file.path] + (query.map { [file.path + $0] } ?? []) {
                bench.bench.on("/larder/" + path) { request in
                    if request.head.headerFields[.ifNoneMatch] == fields[.eTag] {
                        return ScriptedTransport.answer(304, fields)
                    }
                    return ScriptedTransport.answer(statuses[file.path] ?? 200, fields, body: file.text)
                }
            }
        }
        let list = ReleaseList(
            release: "r\(serial)", ignoreQuery: ["v"],
            files: files.map { file in
                let content = Array(file.text.utf8)
                return ListedFile(
                    path: file.path, digest: BodyDigest(of: content), size: ByteCount(content.count),
                    use: file.use, group: FileGroup(file.group))
            })
        bench.publish(list)
        bench.publish(head: try bench.signed(bench.head(serial, list)))
    }

    private static func site(_ release: Int) -> [File] {
        [
            ("index.html", "index-\(release)", .document, "page:/larder/index.html"),
            ("a-\(release).js", "module-\(release)", .module, "boot"),
            ("site.css", "style-\(release)", .style, "boot"), ("site.json", "json-\(release)", .fetch, "lazy"),
        ]
    }

    private func text(
        _ path: String, _ destination: Destination = .document, of page: String? = nil,
        _ connectivity: Connectivity = .disconnected, in bench: PreloadBench
    ) async throws -> String {
        let fields: HTTPFields = page.map { [.referer: ManifestBench.base + $0] } ?? [:]
        let answer = await bench.page(
            "/larder/" + path, fields, destination: destination, connectivity: connectivity)
        return try await bench.text(answer)
    }

    @Test("a lazy file that was fetched for a release that waited is not asked for again")
    func stagedBefore() async throws {
        let bench = try await Self.installed(Self.site(1))
        try Self.publish(2, Self.site(2), to: bench, statuses: ["a-2.js": 404])
        _ = try await bench.preload.update()
        await bench.bench.runToEnd()
        #expect(try await text("site.json", .fetch, in: bench.bench) == "json-1")
        let again = try bench.bench.restarted { $0.atOnce = 1 }
        try Self.publish(2, Self.site(2), to: bench)
        let asked = bench.bench.transport.requests.count
        _ = try await ManifestPreload(bench.source, queue: again.queue, states: bench.states).update()
        let summary = await again.runToEnd()
        #expect(summary.verified == 4 && summary.refused.isEmpty, "\(summary)")
        #expect(try await text("site.json", .fetch, in: again) == "json-2")
        #expect(!bench.bench.transport.requests[asked...].contains { $0.head.path == "/larder/site.json" })
    }

    struct Newcomer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var file: File
        var holds: Bool
        var status = 404
        var control = "max-age=0"
        var reason = PreloadRefusal.Reason.status
    }

    @Test(
        "what is refused holds a release where a page could get an earlier one, or can't do without it",
        arguments: [
            Newcomer(
                testDescription: "a page that is sent as an error", file: ("50x.html", "x", .document, "page:/50x"),
                holds: false),
            Newcomer(
                testDescription: "a page that is not shown", file: ("x.html", "x", .document, "page:/x"),
                holds: false, status: 403),
            Newcomer(
                testDescription: "a page that may not be stored", file: ("own.html", "x", .document, "page:/own"),
                holds: false, status: 200, control: "no-store", reason: .notStorable),
            Newcomer(
                testDescription: "a script that may not be stored", file: ("x-2.js", "x", .script, "boot"),
                holds: true, status: 200, control: "no-store", reason: .notStorable),
            Newcomer(testDescription: "a new image", file: ("x-2.png", "x", .image, "shared"), holds: false),
            Newcomer(testDescription: "a new script", file: ("x-2.js", "x", .script, "boot"), holds: true),
            Newcomer(testDescription: "a new style", file: ("x-2.css", "x", .style, "boot"), holds: true),
        ])
    func refused(_ row: Newcomer) async throws {
        let bench = try await Self.installed(Self.site(1))
        try Self.publish(
            2, Self.site(2) + [row.file], to: bench, statuses: [row.file.path: row.status],
            controls: [row.file.path: row.control])
        _ = try await bench.preload.update()
        #expect(await bench.bench.runToEnd().refused == [row.reason: 1])
        #expect(try await text("index.html", in: bench.bench) == (row.holds ? "index-1" : "index-2"))
    }

    @Test("an image that keeps its name holds a release until it comes")
    func refusedEarlier() async throws {
        let image: (String) -> File = { ("logo.png", $0, .image, "shared") }
        let bench = try await Self.installed(Self.site(1) + [image("logo-1")])
        try Self.publish(2, Self.site(2) + [image("logo-2")], to: bench, statuses: ["logo.png": 404])
        _ = try await bench.preload.update()
        await bench.bench.runToEnd()
        #expect(try await text("index.html", in: bench.bench) == "index-1")
        #expect(try await text("logo.png", .image, in: bench.bench) == "logo-1")
    }

    @Test("a page that the host had, at whatever address, holds a release when it is gone")
    func goneBehindRedirect() async throws {
        let frame: (Int) -> File = { ("frame.html", "frame-\($0)", .document, "page:/larder/frame.html") }
        let bench = try ManifestBench(PreloadBench(.disk, rules: .protocolOnly))
        try Self.publish(1, Self.site(1) + [frame(1)], to: bench)
        bench.publish(files: [("frame", "frame-1")])
        bench.bench.on("/larder/frame.html") { _ in
            ScriptedTransport.answer(308, [.location: "frame", .cacheControl: "max-age=0"])
        }
        _ = try await bench.preload.update()
        #expect(await bench.bench.queue.run().isSettled)
        #expect(try await text("index.html", in: bench.bench) == "index-1")
        bench.bench.clock.advance(by: .seconds(1))
        try Self.publish(2, Self.site(2) + [frame(2)], to: bench, statuses: ["frame.html": 404])
        _ = try await bench.preload.update()
        #expect(await bench.bench.runToEnd().refused == [.status: 1])
        #expect(try await text("index.html", in: bench.bench) == "index-1")
    }

    @Test("an address that is named besides and leads to a listed page leaves that as it is listed")
    func named() async throws {
        let bench = try await Self.installed(Self.site(1), RuleList { RuleList.webViewDefaults })
        bench.bench.on("/larder/go") { _ in ScriptedTransport.answer(302, [.location: "index.html"]) }
        bench.bench.on("/larder/index.html") { _ in
            ScriptedTransport.answer(200, [.contentType: "text/html"], body: "another")
        }
        let item = PreloadItem(url: ManifestBench.base + "go", destination: .document)
        #expect(await bench.bench.preload([item], set: "named").isSettled)
        #expect(try await text("index.html", in: bench.bench) == "index-1")
        let pages = await bench.bench.queue.openOffline()
        #expect(pages.lacking.isEmpty && pages.opening == 2, "\(pages)")
    }

    @Test("a page that a visit has stored is not counted as the listed one")
    func visitedPage() async throws {
        let bench = try ManifestBench(PreloadBench(.disk, rules: RuleList { RuleList.webViewDefaults }))
        try Self.publish(1, Self.site(1), to: bench)
        bench.bench.on("/larder/index.html") { _ in
            ScriptedTransport.answer(200, [.contentType: "text/html"], body: "another")
        }
        #expect(try await text("index.html", of: nil, .connected, in: bench.bench) == "another")
        bench.bench.clock.advance(by: .seconds(1))
        _ = try await bench.preload.update()
        await bench.bench.runToEnd()
        let pages = await bench.bench.queue.openOffline()
        #expect(pages.opening == 0 && pages.lacking.count == 1, "\(pages)")
    }

    @Test("beside pages of a first release that never came to its end, a new page waits for the whole of the next one")
    func neverInForce() async throws {
        let frame: (Int) -> File = { ("frame.html", "frame-\($0)", .document, "page:/larder/frame.html") }
        let page: File = ("new.html", "new-2", .document, "page:/larder/new.html")
        let bench = try ManifestBench(PreloadBench(.disk, rules: .protocolOnly))
        for release in [1, 2] {
            let files = Self.site(release) + [frame(release)] + (release == 2 ? [page] : [])
            try Self.publish(Int64(release), files, to: bench, statuses: ["site.css": 404])
            _ = try await bench.preload.update()
            #expect(await bench.bench.runToEnd().refused == [.status: 1])
            bench.bench.clock.advance(by: .seconds(1))
            #expect(try await text("frame.html", in: bench.bench) == "frame-1")
            #expect(try await text("new.html", in: bench.bench) != "new-2")
        }
        try Self.publish(3, Self.site(2) + [frame(2), page], to: bench)
        _ = try await bench.preload.update()
        await bench.bench.runToEnd()
        #expect(try await text("frame.html", in: bench.bench) == "frame-2")
        #expect(try await text("new.html", in: bench.bench) == "new-2")
    }

    @Test(
        "a new page of a release that waits is not seen, whatever it waits for: it could get files of the release before",
        arguments: ["a-2.js", "logo.png"])
    func newPage(missing: String) async throws {
        let image: (Int) -> File = { ("logo.png", "logo-\($0)", .image, "shared") }
        let bench = try await Self.installed(Self.site(1) + [image(1)])
        let page: File = ("new.html", "new-2", .document, "page:/larder/new.html")
        try Self.publish(2, Self.site(2) + [image(2), page], to: bench, statuses: [missing: 404])
        _ = try await bench.preload.update()
        await bench.bench.runToEnd()
        #expect(try await text("index.html", in: bench.bench) == "index-1")
        #expect(try await text("new.html", in: bench.bench) != "new-2")
    }

    @Test("a page that a host sends in place of a file is no such file offline")
    func pageAsFile() async throws {
        let bench = try PreloadBench(.disk)
        for (path, text) in [("/a.html", "<img src=a.svg><img src=b.svg>"), ("/a.svg", "<p>None here.")] {
            bench.on(path) { _ in
                ScriptedTransport.answer(200, [.cacheControl: "max-age=600", .contentType: "text/html"], body: text)
            }
            _ = try await bench.text(await bench.page(path, [:], destination: .document, connectivity: .connected))
        }
        let offline = await bench.queue.openOffline(and: [PreloadBench.base + "/a.html"])
        #expect(offline.lacking.first?.missing.map(\.url) == ["/a.svg", "/b.svg"].map { PreloadBench.base + $0 })
        #expect(offline.lacking.first?.missing.first?.message.contains("a page (text/html)") == true)
    }

    @Test(
        "a file whose type the page does not take is lacked (HTML, module scripts; WebKit, style sheets)"
    )
    func wrongType() async throws {
        let bench = try PreloadBench(.disk)
        let page =
            "<!doctype html><script type=module src=a.mjs></script><script src=b.js></script>"
            + "<link rel=stylesheet href=c.css>"
        let binary = "application/octet-stream"
        let files = [
            ("/a.html", "text/html", page), ("/a.mjs", binary, "1"), ("/b.js", binary, "2"), ("/c.css", binary, ""),
        ]
        for (path, type, text) in files {
            bench.on(path) { _ in
                ScriptedTransport.answer(200, [.cacheControl: "max-age=600", .contentType: type], body: text)
            }
            _ = try await bench.text(await bench.page(path, [:], destination: .document, connectivity: .connected))
        }
        let offline = await bench.queue.openOffline(and: [PreloadBench.base + "/a.html"])
        #expect(offline.lacking.first?.missing.map(\.url) == ["/a.mjs", "/c.css"].map { PreloadBench.base + $0 })
        #expect(offline.lacking.first?.missing.first?.message.contains("the type 'application/octet-stream'") == true)
    }

    @Test("what a page does not load by itself is not lacked")
    func notLoaded() async throws {
        let bench = try PreloadBench(.disk)
        let page = """
            <!doctype html><link rel=stylesheet href=a.css disabled><video src=b.mp4 preload=none><track src=c.vtt></video>
            <audio src=d.mp3 PRELOAD=None></audio><video src=e.mp4><track src=f.vtt default></video>
            """
        bench.answer("/page.html", 200, [.cacheControl: "max-age=600", .contentType: "text/html"], body: page)
        _ = try await bench.text(await bench.page("/page.html", [:], destination: .document))
        bench.clock.advance(by: .seconds(1))
        bench.answer("/other.html", 200, [.cacheControl: "max-age=600", .contentType: "text/html"], body: "other")
        await bench.preload([PreloadItem(url: PreloadBench.base + "/other.html", destination: .document)])
        let offline = await bench.queue.openOffline(and: [PreloadBench.base + "/page.html"])
        #expect(offline.lacking.first?.missing.map(\.url) == ["/e.mp4", "/f.vtt"].map { PreloadBench.base + $0 })
    }

    @Test("modules within a page import files that it lacks, by their addresses and by import maps")
    func inlineModules() async throws {
        let bench = try PreloadBench(.disk)
        let page = """
            <!doctype html><script type=importmap>{"imports": {"kit": "/kit.mjs", "lib/": "/libraries/"}}</script>
            <script type=module>import '/a.mjs'; import {b} from "./b.mjs"; export * from '../c.mjs'
            import kit from 'kit'; import 'lib/d.mjs'; import 'unknown'; go(() => import('/later.mjs'))</script>
            <script>import '/no-module.mjs'</script><template><script type=module>import '/inert.mjs'</script></template>
            """
        bench.answer("/a/page.html", 200, [.cacheControl: "max-age=600", .contentType: "text/html"], body: page)
        _ = try await bench.text(await bench.page("/a/page.html", [:], destination: .document))
        bench.clock.advance(by: .seconds(1))
        let item = PreloadItem(url: PreloadBench.base + "/other.html", destination: .document)
        bench.answer("/other.html", 200, [.cacheControl: "max-age=600", .contentType: "text/html"])
        await bench.preload([item])
        let offline = await bench.queue.openOffline(and: [PreloadBench.base + "/a/page.html"])
        let missing = ["/a.mjs", "/a/b.mjs", "/c.mjs", "/kit.mjs", "/libraries/d.mjs"]
        #expect(offline.lacking.first?.missing.map(\.url) == missing.map { PreloadBench.base + $0 })
    }

    @Test("a page that only a newer release has, and that was opened online, has the files that it had then")
    func newerAlone() async throws {
        let bench = try await Self.installed(Self.site(1), RuleList { RuleList.webViewDefaults })
        let page: File = ("new.html", "new-2", .document, "page:/larder/new.html")
        try Self.publish(2, Self.site(2) + [page], to: bench)
        #expect(try await text("new.html", of: nil, .connected, in: bench.bench) == "new-2")
        #expect(try await text("site.css", .style, of: "new.html", .connected, in: bench.bench) == "style-2")
        bench.bench.clock.advance(by: .seconds(1))
        #expect(try await text("new.html", in: bench.bench) == "new-2")
        #expect(try await text("site.css", .style, of: "new.html", in: bench.bench) == "style-2")
        #expect(try await text("index.html", in: bench.bench) == "index-1")
        #expect(try await text("site.css", .style, of: "index.html", in: bench.bench) == "style-1")
    }

    @Test("a page that its server does not confirm has its release's files, whatever another page fetched")
    func unconfirmed() async throws {
        let other: (Int) -> File = { ("other.html", "other-\($0)", .document, "page:/larder/other.html") }
        let bench = try await Self.installed(Self.site(1) + [other(1)], RuleList { RuleList.webViewDefaults })
        try Self.publish(2, Self.site(2) + [other(2)], to: bench)
        let (online, page) = (Connectivity.connected, "other.html")
        #expect(try await text(page, of: nil, online, in: bench.bench) == "other-2")
        #expect(try await text("site.css", .style, of: page, online, in: bench.bench) == "style-2")
        bench.bench.clock.advance(by: .seconds(1))
        for file in Self.site(1) {
            bench.bench.on("/larder/" + file.path) { _ in
                throw TransportError(code: .connectionFailed, message: "The test ends the server.")
            }
        }
        #expect(try await text("index.html", of: nil, online, in: bench.bench) == "index-1")
        #expect(try await text("site.css", .style, of: "index.html", online, in: bench.bench) == "style-1")
        // Back again, and unchanged: it gets what is newer.
        try Self.publish(2, Self.site(2).map { $0.use == .document ? Self.site(1)[0] : $0 }, to: bench)
        bench.bench.clock.advance(by: .seconds(60))
        #expect(try await text("index.html", of: nil, online, in: bench.bench) == "index-1")
        #expect(try await text("site.css", .style, of: "index.html", online, in: bench.bench) == "style-2")
    }

    @Test("a page of the release has its files, whatever another page stored with a query that is passed over")
    func queries() async throws {
        let bench = try await Self.installed(Self.site(1), RuleList { RuleList.webViewDefaults })
        bench.bench.on("/larder/site.css?v=1") { _ in
            ScriptedTransport.answer(200, [.contentType: "text/css", .cacheControl: "max-age=60"], body: "style-2")
        }
        #expect(try await text("site.css?v=1", .style, of: "new.html", .connected, in: bench.bench) == "style-2")
        bench.bench.clock.advance(by: .seconds(1))
        #expect(try await text("index.html", in: bench.bench) == "index-1")
        #expect(try await text("site.css?v=1", .style, of: "index.html", in: bench.bench) == "style-1")
        #expect(try await text("site.css?v=2", .style, of: "index.html", in: bench.bench) == "style-1")
    }

    @Test(
        "a page that is newer than the release gets its files by the query that it asks with, however long they are fresh"
    )
    func hashInQuery() async throws {
        let bench = try await Self.installed(Self.site(1), RuleList { RuleList.webViewDefaults }, asked: "?v=1")
        let requests = { bench.bench.transport.requests.count }
        // The page is confirmed, and its files answer at once.
        #expect(try await text("index.html", of: nil, .connected, in: bench.bench) == "index-1")
        let before = requests()
        for file in Self.site(1).dropFirst() {
            let found = try await text(file.path + "?v=1", .script, of: "index.html", .connected, in: bench.bench)
            #expect(found == file.text && requests() == before)
        }
        // The deploy comes between two visits, before the next release is fetched.
        try Self.publish(2, Self.site(2), to: bench, asked: "?v=2")
        // Without a network the release in force opens.
        for (release, connectivity) in [(2, Connectivity.connected), (2, .connected), (1, .disconnected)] {
            bench.bench.clock.advance(by: .seconds(60))
            let page = try await text("index.html", of: nil, connectivity, in: bench.bench)
            #expect(page == "index-\(release)")
            for file in Self.site(release).dropFirst() {
                let path = file.path + "?v=\(release)"
                #expect(try await text(path, .script, of: "index.html", connectivity, in: bench.bench) == file.text)
            }
        }
    }
}
