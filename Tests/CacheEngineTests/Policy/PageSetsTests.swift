import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("A page without a network has the files that it was last shown with", .timeLimit(.minutes(5)))
struct PageSetsTests {
    private let bench: Bench
    private let version = LockedBox(1)
    private static let files: [(path: String, type: String, referer: String?)] = [
        ("/style.css", "text/css", nil), ("/app.js", "text/javascript", nil), ("/data.json", "application/json", nil),
        // Styles and scripts ask in their own names.
        ("/face.woff2", "font/woff2", "/style.css"), ("/part.js", "text/javascript", "/app.js"),
    ]

    init() throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        self.bench = bench
        for (path, type, _) in [("/a", "text/html", nil), ("/b", "text/html", nil)] + Self.files {
            bench.transport.on(Bench.base + path) { [version, clock = bench.clock] request in
                clock.advance(by: .milliseconds(1))
                let tag = "\"\(version.withLock { $0 })\""
                let fields: HTTPFields = [.contentType: type, .eTag: tag]
                if request.head.headerFields[.ifNoneMatch] == tag { return ScriptedTransport.answer(304, fields) }
                return ScriptedTransport.answer(200, fields, body: "\(version.withLock { $0 })")
            }
        }
    }

    private func get(
        _ path: String, _ destination: Destination, of page: String, _ connectivity: Connectivity,
        _ cache: ResponseCache
    ) async throws -> String {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path)
        if destination != .document { head.headerFields[.referer] = "https://example.com" + page }
        head.headerFields[.accept] = destination == .image ? "image/*" : "text/html"
        let context = ExchangeContext(destination: destination, connectivity: connectivity)
        let text = try await Bench.read(await cache.respond(to: EngineRequest(head: head, context: context)))
        await cache.waitForCommits()
        await cache.waitForBackgroundWork()
        return text
    }

    private func visit(
        _ page: String, _ connectivity: Connectivity = .connected, by cache: ResponseCache? = nil
    ) async throws -> [String] {
        let cache = cache ?? bench.cache
        var texts = [try await get(page, .document, of: page, connectivity, cache)]
        for (path, type, referer) in Self.files {
            let destination: Destination =
                type == "text/css"
                ? .style : type == "font/woff2" ? .font : type == "text/javascript" ? .script : .fetch
            texts.append(try await get(path, destination, of: referer ?? page, connectivity, cache))
        }
        bench.clock.advance(by: .seconds(60))
        return texts
    }

    private func deploy(_ number: Int) { version.withLock { $0 = number } }

    private var restarted: ResponseCache {
        ResponseCache(
            store: bench.store, transport: bench.transport,
            configuration: EngineConfiguration(rules: .webViewDefaults, clock: bench.clock.engineClock))
    }

    private static func all(_ version: Int) -> [String] { Array(repeating: "\(version)", count: files.count + 1) }

    @Test("each of two pages has its own, whatever deploys came between them", arguments: [false, true])
    func offline(isRestarted: Bool) async throws {
        for round in 0..<5 {
            let (first, second) = (2 * round + 1, 2 * round + 2)
            deploy(first)
            #expect(try await visit("/a") == Self.all(first))
            deploy(second)
            #expect(try await visit("/b") == Self.all(second))
            let cache = isRestarted ? restarted : bench.cache
            #expect(try await visit("/a", .disconnected, by: cache) == Self.all(first))
            #expect(try await visit("/b", .disconnected, by: cache) == Self.all(second))
            #expect(try await visit("/a", .disconnected, by: cache) == Self.all(first))
        }
        // Files that no page has any more go.
        deploy(20)
        for page in ["/a", "/b", "/a", "/b"] { #expect(try await visit(page) == Self.all(20)) }
        deploy(21)
        for page in ["/a", "/b"] { #expect(try await visit(page) == Self.all(21)) }
        let left = try await bench.store.entries(for: CacheKey(uri: Bench.base + "/style.css"))
        #expect(left.count <= 3, "of now, and of the pages before")
    }

    @Test(
        "a visit that was cut off after a deploy leaves the version before, whole, until the new one is visited",
        arguments: [1, 2, 5], [false, true])
    func cutOff(files: Int, isDown: Bool) async throws {
        deploy(1)
        #expect(try await visit("/a") == Self.all(1))
        deploy(2)
        _ = try await get("/a", .document, of: "/a", .connected, bench.cache)
        for (path, type, referer) in Self.files.prefix(files) where path != "/app.js" && path != "/part.js" {
            _ = try await get(path, type == "text/css" ? .style : .fetch, of: referer ?? "/a", .connected, bench.cache)
        }
        bench.clock.advance(by: .seconds(60))
        // As after a kill.
        let cache = restarted
        if isDown {
            for path in ["/a"] + Self.files.map(\.path) {
                bench.transport.on(Bench.base + path) { [version, clock = bench.clock] request in
                    clock.advance(by: .milliseconds(1))
                    guard version.withLock({ $0 }) > 2 else {
                        throw TransportError(code: .connectionFailed, message: "The server is gone.")
                    }
                    return ScriptedTransport.answer(
                        200, [.contentType: Self.files.first { $0.path == path }?.type ?? "text/html", .eTag: "\"3\""],
                        body: "3")
                }
            }
        }
        let network = isDown ? Connectivity.connected : .disconnected
        for _ in 0..<3 { #expect(try await visit("/a", network, by: cache) == Self.all(1)) }
        deploy(3)
        #expect(try await visit("/a", by: cache) == Self.all(3))
        #expect(try await visit("/a", .disconnected, by: restarted) == Self.all(3))
    }

    @Test("data that a page has changed is shown by no page any more", arguments: [false, true])
    func changed(isRestarted: Bool) async throws {
        #expect(try await visit("/a") == Self.all(1))
        _ = await bench.send(
            "/cart", [.referer: "https://example.com/b"], method: .post, context: ExchangeContext(destination: .fetch))
        deploy(2)
        #expect(try await visit("/b") == Self.all(2))
        let cache = isRestarted ? restarted : bench.cache
        // Its style, script and font are its own; the data, which come third, are those of now.
        #expect(try await visit("/a", .disconnected, by: cache) == ["1", "1", "1", "2", "1", "1"])
    }

    @Test("a redirect is a file as well: a page has the one that it was last shown with", arguments: [false, true])
    func redirected(isRestarted: Bool) async throws {
        bench.transport.on(Bench.base + "/app.js") { [version, clock = bench.clock] _ in
            clock.advance(by: .milliseconds(1))
            return ScriptedTransport.answer(302, [.location: "/app-\(version.withLock { $0 }).js"])
        }
        func shown(_ page: String, _ connectivity: Connectivity, _ cache: ResponseCache) async throws -> String {
            let release = try await get(page, .document, of: page, connectivity, cache)
            var head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/app.js")
            head.headerFields[.referer] = "https://example.com" + page
            let context = ExchangeContext(destination: .script, connectivity: connectivity)
            let answer = await cache.respond(to: EngineRequest(head: head, context: context))
            _ = try await Bench.read(answer)
            await cache.waitForBackgroundWork()
            bench.clock.advance(by: .seconds(60))
            return release + (answer.head.headerFields[.location] ?? " none")
        }
        deploy(1)
        for page in ["/a", "/b"] { #expect(try await shown(page, .connected, bench.cache) == "1/app-1.js") }
        deploy(2)
        #expect(try await shown("/a", .connected, bench.cache) == "2/app-2.js")
        let cache = isRestarted ? restarted : bench.cache
        for _ in 0..<2 {
            let seen = try await shown("/b", .disconnected, cache)
            #expect(seen == "1/app-1.js")
            #expect(try await shown("/a", .disconnected, cache) == "2/app-2.js")
        }
    }

    @Test("a page in a frame is a file as well: each page keeps its own over several deploys")
    func framed() async throws {
        bench.transport.on(Bench.base + "/frame") { [version, clock = bench.clock] _ in
            clock.advance(by: .milliseconds(1))
            let number = version.withLock { $0 }
            return ScriptedTransport.answer(
                200, [.contentType: "text/html", .eTag: "\"\(number)\""], body: "\(number)")
        }
        func shown(_ page: String, _ connectivity: Connectivity = .connected) async throws -> [String] {
            let text = try await get(page, .document, of: page, connectivity, bench.cache)
            let frame = try await get("/frame", .iframe, of: page, connectivity, bench.cache)
            bench.clock.advance(by: .seconds(60))
            return [text, frame]
        }
        deploy(1)
        #expect(try await shown("/a") == ["1", "1"])
        for number in 2...4 {
            deploy(number)
            #expect(try await shown("/b") == ["\(number)", "\(number)"])
            #expect(try await shown("/a", .disconnected) == ["1", "1"])
        }
    }

    @Test(
        "names that a release changes are no files that did not come",
        arguments: ["/vN/app.js", "/app.js?N", "/main-Hq.js"])
    func numbered(_ name: String) async throws {
        // As hashes that are not known for ones, such as B11A85F2.
        func path(_ number: Int) -> String {
            let hash = String(UInt32(truncatingIfNeeded: number &* 2_654_435_761), radix: 16, uppercase: true)
            return name.replacing("N", with: "\(number)").replacing("H", with: hash)
        }
        for number in 1...12 {
            bench.transport.on(Bench.base + path(number)) { [clock = bench.clock] _ in
                clock.advance(by: .milliseconds(1))
                return ScriptedTransport.answer(
                    200, [.contentType: "text/javascript", .eTag: "\"n\""], body: "\(number)")
            }
        }
        for (number, isCut) in [(9, false), (10, false), (11, true), (12, false)] {
            deploy(number)
            #expect(try await get("/a", .document, of: "/a", .connected, bench.cache) == "\(number)")
            if !isCut {
                _ = try await get(path(number), .script, of: "/a", .connected, bench.cache)
            }
            bench.clock.advance(by: .seconds(60))
            let shown = try await get("/a", .document, of: "/a", .disconnected, restarted)
            #expect(shown == "\(isCut ? number - 1 : number)")
        }
    }

    @Test("a page that needs a file no more opens as it is, once it was seen again")
    func dropped() async throws {
        deploy(1)
        #expect(try await visit("/a") == Self.all(1))
        deploy(2)
        for _ in 0..<2 {
            #expect(try await get("/a", .document, of: "/a", .connected, bench.cache) == "2")
            #expect(try await get("/style.css", .style, of: "/a", .connected, bench.cache) == "2")
            bench.clock.advance(by: .seconds(60))
        }
        let cache = restarted
        #expect(try await get("/a", .document, of: "/a", .disconnected, cache) == "2")
        #expect(try await get("/style.css", .style, of: "/a", .disconnected, cache) == "2")
    }

    @Test("of several variants the one that is replaced is set aside", arguments: [Connectivity.disconnected, nil])
    func variants(_ connectivity: Connectivity?) async throws {
        bench.transport.on(Bench.base + "/picture.svg") { [version, clock = bench.clock] _ in
            clock.advance(by: .milliseconds(1))
            return ScriptedTransport.answer(
                200, [.contentType: "image/svg+xml", .vary: "Accept"], body: "\(version.withLock { $0 })")
        }
        func visit(_ page: String, _ destination: Destination, isOnline: Bool = true) async throws -> [String] {
            let network = isOnline ? .connected : connectivity ?? .connected
            var texts = [try await get(page, .document, of: page, network, bench.cache)]
            texts.append(try await get("/picture.svg", destination, of: page, network, bench.cache))
            bench.clock.advance(by: .seconds(60))
            return texts
        }
        deploy(2)
        #expect(try await visit("/b", .iframe) == ["2", "2"])
        deploy(1)
        #expect(try await visit("/a", .image) == ["1", "1"])
        deploy(2)
        #expect(try await visit("/b", .iframe) == ["2", "2"])
        if connectivity == nil {
            for path in ["/a", "/b", "/picture.svg"] {
                bench.transport.on(Bench.base + path) { _ in
                    throw TransportError(code: .connectionFailed, message: "The server is gone.")
                }
            }
        }
        #expect(try await visit("/a", .image, isOnline: false) == ["1", "1"])
        #expect(try await visit("/b", .iframe, isOnline: false) == ["2", "2"])
    }

    @Test(
        "files of another origin, and of a page whose script has changed its address, are the page's",
        arguments: ["https://example.com/", "https://example.com/virtual/x"])
    func unnamed(_ referer: String) async throws {
        let url = referer.hasSuffix("x") ? Bench.base + "/shared.css" : "https://cdn.example/shared.css"
        bench.transport.on(url) { [version, clock = bench.clock] _ in
            clock.advance(by: .milliseconds(1))
            return ScriptedTransport.answer(200, [.contentType: "text/css"], body: "\(version.withLock { $0 })")
        }
        func visit(_ page: String, _ connectivity: Connectivity = .connected) async throws -> [String] {
            var texts = [try await get(page, .document, of: page, connectivity, bench.cache)]
            let parts = url.split(separator: "/", maxSplits: 2)
            var head = HTTPRequest(
                method: .get, scheme: "https", authority: String(parts[1]), path: "/" + String(parts[2]))
            head.headerFields[.referer] = referer
            let context = ExchangeContext(destination: .style, connectivity: connectivity)
            let answer = await bench.cache.respond(to: EngineRequest(head: head, context: context))
            texts.append(try await Bench.read(answer))
            await bench.cache.waitForCommits()
            await bench.cache.waitForBackgroundWork()
            bench.clock.advance(by: .seconds(60))
            return texts
        }
        #expect(try await visit("/a") == ["1", "1"])
        deploy(2)
        #expect(try await visit("/b") == ["2", "2"])
        #expect(try await visit("/a", .disconnected) == ["1", "1"])
        #expect(try await visit("/b", .disconnected) == ["2", "2"])
    }

    @Test("a page whose files may be shown stale keeps its own while its server is down")
    func whileRevalidating() async throws {
        let control = "max-age=0, stale-while-revalidate=600"
        for path in ["/a", "/b", "/style.css"] {
            bench.transport.on(Bench.base + path) { [version, clock = bench.clock] _ in
                clock.advance(by: .milliseconds(1))
                let type = path.hasSuffix("css") ? "text/css" : "text/html"
                return ScriptedTransport.answer(
                    200, [.contentType: type, .cacheControl: control], body: "\(version.withLock { $0 })")
            }
        }
        func visit(_ page: String) async throws -> [String] {
            let texts = [
                try await get(page, .document, of: page, .connected, bench.cache),
                try await get("/style.css", .style, of: page, .connected, bench.cache),
            ]
            bench.clock.advance(by: .seconds(1))
            return texts
        }
        #expect(try await visit("/a") == ["1", "1"])
        deploy(2)
        for _ in 0..<3 { _ = try await visit("/b") }
        for path in ["/a", "/b", "/style.css"] {
            bench.transport.on(Bench.base + path) { _ in ScriptedTransport.answer(503) }
        }
        for _ in 0..<2 { #expect(try await visit("/a") == ["1", "1"]) }
        #expect(try await visit("/b") == ["2", "2"])
    }

    @Test("explain knows what a page was shown with, in a process that has not shown it")
    func explained() async throws {
        _ = try await visit("/a")
        deploy(2)
        _ = try await visit("/b")
        for (page, isOlder) in [("/a", true), ("/b", false)] {
            var head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/style.css")
            head.headerFields[.referer] = "https://example.com" + page
            let context = ExchangeContext(destination: .style, connectivity: .disconnected)
            let titles = await restarted.explain(EngineRequest(head: head, context: context)).steps.map(\.title)
            #expect(titles.contains("Release") == isOlder, "\(page): \(titles)")
            #expect(titles.contains("Set aside") != isOlder, "\(page): \(titles)")
        }
    }

    @Test(
        "if the network goes before its files came, or the server fails, the page that was whole is the one that opens",
        arguments: [nil, 404, 500, 503])
    func interrupted(_ status: Int?) async throws {
        #expect(try await visit("/a") == Self.all(1))
        deploy(2)
        let style = Bench.base + "/style.css"
        bench.transport.on(style) { _ in
            guard let status else { throw TransportError(code: .connectionFailed, message: "The network goes.") }
            return ScriptedTransport.answer(status, [.contentType: "text/html"])
        }
        let mixed = try await visit("/a")
        #expect(mixed[0] == "2" && mixed[1] == (status == 404 ? "" : "1"), "\(mixed)")
        for cache in [bench.cache, restarted] {
            #expect(try await visit("/a", .disconnected, by: cache) == Self.all(1))
        }
        // A file that is gone for good keeps the page back once.
        if status == 404 { return }
        // Once more, and again without the style.
        deploy(3)
        #expect(try await visit("/a")[0] == "3")
        #expect(try await visit("/a", .disconnected) == Self.all(1))
        bench.transport.on(style) { _ in
            ScriptedTransport.answer(200, [.contentType: "text/css", .eTag: "\"3\""], body: "3")
        }
        #expect(try await visit("/a") == Self.all(3))
        for cache in [bench.cache, restarted] {
            #expect(try await visit("/a", .disconnected, by: cache) == Self.all(3))
        }
    }

    @Test("after a deploy is taken back, a page that is confirmed has its files asked about")
    func takenBack() async throws {
        #expect(try await visit("/a") == Self.all(1))
        deploy(2)
        #expect(try await visit("/b") == Self.all(2))
        deploy(1)
        #expect(try await visit("/a") == Self.all(1))
        let asked = bench.transport.requests.count
        #expect(try await visit("/a") == Self.all(1))
        // The page, and four files in the background: the data has no rule.
        #expect(bench.transport.requests.count <= asked + 1 + Self.files.count)
    }

    @Test("where the origin fails, a page has the files that it was last shown with", arguments: [502, 504])
    func failing(_ status: Int) async throws {
        #expect(try await visit("/a") == Self.all(1))
        deploy(2)
        #expect(try await visit("/b") == Self.all(2))
        for path in ["/a", "/b"] + Self.files.map(\.path) {
            bench.transport.on(Bench.base + path) { _ in ScriptedTransport.answer(status) }
        }
        let texts = try await visit("/a")
        // Data that states nothing is the origin's alone.
        #expect(texts.enumerated().allSatisfy { $0.offset == 3 || $0.element == "1" }, "\(texts)")
    }
}
