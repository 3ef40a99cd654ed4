import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Manifests
import ResponseStore
import Testing

@testable import CacheEngine
@testable import Preloading

/// What docs/manifests.md says under "A release is switched as a whole".
@Suite("A release with documents is switched as a whole", .timeLimit(.minutes(5)))
struct ReleaseSwitchTests {
    typealias File = (path: String, text: String, use: ListedFile.Use, group: String)

    /// Two pages; one style has the same name in each release.
    static func files(_ release: Int) -> [File] {
        [
            ("index.html", "index \(release)", .document, "page:/larder/index.html"),
            ("item.html", "item \(release)", .document, "page:/larder/item.html"),
            ("a-\(release).js", "module \(release)", .module, "boot"),
            ("site.css", "style \(release)", .style, "boot"),
            ("item-\(release).js", "of item \(release)", .module, "item"),
            ("film-\(release).js", "later \(release)", .module, "lazy"),
        ]
    }

    static func list(_ release: Int) -> ReleaseList {
        let files = files(release).map { file in
            let content = Array(file.text.utf8)
            return ListedFile(
                path: file.path, digest: BodyDigest(of: content), size: ByteCount(content.count), use: file.use,
                group: FileGroup(file.group))
        }
        let page = PageNeeds(match: "/larder/item*", needs: [.boot, FileGroup("item")])
        return ReleaseList(release: "r\(release)", pages: [page], files: files)
    }

    private func publishFiles(_ release: Int, to bench: ManifestBench) {
        for file in Self.files(release) { answer(bench, file.path, file.text, file.use) }
    }

    func publish(_ release: Int, to bench: ManifestBench) throws {
        publishFiles(release, to: bench)
        let list = Self.list(release)
        bench.publish(list)
        bench.publish(head: try bench.signed(bench.head(Int64(release), list)))
    }

    private func answer(_ bench: ManifestBench, _ path: String, _ text: String, _ use: ListedFile.Use) {
        let type =
            switch use {
            case .document: "text/html"
            case .style: "text/css"
            default: "text/javascript"
            }
        bench.bench.answer(
            "/larder/" + path, 200, [.cacheControl: "max-age=31536000", .contentType: type], body: text)
    }

    /// An installation with the first release.
    func installed(_ kind: PreloadBench.StoreKind = .memory) async throws -> ManifestBench {
        let bench = try ManifestBench(PreloadBench(kind))
        try publish(1, to: bench)
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        try await expect(1, in: bench)
        return bench
    }

    /// Whether all of a release is in the store, and its documents are the ones in force.
    private func expect(
        _ release: Int, in bench: ManifestBench, by other: PreloadBench? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let installation = other ?? bench.bench
        installation.clock.advance(by: .seconds(1))
        let answers = bench.bench.transport
        for file in Self.files(release) where file.group != "lazy" {
            let count = answers.requests.count
            let text = try await installation.text(await installation.page("/larder/" + file.path))
            #expect(text == file.text && answers.requests.count == count, sourceLocation: sourceLocation)
        }
        installation.clock.advance(by: .seconds(1))
    }

    @Test("RFC 9111 §5.2.1.4: a cache on the way that kept the file before is passed by at once")
    func staleEdge() async throws {
        let bench = try await installed()
        try publish(2, to: bench)
        bench.bench.on("/larder/site.css") { request in
            let isPast = request.head.headerFields[.cacheControl] == "no-cache"
            return ScriptedTransport.answer(
                200, [.contentType: "text/css", .eTag: "\"same\"", .cacheControl: "max-age=600"],
                body: isPast ? "style 2" : "style 1")
        }
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        try await expect(2, in: bench)
    }

    @Test("a page that is opened online before the next look leaves the release whole for when there is no network")
    func openedBetween() async throws {
        let bench = try await installed(.disk)
        try publish(2, to: bench)
        let index = "/larder/index.html"
        func get(
            _ path: String, _ destination: Destination, _ connectivity: Connectivity = .connected
        ) async throws -> String {
            let page: HTTPFields = destination == .document ? [:] : [.referer: ManifestBench.base + "index.html"]
            let answer = await bench.bench.page(path, page, destination: destination, connectivity: connectivity)
            return try await bench.bench.text(answer)
        }
        // Everything is validated a year later.
        bench.bench.clock.advance(by: .seconds(31_536_001))
        #expect(try await get(index, .document) == "index 2")
        #expect(try await get("/larder/site.css", .style) == "style 2")
        #expect(try await get(index, .document, .disconnected) == "index 1")
        #expect(try await get("/larder/site.css", .style, .disconnected) == "style 1")
        #expect(try await get("/larder/a-1.js", .script, .disconnected) == "module 1")
        bench.bench.clock.advance(by: .seconds(1))
        try publish(2, to: bench)
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        try await expect(2, in: bench)
        #expect(try await bench.bench.cache.entries(under: CacheKey(uri: PreloadBench.base + index)).count == 1)
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var path: String
        var answer: ScriptedTransport.Handler

        init(_ what: String, _ path: String, _ answer: @escaping ScriptedTransport.Handler) {
            (testDescription, self.path, self.answer) = (what, path, answer)
        }
    }

    private static let failures = [
        Failure("a module is not there", "a-2.js") { _ in ScriptedTransport.answer(404) },
        Failure("a module has another hash", "a-2.js") { _ in
            ScriptedTransport.answer(200, PreloadBench.fresh, body: "module 3")
        },
        Failure("a module is an HTML page", "a-2.js") { _ in
            ScriptedTransport.answer(200, [.contentType: "text/html"], body: "module 2")
        },
        Failure("the module of one page is not there", "item-2.js") { _ in ScriptedTransport.answer(404) },
        Failure("one document is not there", "item.html") { _ in ScriptedTransport.answer(404) },
        Failure("one document is rewritten by the server", "item.html") { _ in
            ScriptedTransport.answer(200, PreloadBench.fresh, body: "itEm 2")
        },
        Failure("the server is busy", "a-2.js") { _ in ScriptedTransport.answer(503, [.retryAfter: "600"]) },
        Failure("the network is cut", "a-2.js") { _ in
            throw TransportError(code: .connectionFailed, message: "The test cuts the network.")
        },
    ]

    @Test("while a file is missing, the release before stays in force, pinned", arguments: failures)
    func incomplete(_ row: Failure) async throws {
        let bench = try await installed(.disk)
        let pins = try await bench.pins()
        try publish(2, to: bench)
        bench.bench.on("/larder/" + row.path, row.answer)
        _ = try await bench.preload.update()
        let summary = await bench.bench.runToEnd()
        #expect(summary.verified < summary.items)
        try await expect(1, in: bench)
        #expect(try await Set(bench.pins()).isSuperset(of: pins))

        // The publisher mends it.
        publishFiles(2, to: bench)
        _ = try await bench.preload.update()
        #expect(await bench.bench.runToEnd().verified == 6)
        try await expect(2, in: bench)
        #expect(try await bench.pins() == Self.files(2).map { ManifestBench.base + $0.path }.sorted())
    }

    @Test("what waits for its release says so, and a newer release takes its place")
    func overtaken() async throws {
        let bench = try await installed()
        try publish(2, to: bench)
        bench.bench.answer("/larder/a-2.js", 404)
        _ = try await bench.preload.update()
        let summary = await bench.bench.queue.run()
        // Both documents, and the style that has its name from the release before.
        #expect(summary.waiting == [.incompleteRelease: 3] && summary.refused == [.status: 1])
        #expect(summary.next == nil && !summary.isSettled)
        try publish(3, to: bench)
        _ = try await bench.preload.update()
        #expect(await bench.bench.queue.run().verified == 6)
        try await expect(3, in: bench)
    }

    @Test(
        "killed at each request: the release before opens, and what was fetched is not fetched again", arguments: 1...5)
    func killed(_ kill: Int) async throws {
        let bench = try await installed(.disk)
        try publish(2, to: bench)
        // The first release has files of the same names.
        let installed = bench.bench.transport.requests.count
        // All that is asked for later does not come before the end of the process.
        let paths = ["a-2.js", "site.css", "index.html", "item.html", "item-2.js"]
        for path in paths[(kill - 1)...] { bench.bench.answer("/larder/" + path, 503, [.retryAfter: "600"]) }
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        try await expect(1, in: bench)

        let again = try bench.bench.restarted()
        try await expect(1, in: bench, by: again)
        publishFiles(2, to: bench)
        let asked = bench.bench.transport.requests.count
        _ = try await ManifestPreload(bench.source, queue: again.queue, states: bench.states).update()
        #expect(await again.runToEnd().verified == 6)
        try await expect(2, in: bench, by: again)
        let requests = bench.bench.transport.requests.map { $0.head.path ?? "" }
        let (before, later) = (requests[installed..<asked], requests[asked...])
        // Once the host has asked for patience, what was not asked for before is left for later.
        for path in paths[..<(kill - 1)].map({ "/larder/" + $0 }) where before.contains(path) {
            #expect(!later.contains(path))
        }
    }

    @Test(
        "killed before all of it is put in place: the release before opens, and the next process needs no network",
        arguments: ["the same process", "another process", "no head", "a newer release"])
    func killedInPlace(_ what: String) async throws {
        let directory = try TemporaryDirectory()
        let clock = ManualClock()
        let disk = try DiskResponseStore(directory: directory.store, durability: .process, wallTime: { clock.now })
        let store = StallingStorage(disk)
        let bench = try ManifestBench(PreloadBench(over: store, clock: clock))
        try publish(1, to: bench)
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        #expect(try bench.states.manifestState(of: "shop")?.shown == 1)
        clock.advance(by: .seconds(1))
        try publish(2, to: bench)
        // The three modules replace nothing, so they are not staged.
        store.stall(afterMoves: 3)
        _ = try await bench.preload.update()
        let killed = Task { [queue = bench.bench.queue] in await queue.run() }
        try await store.gate.arrivals(1)
        #expect(try bench.states.manifestState(of: "shop")?.shown == 1)
        let asked = bench.bench.transport.requests.count
        if what != "the same process" {
            let again = try PreloadBench(.disk, clock: clock, transport: bench.bench.transport, directory: directory)
            clock.advance(by: .seconds(1))
            try await expect(1, in: bench, by: again)
            switch what {
            case "no head": bench.bench.transport.on(ManifestBench.url) { _ in ScriptedTransport.answer(503) }
            case "a newer release": try publish(3, to: bench)
            default: break
            }
            _ = try? await ManifestPreload(bench.source, queue: again.queue, states: bench.states).update()
            await again.runToEnd()
            let release = what == "no head" ? 1 : what == "a newer release" ? 3 : 2
            try await expect(release, in: bench, by: again)
            #expect(try bench.states.manifestState(of: "shop")?.shown == Int64(release))
            killed.cancel()
        }
        store.gate.open()
        _ = await killed.value
        if what == "the same process" { try await expect(2, in: bench) }
        let later = bench.bench.transport.requests[asked...].compactMap(\.head.path)
        let isOther = what == "a newer release"
        #expect(isOther || later.filter { $0.hasPrefix("/larder/") } == [])
    }

    @Test("a style that a page has stored anew meanwhile is looked at again, and no part of the release is seen before")
    func changedInPlace() async throws {
        let directory = try TemporaryDirectory()
        let clock = ManualClock()
        let disk = try DiskResponseStore(directory: directory.store, durability: .process, wallTime: { clock.now })
        let store = StallingStorage(disk)
        let bench = try ManifestBench(PreloadBench(over: store, clock: clock))
        try publish(1, to: bench)
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        clock.advance(by: .seconds(1))
        try publish(2, to: bench)
        store.stall(afterMoves: 3)
        _ = try await bench.preload.update()
        let run = Task { [queue = bench.bench.queue] in await queue.run() }
        try await store.gate.arrivals(1)
        try await disk.removeEntries(for: CacheKey(uri: ManifestBench.base + "site.css"))
        store.gate.open()
        _ = await run.value
        for path in ["index.html", "item.html"] {
            let text = try await bench.bench.text(await bench.bench.page("/larder/" + path))
            #expect(text == path.prefix { $0 != "." } + " 1")
        }
        clock.advance(by: .seconds(60))
        #expect(await bench.bench.runToEnd().verified == 6)
        try await expect(2, in: bench)
    }

    @Test("what a killed process has fetched of another release does not answer for the origin")
    func killedBefore() async throws {
        let bench = try await installed(.disk)
        try publish(2, to: bench)
        bench.bench.answer("/larder/a-2.js", 503, [.retryAfter: "600"])
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        let again = try bench.bench.restarted()
        try publish(3, to: bench)
        _ = try await ManifestPreload(bench.source, queue: again.queue, states: bench.states).update()
        #expect(await again.runToEnd().verified == 6)
        try await expect(3, in: bench, by: again)
    }

    @Test("where there is none yet, a document is seen once its own files are there, whatever fails elsewhere")
    func first() async throws {
        let bench = try ManifestBench(PreloadBench())
        try publish(1, to: bench)
        let parts = bench.bench
        parts.on("/larder/item-1.js") { _ in
            // The host's other files wait once it has asked for patience.
            while try await !parts.uris().contains(ManifestBench.base + "index.html") { await Task.yield() }
            return ScriptedTransport.answer(503, [.retryAfter: "600"])
        }
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        #expect(try await !bench.bench.uris().contains(ManifestBench.base + "item.html"))
        bench.bench.answer("/larder/item-1.js", 404)
        #expect(await bench.bench.runToEnd().verified == 5)
        #expect(try await bench.bench.uris().contains(ManifestBench.base + "item.html"))
    }

    @Test("a page that waits for a document gets it, as the origin would give it")
    func waitedFor() async throws {
        let bench = try ManifestBench(PreloadBench())
        try publish(1, to: bench)
        bench.bench.answer("/larder/a-1.js", 404)
        let (asked, answers) = (Gate(), Gate())
        asked.open()
        let fields: HTTPFields = [.cacheControl: "max-age=31536000", .contentType: "text/html"]
        bench.bench.on("/larder/index.html") { _ in
            try await asked.pass()
            try await answers.pass()
            return ScriptedTransport.answer(200, fields, body: "index 1")
        }
        _ = try await bench.preload.update()
        let run = bench.bench.begin()
        try await asked.arrivals(1)
        async let page = bench.bench.page("/larder/index.html")
        let key = CacheKey(uri: ManifestBench.base + "index.html")
        while bench.bench.cache.flights.waiting(for: key) == 0 { await Task.yield() }
        answers.open()
        let answer = await page
        #expect(try await bench.bench.text(answer) == "index 1" && answer.cacheStatus.isHit)
        // The rest waits until the page's traffic is over for a while.
        await run.end()
    }
}

/// A store in which nothing takes its place any more after some moves, as if the process had ended there.
private final class StallingStorage: ForwardingStorage {
    let base: any ResponseStorage
    let gate = Gate()
    private let left = LockedBox(Int.max)

    init(_ base: any ResponseStorage) { self.base = base }

    func stall(afterMoves count: Int) { left.withLock { $0 = count } }

    func move(_ moves: [StoredMove]) async throws -> StoredMove.Outcome {
        let isFree = left.withLock { left in
            left -= 1
            return left >= 0
        }
        if !isFree { try await gate.pass() }
        return try await base.move(moves)
    }
}
