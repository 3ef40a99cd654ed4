import CacheRules
import CacheTesting
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import LarderKit
import Manifests
import Preloading
import Testing

@Suite("Larder, fetching ahead of need", .timeLimit(.minutes(5)))
struct LarderPreloadingTests {
    private typealias Scene = PreloadScene

    @Test("URLs, a list, and a page of links are in the store afterwards, and answer without a network")
    func sources() async throws {
        let scene = try Scene()
        let larder = try scene.larder()
        for path in ["a.js", "b.css", "c.js", "d.js"] { scene.on(path, path) }
        scene.on("preload.html", "<link rel=preload as=script href=d.js>", [.cacheControl: "no-cache"])
        let urls = await larder.preload([Scene.url("a.js"), URL(test: "ftp://shop.example/x")])
        #expect(urls.set == "app:urls" && urls.summary.verified == 1 && !urls.isReady)
        #expect(urls.summary.refused == [.invalidURL: 1])
        #expect(
            try await larder.preload(list: Data("\(Scene.shop)b.css\n\(Scene.shop)c.js\n".utf8), set: "list").isReady)
        let page = try await larder.preload(linksOf: Scene.url("preload.html#x"))
        #expect(page.isReady && page.set == Scene.shop + "preload.html")
        larder.connectivityOverride = .disconnected
        for path in ["a.js", "b.css", "c.js", "d.js"] { #expect(try await larder.text(Scene.shop + path) == path) }
        #expect(scene.asked.count == 5)
    }

    @Test("what can't be read says why, and asks for nothing")
    func refused() async throws {
        let scene = try Scene()
        let larder = try scene.larder()
        scene.on("page.html", "<link rel=icon href=/a.png><h1>Hello</h1>")
        let page = await #expect(throws: PreloadPageError.self) {
            try await larder.preload(linksOf: Scene.url("page.html"))
        }
        #expect(page?.code == .unknownContent)
        await #expect(throws: PreloadListError.self) { try await larder.preload(list: Data("a.js".utf8)) }
        var manifest = scene.manifest
        for keys in [[], ["ed25519:1"]] {
            manifest.keys = keys
            let error = await #expect(throws: ManifestUpdateError.self) { try await larder.preload(manifest: manifest) }
            #expect(error?.code == .refused(.unknownKey))
        }
        #expect(scene.asked == ["/page.html"])
    }

    @Test(
        "a manifest's files are fetched; the next process refuses an older one, also where its memory is damaged")
    func manifest() async throws {
        let scene = try Scene()
        try scene.publish(7, [("app.js", .boot)])
        #expect(try scene.larder().serialInForce(of: scene.manifest) == nil)
        let first = try await scene.larder().preload(manifest: scene.manifest)
        #expect(try scene.larder().serialInForce(of: scene.manifest) == 7)
        #expect(first.isReady && first.set == "shop" && first.update?.serial == 7)
        let id = try #require(scene.state("installation"))
        try scene.publish(6, [("old.js", .boot)])
        let error = await #expect(throws: ManifestUpdateError.self) {
            try await scene.larder().preload(manifest: scene.manifest)
        }
        #expect(error?.code == .refused(.serialOlder) && !scene.asked.contains("/old.js"))
        #expect(scene.state("installation") == id)
        let folder = scene.statePath("")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try "damaged\u{0}".write(toFile: folder + name, atomically: true, encoding: .utf8)
        }
        let damaged = await #expect(throws: ManifestUpdateError.self) {
            try await scene.larder().preload(manifest: scene.manifest)
        }
        #expect(damaged?.code == .stateLost)
        #expect(throws: StoreError.self) { try scene.larder().serialInForce(of: scene.manifest) }
        #expect(scene.state("installation")?.count == 36 && scene.state("installation") != id)
        // Whoever removes it wants to begin anew.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("manifest-") {
            try FileManager.default.removeItem(atPath: folder + name)
        }
        #expect(try await scene.larder().preload(manifest: scene.manifest).isReady)
        #expect(try scene.larder().serialInForce(of: scene.manifest) == 6)
        try await scene.larder().removePreloads(set: "shop")
        #expect(try scene.larder().serialInForce(of: scene.manifest) == nil)
        // What the app was built with counts all the same.
        var newer = scene.manifest
        newer.minimumSerial = 7
        await #expect(throws: ManifestUpdateError.self) { try await scene.larder().preload(manifest: newer) }
    }

    @Test("nothing is fetched for a manifest whose acceptance can't be kept")
    func unkept() async throws {
        let scene = try Scene()
        try scene.publish(1, [("app.js", .boot)])
        // A file where the folder should be.
        try "".write(toFile: scene.directory.store + "-preloads", atomically: true, encoding: .utf8)
        let error = await #expect(throws: ManifestUpdateError.self) {
            try await scene.larder().preload(manifest: scene.manifest)
        }
        #expect(error?.code == .stateLost && scene.asked.isEmpty)
    }

    // MARK: Pages that are expected

    @Test(
        "a page that will probably be opened has its files next after those of every page, and its document is stored")
    func expected() async throws {
        let scene = try Scene()
        let many = (0..<8).map { ("other\($0).js", FileGroup.page("/other")) }
        try scene.publish(
            1,
            many + [
                ("boot.js", .boot), ("late.js", .lazy), ("item.js", FileGroup("item")), ("item2.js", .page("/item/1")),
            ],
            pages: [PageNeeds(match: "/item/*", needs: [FileGroup("item")])])
        let larder = try scene.larder()
        var watch = PreloadWatch(larder)
        // Only the head and the list come through: on such a network files of pages wait.
        scene.connectivity.report(Connectivity(hasNetwork: true, isExpensive: true))
        #expect(try await larder.preload(manifest: scene.manifest).summary.waiting == [.expensive: 11])
        larder.willProbablyOpen(Scene.url("item/1?from=list"))
        await watch.until { if case .waiting(_, "app:expected", _) = $0 { true } else { false } }
        await watch.until { if case .done = $0 { true } else { false } }
        scene.on("item/1?from=list", "page")
        scene.connectivity.report(.connected)
        let started = await watch.started(3)
        #expect(Set(started) == ["item.js", "item2.js", "item/1?from=list"])
        await watch.until { if case .done(let summary) = $0 { summary.verified == 13 } else { false } }
        larder.connectivityOverride = .disconnected
        #expect(try await larder.text(Scene.shop + "item/1?from=list") == "page")
        #expect(try await larder.text(Scene.shop + "late.js") == "late.js")
        let document = try #require(scene.transport.requests(to: Scene.shop + "item/1?from=list").first)
        #expect(
            document.head.headerFields[.cookie] == nil
                && document.head.headerFields[.init("Sec-Purpose") ?? .cookie] == "prefetch")
    }

    @Test("a page that a manifest marks is not asked for, whether it was expected before or is after")
    func marked() async throws {
        let scene = try Scene()
        try scene.publish(
            1, [("app.js", .boot)], pages: [PageNeeds(match: "/signout*", needs: [], hasSideEffects: true)])
        let larder = try scene.larder()
        var watch = PreloadWatch(larder)
        // Only boot is fetched on such a network, so that pages wait.
        scene.connectivity.report(Connectivity(hasNetwork: true, isExpensive: true))
        larder.willProbablyOpen(Scene.url("signout1"))
        await watch.until { if case .waiting(_, "app:expected", _) = $0 { true } else { false } }
        #expect(try await larder.preload(manifest: scene.manifest).summary.verified == 1)
        larder.willProbablyOpen(Scene.url("signout2"))
        larder.willProbablyOpen(Scene.url("item"))
        scene.on("item", "page")
        scene.connectivity.report(.connected)
        await watch.untilVerified("item")
        #expect(!scene.asked.contains { $0.hasPrefix("/signout") }, "\(scene.asked)")
    }

    @Test("a page whose manifest can't be read yet is not asked for with others, and is once that manifest is removed")
    func unknownMarks() async throws {
        let scene = try Scene()
        scene.on("item", "page")
        scene.transport.on("https://other.example/item") { _ in
            ScriptedTransport.answer(200, Scene.fresh, body: "other")
        }
        let larder = try scene.larder()
        var watch = PreloadWatch(larder)
        await #expect(throws: ManifestUpdateError.self) { try await larder.preload(manifest: scene.manifest) }
        larder.willProbablyOpen(Scene.url("item"))
        larder.willProbablyOpen(URL(test: "https://other.example/item"))
        await watch.until {
            if case .verified(let item, _, _, _) = $0 { item.url == "https://other.example/item" } else { false }
        }
        #expect(!scene.asked.contains("/item") || scene.transport.requests(to: Scene.shop + "item").isEmpty)
        try await larder.removePreloads(set: "shop")
        await watch.untilVerified("item")
    }

    @Test(
        "the same page counts once a minute; what may not be stored is not kept, nor is what is no web page asked for")
    func expectedAgain() async throws {
        let scene = try Scene()
        let larder = try scene.larder()
        var watch = PreloadWatch(larder)
        scene.on("private", "mine", [.cacheControl: "no-store"])
        scene.on("a", "a")
        for _ in 0..<5 { larder.willProbablyOpen(Scene.url("private")) }
        larder.willProbablyOpen(URL(test: "mailto:a@shop.example"))
        await watch.until { if case .refused(_, _, let refusal) = $0 { refusal.reason == .notStorable } else { false } }
        larder.willProbablyOpen(Scene.url("a"))
        await watch.untilVerified("a")
        #expect(scene.asked == ["/private", "/a"])
        scene.clock.advance(by: .seconds(61))
        larder.willProbablyOpen(Scene.url("private"))
        await watch.until { if case .refused = $0 { true } else { false } }
        #expect(scene.asked == ["/private", "/a", "/private"])
        larder.connectivityOverride = .disconnected
        #expect(try await !larder.isAvailableOffline(Scene.url("private")))
    }

    // MARK: Circumstances

    @Test("what waits for a network is fetched when it is back, and what waits for another day then")
    func goesOn() async throws {
        let scene = try Scene()
        let larder = try scene.larder { $0.preloadBytesPerDay = ByteCount(6) }
        var watch = PreloadWatch(larder)
        scene.on("a.js", "four")
        scene.on("b.js", "more")
        larder.connectivityOverride = .disconnected
        #expect(await larder.preload([Scene.url("a.js")], set: "a").summary.waiting == [.offline: 1])
        larder.connectivityOverride = nil
        await watch.untilVerified("a.js")
        await watch.until { if case .done = $0 { true } else { false } }
        #expect(await larder.preloadBudget.spent == ByteCount(4))
        #expect(await larder.preload([Scene.url("b.js")], set: "b").summary.waiting == [.budget: 1])
        // Another process goes by what this one has spent.
        let spent = await larder.preloadBudget.spent
        #expect(spent == ByteCount(8))
        #expect(PreloadStateFiles(folder: scene.statePath("")).budget?.spent == spent)
        // It was asked for once, until the day's bytes were spent. Days pass until the queue, which may not wait for
        // the next one yet, has seen one begin.
        while scene.asked.filter({ $0 == "/b.js" }).count < 2 {
            scene.clock.advance(by: .seconds(86_400))
            await Task.yield()
        }
        await watch.untilVerified("b.js")
    }

    @Test("nothing is fetched for an account that is not used any more, and the next one begins anew, with its own")
    func accounts() async throws {
        let scene = try Scene()
        let larder = try scene.larder()
        for path in ["anna.js", "ben.js", "both.js"] { scene.on(path, path) }
        larder.account = "anna"
        #expect(await larder.preload([Scene.url("both.js")], set: "both").isReady)
        larder.connectivityOverride = .disconnected
        #expect(await larder.preload([Scene.url("anna.js")]).summary.waiting == [.offline: 1])
        larder.account = "ben"
        larder.connectivityOverride = nil
        #expect(await larder.preload([Scene.url("both.js"), Scene.url("ben.js")], set: "both").summary.items == 2)
        #expect(Set(scene.asked) == ["/both.js", "/ben.js"] && scene.asked.count == 3)
        #expect(try await larder.isAvailableOffline(Scene.url("ben.js")))
        larder.account = "anna"
        #expect(try await !larder.isAvailableOffline(Scene.url("ben.js")))
        // The pins of the other account's set of that name are still there.
        for (account, count) in [("anna", 1), ("ben", 2)] {
            let removed = try await larder.remove(EntrySelection(partition: account, isPinned: true))
            #expect(removed.entries == count, "\(account)")
        }
    }

    @Test(
        "a set rests when the task that wants it is cancelled, keeps what has arrived, and goes on when it is wanted again"
    )
    func cancelled() async throws {
        let scene = try Scene()
        let larder = try scene.larder()
        let body = ScriptedBody()
        scene.transport.on(Scene.shop + "long.js") { _ in ScriptedTransport.answer(200, Scene.fresh, streaming: body) }
        scene.on("b.js", "b")
        let task = Task { await larder.preload([Scene.url("long.js")], set: "long") }
        try await scene.transport.requests(atLeast: 1)
        task.cancel()
        #expect(await !task.value.isReady)
        #expect(await larder.preload([Scene.url("b.js")]).isReady)
        #expect(scene.asked == ["/long.js", "/b.js"])
        scene.on("long.js", "long")
        #expect(await larder.preload([Scene.url("long.js")], set: "long").isReady)
    }

    @Test("a set that is cancelled is not fetched, and one that is removed loses its pins")
    func ended() async throws {
        let scene = try Scene()
        let larder = try scene.larder()
        scene.on("a.js", "a")
        scene.on("b.js", "b")
        #expect(await larder.preload([Scene.url("a.js")], set: "a").isReady)
        larder.connectivityOverride = .disconnected
        await larder.preload([Scene.url("b.js")], set: "b")
        await larder.cancelPreloads(set: "b")
        try await larder.removePreloads(set: "a")
        larder.connectivityOverride = nil
        #expect(await larder.preload([]).summary.items == 0)
        #expect(scene.asked == ["/a.js"])
        #expect(try await larder.remove(EntrySelection(isPinned: true)).entries == 0)
        #expect(try await larder.isAvailableOffline(Scene.url("a.js")))
    }

    @Test("a Larder that nobody holds ends, whatever it still waits for")
    func ends() async throws {
        let scene = try Scene()
        var larder: Larder? = try scene.larder()
        scene.connectivity.report(.disconnected)
        scene.on("a.js", "a")
        await larder?.preload([Scene.url("a.js")])
        var watch = try #require(larder.map { PreloadWatch($0) })
        weak let held = larder
        larder = nil
        #expect(held == nil)
        // The stream ends with the last queue.
        await watch.until { _ in false }
        #expect(scene.asked.isEmpty)
    }
}
