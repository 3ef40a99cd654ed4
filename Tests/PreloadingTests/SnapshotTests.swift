import CacheRules
import CacheTesting
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("A page under the rule snapshot opens with the files that it was fetched with", .timeLimit(.minutes(5)))
struct SnapshotTests {
    /// The site as it is published: what is 404, and what else stands in the way.
    struct Site: Sendable {
        var release = 1
        /// The release of files whose names stay.
        var styles = 1
        var missing: Set<String> = []
        /// Release 2 is deployed right after the next answer for this path.
        var deploysAfter: String?
        var asked: [(path: String, fields: HTTPFields)] = []
    }

    static let rules = RuleList {
        Rule("shop", .snapshot) { When.destination(.document) }
        RuleList.webViewDefaults
    }

    let bench: PreloadBench
    let site = LockedBox(Site())

    init() throws {
        let bench = try PreloadBench(.disk, rules: Self.rules)
        self.bench = bench
        bench.cache.onSnapshot(bench.queue) { [weak queue = bench.queue] in
            await queue?.completeSnapshot(of: $0, since: $1)
        }
        let paths = ["/", "/site.css", "/deep.css", "/app.js", "/part.js", "/data.json", "/photo.svg"]
        for path in paths + (1...4).flatMap({ ["/page-\($0).js", "/later-\($0).js"] }) {
            bench.on(path) { [site, clock = bench.clock] request in
                clock.advance(by: .milliseconds(1))
                return site.withLock { site in
                    site.asked.append((path, request.head.headerFields))
                    defer {
                        if site.deploysAfter == path { (site.release, site.styles, site.deploysAfter) = (2, 2, nil) }
                    }
                    guard let (type, text) = Self.content(path, site), !site.missing.contains(path) else {
                        return ScriptedTransport.answer(404, [:])
                    }
                    let fields: HTTPFields = [.contentType: type, .eTag: "\"\(text.hashValue)\""]
                    if request.head.headerFields[.ifNoneMatch] == fields[.eTag] {
                        return ScriptedTransport.answer(304, fields)
                    }
                    return ScriptedTransport.answer(200, fields, body: text)
                }
            }
        }
    }

    static func content(_ path: String, _ site: Site) -> (type: String, text: String)? {
        let n = site.release
        return switch path {
        case "/":
            (
                "text/html",
                "<link rel=stylesheet href=site.css><script src=app.js></script><img src=photo.svg>"
                    + "<script type=module src=page-\(n).js></script>release \(n)"
            )
        case "/site.css": ("text/css", "@import 'deep.css'; style \(site.styles)")
        case "/deep.css": ("text/css", "deep \(n)")
        case "/app.js": ("text/javascript", "app \(n)")
        case "/part.js": ("text/javascript", "part \(n)")
        case "/photo.svg": ("image/svg+xml", "<svg>\(n)</svg>")
        case "/data.json": ("application/json", "data \(n)")
        case "/page-\(n).js": ("text/javascript", "import './part.js'; on(() => import('./later-\(n).js'))")
        case "/later-\(n).js": ("text/javascript", "later \(n)")
        default: nil
        }
    }

    func get(
        _ path: String, _ destination: Destination, _ connectivity: Connectivity, cookie: String? = nil,
        reload: Bool = false
    ) async throws -> String {
        let kind: PreloadDestination = destination == .document ? .document : destination == .style ? .style : .script
        let fields = PreloadBench.pageFields(kind) {
            if destination != .document { $0[.referer] = PreloadBench.base + "/" }
            $0[.cookie] = cookie
            if reload { $0[.cacheControl] = "max-age=0" }
        }
        let answer = await bench.page(path, fields, destination: destination, connectivity: connectivity)
        let text = try await bench.text(answer)
        return answer.head.status == .ok ? text : "\(answer.head.status.code)"
    }

    /// Opens the page, and names the releases of all that it is made of, in order.
    func visit(
        _ connectivity: Connectivity = .connected, cookie: String? = nil, reload: Bool = false
    ) async throws -> String {
        let page = try await get("/", .document, connectivity, cookie: cookie, reload: reload)
        let release = page.last.map(String.init) ?? "none"
        var parts = ["page \(release)"]
        for (path, destination) in [
            ("/site.css", .style), ("/deep.css", .style), ("/app.js", .script), ("/page-\(release).js", .script),
            ("/part.js", .script), ("/photo.svg", .image), ("/data.json", .fetch), ("/later-\(release).js", .script),
        ] as [(String, Destination)] {
            let text = try await get(path, destination, connectivity, cookie: cookie)
            parts.append(String(text.filter { $0.isNumber || $0 == "0" }.suffix(3)))
        }
        await completed()
        bench.clock.advance(by: .seconds(60))
        return parts.joined(separator: " ")
    }

    /// Lets time pass until nothing is done in the background: what is fetched ahead waits until pages are quiet.
    func completed() async {
        let isIdle = LockedBox(false)
        async let idle: Void = {
            await bench.cache.waitForBackgroundWork()
            isIdle.withLock { $0 = true }
        }()
        while !isIdle.withLock({ $0 }) {
            bench.clock.advanceToSleeper(within: .seconds(10))
            await Task.yield()
        }
        await idle
    }

    func deploy(_ change: @Sendable (inout Site) -> Void) {
        site.withLock { site in
            change(&site)
            site.asked = []
        }
    }

    func release(_ n: Int) {
        deploy { site in (site.release, site.styles) = (n, n) }
    }

    func isWhole(_ visit: String, _ n: Int, data: Int? = nil) -> Bool {
        visit == "page \(n) \(n) \(n) \(n) \(n) \(n) \(n) \(data ?? n) \(n)"
    }

    var newer: [String] { bench.recorder.reports.filter(\.bringsNewerPage).map(\.uri) }

    func expect(_ n: Int, data: Int? = nil, at location: SourceLocation = #_sourceLocation) async throws {
        let seen = try await visit()
        #expect(isWhole(seen, n, data: data), "\(seen)", sourceLocation: location)
    }

    @Test("a deploy is shown once all of it has come, and all at once; data is never old")
    func deploys() async throws {
        try await expect(1)
        for n in 2...4 {
            release(n)
            let old = try await visit()
            #expect(isWhole(old, n - 1, data: n), "\(old)")
            try await expect(n)
            let offline = try await visit(.disconnected)
            #expect(isWhole(offline, n), "\(offline)")
        }
    }

    @Test("code that is loaded when it is needed is there before its server has lost it")
    func laterCode() async throws {
        _ = try await get("/", .document, .connected)
        await completed()
        deploy { $0.release = 2 }
        let text = try await get("/later-1.js", .script, .connected)
        #expect(text == "later 1")
    }

    @Test(
        "a page of which something can't be had is not shown, and the one before is, for a day",
        arguments: ["/page-2.js", "/later-2.js", "/site.css", "/deep.css"])
    func lacking(_ path: String) async throws {
        try await expect(1)
        deploy { site in (site.release, site.styles, site.missing) = (2, 2, [path]) }
        for _ in 1...3 {
            let old = try await visit()
            #expect(isWhole(old, 1, data: 2), "\(old)")
        }
        deploy { $0.missing = [] }
        _ = try await visit()
        try await expect(2)
        // A name that is missing for good must not keep the page old for ever.
        deploy { site in (site.release, site.styles, site.missing) = (3, 3, [path.replacing("2", with: "3")]) }
        _ = try await visit()
        bench.clock.advance(by: .seconds(86_400))
        let late = try await visit()
        #expect(late.hasPrefix("page 3"), "\(late)")
    }

    @Test("a page that is gone, or leads to a sign-in, is asked for first at the next visit", arguments: [404, 302])
    func gone(status: Int) async throws {
        try await expect(1)
        bench.on("/") { _ in ScriptedTransport.answer(status, [.location: "/sign-in", .cacheControl: "no-store"]) }
        bench.answer("/sign-in", 200, [.contentType: "text/html"], body: "sign in")
        let old = try await visit()
        #expect(old.hasPrefix("page 1"))
        let page = try await get("/", .document, .connected)
        #expect(page == "\(status)")
        let offline = try await get("/", .document, .disconnected)
        #expect(offline.hasSuffix("release 1"))
    }

    @Test("a file that changes under its name, and the page that does not, are shown together at the next visit")
    func changedFile() async throws {
        _ = try await visit()
        deploy { $0.styles = 7 }
        try await expect(1)
        let seen = try await visit()
        #expect(seen == "page 1 7 1 1 1 1 1 1 1")
    }

    @Test(
        "a deploy while a page that has not changed is asked about, and its files, is shown whole or not at all",
        arguments: ["/", "/site.css", "/app.js", "/photo.svg", "/deep.css", "/page-1.js", "/part.js"])
    func deployBehind(_ path: String) async throws {
        try await expect(1)
        try await expect(1)
        deploy { _ in }
        // Before the page is shown, which has it and its files asked about.
        site.withLock { $0.deploysAfter = path }
        _ = try await get("/", .document, .connected)
        await completed()
        #expect(site.withLock { $0.release } == 2)
        let seen = try await visit()
        #expect(isWhole(seen, 1, data: 2) || isWhole(seen, 2), "\(seen)")
        _ = try await visit()
        try await expect(2)
    }

    @Test("a file that its server never had keeps no snapshot from being whole, and one that it has no more does")
    func absent() async throws {
        deploy { $0.missing = ["/deep.css", "/later-1.js", "/later-2.js"] }
        let first = try await visit()
        deploy { site in (site.release, site.styles) = (2, 2) }
        let (second, third) = (try await visit(), try await visit())
        #expect(first == "page 1 1 404 1 1 1 1 1 404" && second == "page 1 1 404 1 1 1 1 2 404")
        #expect(third == "page 1 1 404 1 1 1 1 2 404", "/later-2.js was not missing before")
        deploy { $0.missing = ["/deep.css"] }
        _ = try await visit()
        let last = try await visit()
        #expect(last == "page 2 2 404 2 2 2 2 2 2")
    }

    @Test("where nothing may be fetched behind it, a page is asked for first; a costly network is no obstacle")
    func constrained() async throws {
        _ = try await visit()
        release(2)
        var network = Connectivity.connected
        network.isConstrained = true
        let seen = try await visit(network)
        #expect(isWhole(seen, 2), "\(seen)")
        _ = try await visit()
        release(3)
        network = .connected
        network.isExpensive = true
        bench.connectivity.report(network)
        let (old, new) = (try await visit(network), try await visit(network))
        #expect(isWhole(old, 2, data: 3) && isWhole(new, 3), "\(old), \(new)")
    }

    @Test("a reload gets what is newest")
    func reload() async throws {
        _ = try await visit()
        release(2)
        let seen = try await visit(reload: true)
        #expect(isWhole(seen, 2), "\(seen)")
        try await expect(2)
    }

    @Test("what is stored is asked about by its validators, with the visit's cookies, and says that nobody waits")
    func asked() async throws {
        _ = try await visit(cookie: "session=1")
        release(1)
        _ = try await visit(cookie: "session=1")
        let asked = site.withLock { $0.asked }.filter { $0.path != "/data.json" }
        #expect(asked.count == 8)
        for (path, fields) in asked {
            #expect(fields[.ifNoneMatch] != nil && fields[.cookie] == "session=1", "\(path) \(fields)")
            #expect(fields[FetchField.secPurpose] == "prefetch", "\(path) \(fields)")
        }
    }

    @Test("a newer page is told of when it is in its place, and not before")
    func news() async throws {
        _ = try await visit()
        _ = try await visit()
        #expect(newer.isEmpty)
        deploy { site in (site.release, site.missing) = (2, ["/page-2.js"]) }
        _ = try await visit()
        #expect(newer.isEmpty)
        deploy { $0.missing = [] }
        _ = try await visit()
        #expect(newer == [PreloadBench.base + "/"])
    }

    @Test("without anybody who completes it, a page is asked about first, as under network-first")
    func alone() async throws {
        bench.cache.snapshotCompleter.withLock { $0 = nil }
        _ = try await visit()
        release(2)
        let (online, offline) = (try await visit(), try await visit(.disconnected))
        #expect(online.hasPrefix("page 2") && offline.hasPrefix("page 2"), "\(online), \(offline)")
    }

    enum End: String, CaseIterable, Sendable {
        case removed, clearedByServer, posted, reloaded
    }

    @Test(
        "a page that was removed, cleared by its server or invalidated is shown neither whole nor in parts",
        arguments: End.allCases)
    func ended(_ end: End) async throws {
        try await expect(1)
        release(2)
        switch end {
        case .removed: try await bench.cache.remove(.everything)
        case .clearedByServer:
            bench.on("/bye") { _ in
                ScriptedTransport.answer(200, [HTTPField.Name("Clear-Site-Data") ?? .date: "\"cache\""], body: "0")
            }
            _ = try await get("/bye", .fetch, .connected)
        case .posted:
            // RFC 9111 §4.4: the page itself; its files stay, and are asked about with the next page.
            var request = HTTPRequest(method: .post, scheme: "https", authority: "shop.test", path: "/")
            request.headerFields = PreloadBench.pageFields(.document)
            let answer = await bench.cache.respond(
                to: EngineRequest(head: request, context: ExchangeContext(destination: .document)))
            _ = try await bench.text(answer)
        case .reloaded: _ = try await visit(reload: true)
        }
        await completed()
        if end == .removed || end == .clearedByServer {
            for path in ["/", "/app.js", "/page-1.js"] {
                let kind: Destination = path == "/" ? .document : .script
                #expect(try await get(path, kind, .disconnected) == "504", "\(path)")
            }
        }
        try await expect(2)
    }

    @Test("a page that is removed while its snapshot waits to be completed is neither asked for nor stored again")
    func removedWhileWaiting() async throws {
        try await expect(1)
        release(2)
        _ = try await get("/", .document, .connected)
        try await bench.cache.remove(.everything)
        let asked = site.withLock { $0.asked.count }
        await completed()
        #expect(site.withLock { $0.asked.count } == asked)
        #expect(try await get("/", .document, .disconnected) == "504")
    }

    @Test("another account is shown nothing of a snapshot, and has one of its own")
    func accounts() async throws {
        try await expect(1)
        var context = ExchangeContext(partition: "other", destination: .document, connectivity: .disconnected)
        let head = HTTPRequest(
            method: .get, scheme: "https", authority: "shop.test", path: "/",
            headerFields: PreloadBench.pageFields(.document))
        #expect(await bench.cache.respond(to: EngineRequest(head: head, context: context)).head.status == 504)
        release(2)
        context.connectivity = .connected
        let page = await bench.cache.respond(to: EngineRequest(head: head, context: context))
        #expect(try await bench.text(page).hasSuffix("release 2"))
        await completed()
        // The first account's is completed by its own visits alone.
        let offline = try await visit(.disconnected)
        #expect(isWhole(offline, 1), "\(offline)")
    }

    @Test("after a new start the page opens from its snapshot")
    func restarted() async throws {
        _ = try await visit()
        release(2)
        let cache = ResponseCache(
            store: bench.store, transport: bench.transport,
            configuration: EngineConfiguration(rules: Self.rules, clock: bench.clock.engineClock))
        let context = ExchangeContext(destination: .document)
        let head = HTTPRequest(
            method: .get, scheme: "https", authority: "shop.test", path: "/",
            headerFields: PreloadBench.pageFields(.document))
        let page = await cache.respond(to: EngineRequest(head: head, context: context))
        let text = try await bench.text(page)
        #expect(text.hasSuffix("release 1"))
    }
}
