import CacheRules
import CacheTesting
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine
@testable import Preloading

/// Redirected files, data and releases.
extension SnapshotTests {
    @Test("a page of a release, which switches by its manifest, is asked for first")
    func ofRelease() async throws {
        try await expect(1)
        for path in ["/", "/site.css", "/deep.css", "/app.js", "/page-1.js", "/part.js", "/photo.svg", "/later-1.js"] {
            for entry in try await bench.store.entries(for: CacheKey(uri: PreloadBench.base + path)) {
                try await bench.cache.tag(entry, [VerifiedContent.release])
            }
        }
        for n in 2...4 {
            release(n)
            try await expect(n)
        }
        let offline = try await visit(.disconnected)
        #expect(isWhole(offline, 1, data: 4) || isWhole(offline, 4), "\(offline)")
    }

    @Test("a file behind a redirect belongs to the snapshot, and so does the redirect")
    func redirectedFile() async throws {
        bench.on("/app.js") { [site] _ in
            ScriptedTransport.answer(302, [.location: "/app-\(site.withLock { $0.release }).js"])
        }
        for n in 1...2 {
            bench.on("/app-\(n).js") { [site] _ in
                site.withLock { $0.release } == n
                    ? ScriptedTransport.answer(200, [.contentType: "text/javascript"], body: "app \(n)")
                    : ScriptedTransport.answer(404, [:])
            }
        }
        func shown(_ connectivity: Connectivity = .connected) async throws -> String {
            let page = try await get("/", .document, connectivity)
            let fields = PreloadBench.pageFields(.script) { $0[.referer] = PreloadBench.base + "/" }
            let answer = await bench.page("/app.js", fields, destination: .script, connectivity: connectivity)
            _ = try await bench.text(answer)
            let location = answer.head.headerFields[.location] ?? "\(answer.head.status)"
            let text = try await get(location, .script, connectivity)
            await completed()
            bench.clock.advance(by: .seconds(60))
            return "\(page.suffix(1)) \(location) \(text)"
        }
        #expect(try await shown() == "1 /app-1.js app 1")
        release(2)
        for (network, n) in [(Connectivity.connected, 1), (.connected, 2), (.disconnected, 2)] {
            #expect(try await shown(network) == "\(n) /app-\(n).js app \(n)")
        }
    }

    @Test("without a network a snapshot has the data that it was last shown with, whatever another page fetched since")
    func data() async throws {
        try await expect(1)
        release(2)
        let fields = PreloadBench.pageFields(.script) { $0[.referer] = PreloadBench.base + "/other" }
        bench.on("/other") { _ in ScriptedTransport.answer(200, [.contentType: "text/html"], body: "other") }
        _ = try await bench.text(await bench.page("/other", PreloadBench.pageFields(.document), destination: .document))
        let other = await bench.page("/data.json", fields, destination: .fetch)
        #expect(try await bench.text(other) == "data 2")
        await completed()
        let offline = try await visit(.disconnected)
        #expect(isWhole(offline, 1), "\(offline)")
    }

    @Test("a first version that lacks a file, as a deploy came between, is not kept")
    func lackingAfterDeploy() async throws {
        bench.on("/solo") { [site] request in
            site.withLock { site in
                let tag = "\"\(site.release)\""
                guard request.head.headerFields[.ifNoneMatch] == tag else {
                    return ScriptedTransport.answer(
                        200, [.contentType: "text/html", .eTag: tag],
                        body: "<script src=/solo-\(site.release).js></script>solo \(site.release)")
                }
                site.release = 2
                return ScriptedTransport.answer(304, [.eTag: tag])
            }
        }
        bench.on("/solo-1.js") { _ in ScriptedTransport.answer(404) }
        bench.on("/solo-2.js") { _ in ScriptedTransport.answer(200, [.contentType: "text/javascript"], body: "2") }
        #expect(try await get("/solo", .document, .connected).hasSuffix("solo 1"))
        await completed()
        #expect(try await get("/solo", .document, .connected).hasSuffix("solo 2"))
    }

    @Test("a version that lacks a file for good is not fetched at each visit; what it lacks is asked for first")
    func lackingForGood() async throws {
        let isMended = AtomicFlag(false)
        // From the second time on the other files come only once the one that is lacking is refused.
        let isRefused = WatchedValue(true)
        let listening = Task { [events = bench.queue.events] in
            for await event in events {
                if case .refused(let item, _, _) = event, item.url.hasSuffix("-40.js") {
                    isRefused.update { $0 = true }
                }
            }
        }
        defer { listening.cancel() }
        bench.on("/many") { [site] _ in
            let n = site.withLock { $0.release }
            let scripts = (1...40).map { "<script src=/many-\(n)-\($0).js></script>" }.joined()
            return ScriptedTransport.answer(
                200, [.contentType: "text/html", .eTag: "\"\(n)\""], body: scripts + "many \(n)")
        }
        for n in 1...2 {
            for file in 1...40 {
                bench.on("/many-\(n)-\(file).js") { [site, clock = bench.clock] _ in
                    clock.advance(by: .milliseconds(1))
                    site.withLock { $0.asked.append(("/many-\(n)", [:])) }
                    if n == 2, file == 40, !isMended.value { return ScriptedTransport.answer(404) }
                    try await isRefused.wait { $0 }
                    return ScriptedTransport.answer(200, [.contentType: "text/javascript"], body: "\(n)")
                }
            }
        }
        /// The page's text, and how many files of the second version were asked for.
        func shown() async throws -> (page: String, asked: Int) {
            deploy { _ in }
            let page = try await get("/many", .document, .connected)
            await completed()
            bench.clock.advance(by: .seconds(60))
            return (String(page.suffix(6)), site.withLock { $0.asked.count { $0.path == "/many-2" } })
        }
        for _ in 0..<2 { #expect(try await shown().page == "many 1") }
        deploy { $0.release = 2 }
        let first = try await shown()
        #expect(first.page == "many 1" && first.asked == 40)
        for _ in 0..<3 {
            isRefused.update { $0 = false }
            let again = try await shown()
            #expect(again.page == "many 1" && (1...8).contains(again.asked), "\(again)")
        }
        isMended.value = true
        let mended = try await shown()
        #expect(mended.page == "many 1" && mended.asked == 40, "\(mended)")
        #expect(try await shown().page == "many 2")
    }
}
