import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("A new page gets its new files, on a server that states no freshness", .timeLimit(.minutes(5)))
struct PageNewsTests {
    private let bench: Bench
    private let version = LockedBox(1)
    private let time = LockedBox(Duration.milliseconds(1))
    private static let files: [(path: String, type: String)] = [
        ("/style.css", "text/css"), ("/app.js", "text/javascript"), ("/data.json", "application/json"),
        ("/cdn.txt", "text/plain"),
    ]

    init() throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        self.bench = bench
        for (path, type) in [("/", "text/html"), ("/other", "text/html")] + Self.files {
            bench.transport.on(Bench.base + path) { [version, time, clock = bench.clock] request in
                let time = time.withLock { $0 }
                if let timeout = request.timeout, timeout < time {
                    throw TransportError(code: .timedOut, message: "The test says so.")
                }
                clock.advance(by: time)
                let tag = "\"\(version.withLock { $0 })\""
                // A month old: by heuristics (RFC 9111 §4.2.2), which count for none of these, it would answer for
                // days.
                let fields: HTTPFields = [
                    .contentType: type, .eTag: tag, .lastModified: "Sat, 14 Oct 2023 00:00:00 GMT",
                ]
                if request.head.headerFields[.ifNoneMatch] == tag { return ScriptedTransport.answer(304, fields) }
                return ScriptedTransport.answer(200, fields, body: "\(version.withLock { $0 })")
            }
        }
    }

    private func get(_ path: String, _ destination: Destination, connectivity: Connectivity = .connected) async throws
        -> String
    {
        let context = ExchangeContext(destination: destination, connectivity: connectivity)
        let fields: HTTPFields = destination == .document ? [:] : [.referer: Bench.base + "/"]
        return try await bench.text(path, fields, context: context).text
    }

    /// What a page and its files get, and how many requests wait for the origin.
    private func visit(_ path: String = "/") async throws -> (texts: [String], waits: Int) {
        let before = bench.transport.requests.count
        var texts = [try await get(path, .document)]
        for file in Self.files { texts.append(try await get(file.path, .unknown)) }
        let waits = bench.recorder.reports.filter { !$0.isBackground }.suffix(texts.count).count {
            $0.outcome != .hit && $0.outcome != .staleHit
        }
        await bench.cache.waitForCommits()
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count >= before + waits)
        bench.clock.advance(by: .seconds(60))
        return (texts, waits)
    }

    private static func all(_ version: String) -> [String] { Array(repeating: version, count: files.count + 1) }

    @Test("200 deploys are each seen whole at the next visit; a page that is confirmed has its files at once")
    func deploys() async throws {
        #expect(try await visit().texts == Self.all("1"))
        for number in 2...201 {
            version.withLock { $0 = number }
            #expect(try await visit().texts == Self.all("\(number)"))
            let again = try await visit()
            #expect(again.texts == Self.all("\(number)") && again.waits == 1)
        }
    }

    @Test("a new page waits for its new files on a line where each takes 4.5 seconds")
    func slowLine() async throws {
        _ = try await visit()
        version.withLock { $0 = 2 }
        _ = try await get("/", .document)
        time.withLock { $0 = .milliseconds(4_500) }
        for file in Self.files { #expect(try await get(file.path, .unknown) == "2", "\(file.path)") }
    }

    @Test("a new frame of another site gets its new files, in whatever page it stands; so does a page's style's font")
    func frames() async throws {
        let frame = "https://frame.example"
        func get(_ url: String, _ destination: Destination, from referrer: String) async throws -> String {
            let parts = try #require(TargetURI.split(url))
            let context = ExchangeContext(
                document: destination == .document ? nil : Bench.base + "/", destination: destination)
            let head = HTTPRequest(
                method: .get, scheme: "https", authority: parts.authority, path: parts.path,
                headerFields: [.referer: referrer])
            let text = try await Bench.read(await bench.cache.respond(to: EngineRequest(head: head, context: context)))
            await bench.cache.waitForCommits()
            await bench.cache.waitForBackgroundWork()
            bench.clock.advance(by: .seconds(1))
            return text
        }
        for (url, type) in [
            (frame + "/", "text/html"), (frame + "/app.js", "text/javascript"),
            ("https://cdn.example/font.woff2", "font/woff2"),
        ] {
            bench.transport.on(url) { [version, clock = bench.clock] _ in
                clock.advance(by: .milliseconds(1))
                return ScriptedTransport.answer(200, [.contentType: type], body: "\(version.withLock { $0 })")
            }
        }
        for number in 1...3 {
            version.withLock { $0 = number }
            // The page around it stays the same.
            if number == 1 { _ = try await self.get("/", .document) }
            #expect(try await get(frame + "/", .iframe, from: Bench.base + "/") == "\(number)")
            #expect(try await get(frame + "/app.js", .script, from: frame + "/") == "\(number)")
        }
        _ = try await get("https://cdn.example/font.woff2", .font, from: "https://cdn.example/a.css")
        version.withLock { $0 = 4 }
        _ = try await visit()
        #expect(try await get("https://cdn.example/font.woff2", .font, from: "https://cdn.example/a.css") == "4")
    }

    @Test(
        "a new script under a page that is the same has what it imports asked about; one that has no validator has not")
    func newCode() async throws {
        for (path, control) in [("/main.js", "no-cache"), ("/clock.js", "no-cache"), ("/util.js", nil)] {
            bench.transport.on(Bench.base + path) { [version, clock = bench.clock] request in
                clock.advance(by: .milliseconds(1))
                let n = version.withLock { $0 }
                var fields: HTTPFields = [.contentType: "text/javascript"]
                fields[.cacheControl] = control
                if path != "/clock.js" { fields[.eTag] = "\"\(n)\"" }
                let isKnown = request.head.headerFields[.ifNoneMatch].map { $0 == fields[.eTag] } ?? false
                return isKnown
                    ? ScriptedTransport.answer(304, fields) : ScriptedTransport.answer(200, fields, body: "\(n)")
            }
        }
        func scripts(_ first: String) async throws -> [String] {
            let texts = [try await get(first, .script), try await get("/util.js", .script)]
            await bench.cache.waitForCommits()
            await bench.cache.waitForBackgroundWork()
            bench.clock.advance(by: .seconds(60))
            return texts
        }
        #expect(try await scripts("/main.js") == ["1", "1"])
        version.withLock { $0 = 2 }
        #expect(try await scripts("/main.js") == ["2", "2"])
        _ = try await scripts("/clock.js")
        version.withLock { $0 = 3 }
        #expect(try await scripts("/clock.js") == ["3", "2"])
    }

    @Test("data that a script asks for again after its POST are those of now, whatever rule has files answer at once")
    func again() async throws {
        let count = LockedBox(0)
        bench.transport.on(Bench.base + "/assets/cart.json") { _ in
            ScriptedTransport.answer(200, [.contentType: "application/json"], body: "\(count.withLock { $0 })")
        }
        bench.transport.on(Bench.base + "/add") { _ in
            count.withLock { $0 += 1 }
            return ScriptedTransport.answer(200, [:], body: "ok")
        }
        _ = try await get("/", .document)
        for number in 0...2 {
            bench.clock.advance(by: .seconds(1))
            #expect(try await get("/assets/cart.json", .fetch) == "\(number)")
            await bench.cache.waitForCommits()
            bench.clock.advance(by: .seconds(1))
            let fields: HTTPFields = [.referer: Bench.base + "/"]
            _ = try await bench.text("/add", fields, method: .post, context: ExchangeContext(destination: .fetch))
        }
    }

    @Test("a script learns that its server fails; a style is the one from before", arguments: [500, 503])
    func failing(_ status: Int) async throws {
        _ = try await visit()
        version.withLock { $0 = 2 }
        for path in ["/data.json", "/style.css"] {
            bench.transport.on(Bench.base + path) { _ in ScriptedTransport.answer(status, [:], body: "broken") }
        }
        #expect(try await get("/", .document) == "2")
        #expect(try await get("/data.json", .fetch) == "broken")
        #expect(try await get("/style.css", .style) == "1")
        #expect(try await get("/data.json", .fetch, connectivity: .disconnected) == "1")
    }

    @Test("a picture in a frame is a file of the page around it", arguments: [Destination.iframe, .object, .embed])
    func framed(_ destination: Destination) async throws {
        bench.transport.on(Bench.base + "/picture.svg") { [version, clock = bench.clock] _ in
            clock.advance(by: .milliseconds(1))
            return ScriptedTransport.answer(
                200, [.contentType: "image/svg+xml"], body: "\(version.withLock { $0 })")
        }
        for number in 1...3 {
            version.withLock { $0 = number }
            #expect(try await get("/", .document) == "\(number)")
            #expect(try await get("/picture.svg", destination) == "\(number)")
            await bench.cache.waitForCommits()
            await bench.cache.waitForBackgroundWork()
            bench.clock.advance(by: .seconds(60))
        }
    }

    @Test("a page that came in the background has its files asked about when it is shown, also by the next process")
    func background() async throws {
        _ = try await visit()
        version.withLock { $0 = 2 }
        let page = EngineRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/"),
            context: ExchangeContext(destination: .document))
        await bench.cache.validate(page)
        await bench.cache.waitForCommits()
        let next = ResponseCache(
            store: bench.store, transport: bench.transport,
            configuration: EngineConfiguration(rules: .webViewDefaults, clock: bench.clock.engineClock))
        var style = EngineRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/style.css"),
            context: ExchangeContext(destination: .style))
        // Which page asks is known by Referer, or taken to be the newest.
        for referer in [nil, Bench.base + "/", Bench.base + "/other"] {
            style.head.headerFields[.referer] = referer
            let said = await next.explain(style)
            #expect(said.cacheStatus.contains("older-than-page") == (referer != Bench.base + "/other"), "\(said)")
        }
        style.head.headerFields[.referer] = Bench.base + "/"
        for (request, text) in [(page, "2"), (style, "2")] {
            #expect(try await Bench.read(await next.respond(to: request)) == text)
        }
    }

    @Test("a page that may not be stored has its files asked about at each visit, and a frame's page its own")
    func notStored() async throws {
        _ = try await visit()
        for destination in [Destination.document, .iframe] {
            bench.transport.on(Bench.base + "/hidden") { [clock = bench.clock] _ in
                clock.advance(by: .milliseconds(1))
                let control = destination == .document ? "no-store" : "no-cache"
                return ScriptedTransport.answer(200, [.contentType: "text/html", .cacheControl: control])
            }
            version.withLock { $0 += 1 }
            _ = try await get("/hidden", destination)
            #expect(try await get("/style.css", .unknown) == "\(version.withLock { $0 })")
            await bench.cache.waitForCommits()
            bench.clock.advance(by: .seconds(60))
        }
    }

    @Test("a redirect to a page is none: that it is stored anew at each visit makes no file older")
    func redirected() async throws {
        bench.transport.on(Bench.base + "/start") { [clock = bench.clock] _ in
            clock.advance(by: .milliseconds(1))
            return ScriptedTransport.answer(302, [.location: "/", .lastModified: "Sat, 14 Oct 2023 00:00:00 GMT"])
        }
        _ = try await visit()
        for _ in 0..<2 {
            _ = try await get("/start", .document)
            let again = try await visit()
            #expect(again.texts == Self.all("1") && again.waits == 1)
        }
    }

    @Test("the default rule can be taken out: then files answer at once, and are validated behind")
    func takenOut() async throws {
        bench.cache.rules = .webViewDefaults.removing("older-than-page")
        _ = try await visit()
        version.withLock { $0 = 2 }
        #expect(try await visit().texts == ["2", "1", "1", "1", "1"])
    }

    @Test("without a network, and where the origin is gone, the files that are there answer")
    func offline() async throws {
        _ = try await visit()
        version.withLock { $0 = 2 }
        #expect(try await get("/", .document) == "2")
        await bench.cache.waitForCommits()
        for file in Self.files {
            #expect(try await get(file.path, .unknown, connectivity: .disconnected) == "1")
            bench.transport.on(Bench.base + file.path, Bench.unreachable)
            #expect(try await get(file.path, .unknown) == "1")
        }
    }
}
