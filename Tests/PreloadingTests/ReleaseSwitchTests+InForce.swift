import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Manifests
import ResponseStore
import Testing

@testable import CacheEngine
@testable import Preloading

/// docs/manifests.md: "the release before stays in force until all files of the new one … are verified".
extension ReleaseSwitchTests {
    private static let index = "/larder/index.html"

    private func offline(_ bench: ManifestBench, _ path: String, _ destination: Destination) async throws -> String {
        let page: HTTPFields = destination == .document ? [:] : [.referer: ManifestBench.base + "index.html"]
        return try await bench.bench.text(
            await bench.bench.page(path, page, destination: destination, connectivity: .disconnected))
    }

    @Test("a page that waits for a document of an arriving release gets it from the origin, and the release stays")
    func waitedForInForce() async throws {
        let bench = try await installed(.disk)
        bench.bench.clock.advance(by: .seconds(31_536_001))
        try publish(2, to: bench)
        bench.bench.answer("/larder/a-2.js", 404)
        let (asked, answers) = (Gate(), Gate())
        asked.open()
        bench.bench.on(Self.index) { _ in
            try await asked.pass()
            try await answers.pass()
            return ScriptedTransport.answer(
                200, [.cacheControl: "max-age=31536000", .contentType: "text/html"], body: "index 2")
        }
        _ = try await bench.preload.update()
        let run = bench.bench.begin()
        try await asked.arrivals(1)
        async let page = bench.bench.page(Self.index, destination: .document)
        let key = CacheKey(uri: ManifestBench.base + "index.html")
        while bench.bench.cache.flights.waiting(for: key) == 0 { await Task.yield() }
        answers.open()
        #expect(try await bench.bench.text(await page) == "index 2")
        await run.end()
        await bench.bench.cache.waitForBackgroundWork()
        #expect(try await offline(bench, Self.index, .document) == "index 1")
        #expect(try await offline(bench, "/larder/site.css", .style) == "style 1")
        #expect(try await offline(bench, "/larder/a-1.js", .script) == "module 1")
    }

    @Test(
        "a release that is paused, or not for this app, while it is fetched is fetched no further",
        arguments: [true, false])
    func pausedMeanwhile(_ isPaused: Bool) async throws {
        let bench = try await installed(.disk)
        bench.bench.clock.advance(by: .seconds(1))
        try publish(2, to: bench)
        bench.bench.answer("/larder/a-2.js", 503, [.retryAfter: "60"])
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        bench.bench.answer(
            "/larder/a-2.js", 200, [.cacheControl: "max-age=31536000", .contentType: "text/javascript"],
            body: "module 2")
        bench.publish(
            head: try bench.signed(
                isPaused
                    ? bench.head(3, Self.list(2), state: .paused)
                    : bench.head(3, Self.list(2), minimumApp: AppVersion("3.0"))))
        _ = try await bench.preload.update()
        bench.bench.clock.advance(by: .seconds(3_600))
        await bench.bench.queue.run()
        #expect(try await offline(bench, Self.index, .document) == "index 1")
        // Until it is told to go on.
        bench.publish(head: try bench.signed(bench.head(4, Self.list(2))))
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        #expect(try await offline(bench, Self.index, .document) == "index 2")
    }

    @Test("a page that no release has keeps the files that it was shown with, where releases replace them")
    func pageOutsideTheList() async throws {
        let bench = try ManifestBench(PreloadBench(.disk, rules: .webViewDefaults))
        func install(_ release: Int) async throws {
            try publish(release, to: bench)
            _ = try await bench.preload.update()
            await bench.bench.queue.run()
        }
        func shown(_ connectivity: Connectivity) async throws -> [String] {
            var texts: [String] = []
            for (path, kind, destination) in [
                ("item/7", .document, .document), ("site.css", .style, .style),
            ] as [(String, PreloadDestination, Destination)] {
                let fields = PreloadBench.pageFields(kind) {
                    if kind != .document { $0[.referer] = ManifestBench.base + "item/7" }
                }
                let answer = await bench.bench.page(
                    "/larder/" + path, fields, destination: destination, connectivity: connectivity)
                texts.append(try await bench.bench.text(answer))
                await bench.bench.cache.waitForCommits()
                await bench.bench.cache.waitForBackgroundWork()
            }
            bench.bench.clock.advance(by: .seconds(1))
            return texts
        }
        try await install(1)
        bench.bench.answer("/larder/item/7", 200, [.contentType: "text/html"], body: "item 1")
        #expect(try await shown(.connected) == ["item 1", "style 1"])
        for release in 2...3 {
            try await install(release)
            let seen = try await shown(.disconnected)
            #expect(seen == ["item 1", "style 1"], "\(seen)")
            #expect(try await offline(bench, Self.index, .document) == "index \(release)")
            #expect(try await offline(bench, "/larder/site.css", .style) == "style \(release)")
        }
        bench.bench.answer("/larder/item/7", 200, [.contentType: "text/html"], body: "item 3")
        for connectivity in [Connectivity.connected, .disconnected] {
            #expect(try await shown(connectivity) == ["item 3", "style 3"])
        }
    }

    @Test("a page that the next release drops keeps the files that it was shown with")
    func droppedPage() async throws {
        let bench = try ManifestBench(PreloadBench(.disk, rules: .webViewDefaults))
        try publish(1, to: bench)
        let content = Array("old 1".utf8)
        var list = Self.list(1)
        list.files.append(
            ListedFile(
                path: "old.html", digest: BodyDigest(of: content), size: ByteCount(content.count), use: .document,
                group: FileGroup("page:/larder/old.html")))
        bench.bench.answer("/larder/old.html", 200, [.contentType: "text/html"], body: "old 1")
        bench.publish(list)
        bench.publish(head: try bench.signed(bench.head(1, list)))
        func update() async throws {
            _ = try await bench.preload.update()
            await bench.bench.queue.run()
            await bench.bench.cache.waitForBackgroundWork()
        }
        func shown() async throws -> [String] {
            var texts: [String] = []
            for (path, destination) in [("old.html", .document), ("site.css", .style)] as [(String, Destination)] {
                let fields: HTTPFields =
                    destination == .document ? [:] : [.referer: ManifestBench.base + "old.html"]
                let answer = await bench.bench.page(
                    "/larder/" + path, fields, destination: destination, connectivity: .disconnected)
                texts.append(try await bench.bench.text(answer))
            }
            await bench.bench.cache.waitForBackgroundWork()
            bench.bench.clock.advance(by: .seconds(1))
            return texts
        }
        try await update()
        #expect(try await shown() == ["old 1", "style 1"])
        try publish(2, to: bench)
        try await update()
        let seen = try await shown()
        #expect(seen == ["old 1", "style 1"], "\(seen)")
        #expect(try await offline(bench, Self.index, .document) == "index 2")
        #expect(try await offline(bench, "/larder/site.css", .style) == "style 2")
    }

    @Test("a page's answer that comes after the switch leaves the file of the release beside it")
    func lateVisit() async throws {
        let bench = try await installed(.disk)
        bench.bench.clock.advance(by: .seconds(31_536_001))
        try publish(2, to: bench)
        let (preloads, preloaded, asked, answers) = (Gate(), Gate(), Gate(), Gate())
        for gate in [preloads, asked] { gate.open() }
        let fields: HTTPFields = [.cacheControl: "max-age=31536000", .contentType: "text/css"]
        bench.bench.on("/larder/site.css") { request in
            let isVisit = request.head.headerFields[.init("Sec-Purpose") ?? .accept] == nil
            try await (isVisit ? asked : preloads).pass()
            try await (isVisit ? answers : preloaded).pass()
            return ScriptedTransport.answer(200, fields, body: "style 2")
        }
        let page: HTTPFields = [.referer: ManifestBench.base + "index.html"]
        _ = try await bench.preload.update()
        let run = bench.bench.begin()
        try await preloads.arrivals(1)
        async let visit = bench.bench.page("/larder/site.css", page, destination: .style)
        let key = CacheKey(uri: ManifestBench.base + "site.css")
        while bench.bench.cache.flights.waiting(for: key) == 0 { await Task.yield() }
        preloaded.open()
        try await asked.arrivals(1)
        await run.end(by: .milliseconds(100))
        answers.open()
        #expect(try await bench.bench.text(await visit) == "style 2")
        await bench.bench.cache.waitForBackgroundWork()
        // The next release is not preloaded, and a visit shows it.
        try publish(3, to: bench)
        bench.bench.clock.advance(by: .seconds(31_536_001))
        #expect(try await bench.bench.text(await bench.bench.page(Self.index, destination: .document)) == "index 3")
        #expect(
            try await bench.bench.text(await bench.bench.page("/larder/site.css", page, destination: .style))
                == "style 3")
        await bench.bench.cache.waitForBackgroundWork()
        #expect(try await offline(bench, Self.index, .document) == "index 2")
        #expect(try await offline(bench, "/larder/site.css", .style) == "style 2")
    }

    @Test("a release that is cancelled while it is fetched leaves the pins of the one in force")
    func cancelled() async throws {
        let bench = try await installed(.disk)
        let holder = PreloadQueue.holder("shop")
        let before = try await bench.bench.store.pins(of: holder)
        #expect(!before.isEmpty)
        bench.bench.clock.advance(by: .seconds(1))
        try publish(2, to: bench)
        bench.bench.answer("/larder/a-2.js", 503, [.retryAfter: "60"])
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        await bench.bench.queue.cancel(set: "shop")
        await bench.bench.queue.run()
        #expect(try await bench.bench.store.pins(of: holder).isSuperset(of: before))
    }
}
