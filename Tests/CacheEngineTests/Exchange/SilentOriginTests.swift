import CacheRules
import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("A silent origin is waited for no longer than stated", .timeLimit(.minutes(5)))
struct SilentOriginTests {
    private static let noCache: HTTPFields = [.cacheControl: "no-cache", .eTag: "\"1\""]
    private static let rules = RuleList([Rule.disconnected])

    @Test("where no rule lets a stored response answer, an answer is waited for as long as the transport waits")
    func noFallback() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, Self.noCache, body: "x")
        try await bench.fill("/a")
        _ = try await bench.text("/a")
        #expect(bench.transport.requests.map(\.timeout) == [nil, nil])
    }

    @Test("an app's own time-out holds where it is shorter, a rule's instead of it")
    func shorter() async throws {
        let rules = RuleList {
            Rule.disconnected
            Rule("slow", .networkFirst(timeout: .seconds(9)), when: .path("/slow"))
        }
        let bench = try Bench(rules: rules) { $0.limits.beforeFallback = .seconds(5) }
        for path in ["/a", "/slow"] {
            bench.transport.on(Bench.base + path) { [clock = bench.clock] _ in
                clock.advance(by: .seconds(2))
                return ScriptedTransport.answer(200, Self.noCache, body: "x")
            }
            try await bench.fill(path)
        }
        _ = try await bench.text("/a")
        #expect(bench.transport.requests.last?.timeout == .seconds(5))
        _ = try await bench.text("/slow")
        #expect(bench.transport.requests.last?.timeout == .seconds(9))
        var context = ExchangeContext()
        context.timeout = .seconds(2)
        _ = try await bench.text("/a", context: context)
        #expect(bench.transport.requests.last?.timeout == .seconds(2))
    }

    @Test(
        "three seconds, or what the host's round trips say (RFC 6298 §2), but a second at least",
        arguments: [(0, 1_000), (100, 1_000), (500, 1_500), (800, 2_400), (2_000, 3_000)])
    func measured(_ took: Int, _ patience: Int) async throws {
        let bench = try Bench(rules: Self.rules)
        bench.transport.on(Bench.base + "/a") { [clock = bench.clock] _ in
            clock.advance(by: .milliseconds(took))
            return ScriptedTransport.answer(200, Self.noCache, body: "x")
        }
        try await bench.fill("/a")
        _ = try await bench.text("/a")
        #expect(bench.transport.requests.map(\.timeout) == [nil, .milliseconds(patience)])
        var page = ExchangeContext()
        page.destination = .document
        _ = try await bench.text("/a", context: page)
        #expect(bench.transport.requests.last?.timeout == .seconds(3), "no page of the host is measured")
    }

    @Test("after one time-out the host's stored responses answer at once, until something of it arrives")
    func weak() async throws {
        let bench = try Bench(rules: Self.rules)
        let isSilent = AtomicFlag(false)
        for path in ["/", "/a", "/new"] {
            bench.transport.on(Bench.base + path) { _ in
                if isSilent.value { throw TransportError(code: .timedOut, message: "The test says so.") }
                return ScriptedTransport.answer(200, Self.noCache, body: "x")
            }
        }
        for path in ["/", "/a"] { try await bench.fill(path) }
        let document = ExchangeContext(destination: .document)
        isSilent.value = true
        func sent(_ path: String, _ fields: HTTPFields = [:]) async throws -> Int {
            let before = bench.transport.requests(to: Bench.base + path).count
            let context = path == "/" ? document : ExchangeContext()
            let answer = try await bench.text(path, fields, context: context)
            #expect(answer.text == "x")
            #expect(answer.response.cacheStatus.detail == "disconnected/time-out")
            let inTurn = bench.transport.requests(to: Bench.base + path).filter {
                $0.timeout ?? .seconds(10) < .seconds(10)
            }.count
            await bench.cache.waitForBackgroundWork()
            // Besides, it is validated in the background.
            #expect(bench.transport.requests(to: Bench.base + path).count > before)
            return inTurn
        }
        #expect(try await sent("/") == 1)
        #expect(try await sent("/a") == 0)
        #expect(try await sent("/") == 1)
        #expect(try await sent("/", [.cacheControl: "max-age=0"]) == 1)
        let reloads = bench.transport.requests(to: Bench.base + "/").filter {
            $0.head.headerFields[.cacheControl] == "max-age=0" && $0.timeout == .seconds(10)
        }
        #expect(!reloads.isEmpty, "a reload asks whether the host is back")
        #expect(await bench.send("/new").failure?.code == .originUnreachable, "what is not stored is asked for")
        isSilent.value = false
        _ = try await bench.text("/new")
        let (back, _) = try await bench.text("/a")
        #expect(back.cacheStatus.description.hasPrefix("Larder; fwd=stale"))
    }

    @Test("another request's answer is waited for no longer than an origin, whatever that one's own patience is")
    func joined() async throws {
        let bench = try Bench(rules: Self.rules)
        let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
        bench.answer("/", 200, fields, body: "x")
        try await bench.fill("/")
        bench.clock.advance(by: .seconds(61))
        let (asked, answers) = (Gate(), Gate())
        asked.open()
        bench.transport.on(Bench.base + "/") { _ in
            try await asked.pass()
            try await answers.pass()
            return ScriptedTransport.answer(304, fields)
        }
        var background = ExchangeContext()
        background.isBackground = true
        async let validation = bench.send("/", context: background)
        try await asked.arrivals(1)
        async let page = bench.text("/", context: ExchangeContext(destination: .document))
        try await bench.clock.sleeper(of: .seconds(3))
        bench.clock.advance(by: .seconds(4))
        #expect(try await page.text == "x" && bench.transport.requests.count == 2)
        answers.open()
        #expect(await validation.failure == nil)
    }

    /// The answer of a slow server, once its request has been waited for in vain.
    enum LateEnd: CaseIterable, Sendable {
        case answered, posted, reloaded
    }

    @Test(
        "a request that was waited for in vain goes on, and is not sent again behind the answer",
        arguments: LateEnd.allCases)
    func goesOn(_ end: LateEnd) async throws {
        let bench = try Bench(.disk, rules: .webViewDefaults, isPatient: true)
        let (asked, answers) = (Gate(), Gate())
        asked.open()
        @Sendable func answer(_ text: String) -> TransportResponse {
            ScriptedTransport.answer(200, [.contentType: "text/html", .eTag: "\"\(text)\""], body: text)
        }
        bench.answer("/", 200, [.contentType: "text/html", .eTag: "\"old\""], body: "old")
        let context = Self.document(.connected)
        try await bench.fill("/", context: context)
        bench.transport.on(Bench.base + "/") { request in
            guard request.head.method == .get else { return ScriptedTransport.answer(200, [:]) }
            try await asked.pass()
            try await answers.pass()
            return answer("new")
        }
        let fields: HTTPFields = end == .reloaded ? [.cacheControl: "max-age=0"] : [:]
        async let page = bench.text("/", fields, context: context)
        try await asked.arrivals(1)
        // The host's round trips say it; a reload waits longer.
        let patience = end == .reloaded ? Duration.seconds(10) : .seconds(1)
        try await bench.clock.sleeper(of: patience)
        bench.clock.advance(by: patience)
        #expect(try await page.text == "old")
        if end == .posted { _ = await bench.send("/", method: .post, context: ExchangeContext(destination: .fetch)) }
        answers.open()
        await bench.cache.waitForBackgroundWork()
        let requests = bench.transport.requests(to: Bench.base + "/").filter { $0.head.method == .get }
        #expect(requests.count == 2 && requests.last?.timeout == nil)
        // One that was sent before the change does not show its result (RFC 9111 §4.4).
        #expect(
            try await bench.text("/", context: Self.document(.disconnected)).text == (end == .posted ? "old" : "new"))
    }

    @Test("who waits for the same as a request that was waited for in vain gets the stored response, and asks nothing")
    func waitsTogether() async throws {
        let bench = try Bench(rules: .webViewDefaults, isPatient: true)
        let (asked, answers) = (Gate(), Gate())
        asked.open()
        let fields: HTTPFields = [.contentType: "text/html", .cacheControl: "max-age=60"]
        bench.answer("/", 200, fields, body: "old")
        let context = Self.document(.connected)
        try await bench.fill("/", context: context)
        bench.clock.advance(by: .seconds(61))
        bench.transport.on(Bench.base + "/") { request in
            try await asked.pass()
            try await answers.pass()
            return ScriptedTransport.answer(200, fields, body: "new")
        }
        async let first = bench.text("/", context: context)
        try await asked.arrivals(1)
        try await bench.clock.sleeper(of: .seconds(1))
        bench.clock.advance(by: .milliseconds(200))
        async let second = bench.text("/", context: context)
        try await bench.clock.sleeper(of: .seconds(1))
        bench.clock.advance(by: .milliseconds(800))
        #expect(try await first.text == "old")
        #expect(try await second.text == "old")
        answers.open()
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests(to: Bench.base + "/").filter { $0.head.method == .get }.count == 2)
        #expect(try await bench.text("/", context: Self.document(.disconnected)).text == "new")
    }

    private static func document(_ connectivity: Connectivity) -> ExchangeContext {
        var context = ExchangeContext(destination: .document, connectivity: connectivity)
        context.checksAllowedOrigin = true
        return context
    }

    struct Doubt: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status = 200
        var destination = Destination.document
        /// Where a page has posted to since, and for how long.
        var posted: (to: String, seconds: Int)?
        /// Whether a page has removed a cookie since.
        var signsOut = false
        var fields: HTTPFields = [:]
        var limit: Duration
    }

    @Test(
        "a stored response that is likely to be outdated answers after ten seconds, not one",
        arguments: [
            Doubt(testDescription: "a page", limit: .seconds(1)),
            Doubt(testDescription: "a page that something was posted to", posted: ("/a", 5), limit: .seconds(10)),
            Doubt(testDescription: "another page", posted: ("/b", 5), limit: .seconds(10)),
            Doubt(testDescription: "a page long after it", posted: ("/a", 60), limit: .seconds(1)),
            Doubt(testDescription: "data", destination: .fetch, limit: .seconds(1)),
            Doubt(testDescription: "data after a change", destination: .fetch, posted: ("/b", 5), limit: .seconds(10)),
            Doubt(
                testDescription: "data long after it", destination: .fetch, posted: ("/b", 60), limit: .seconds(1)),
            Doubt(testDescription: "a page after a sign-out", signsOut: true, limit: .seconds(10)),
            Doubt(testDescription: "a redirect", status: 302, limit: .seconds(10)),
            Doubt(testDescription: "a reload", fields: [.cacheControl: "max-age=0"], limit: .seconds(10)),
        ])
    func doubted(_ row: Doubt) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        var context = ExchangeContext(destination: row.destination)
        context.checksAllowedOrigin = true
        let page: HTTPFields = [.referer: Bench.base + "/"]
        bench.answer("/a", row.status, [.cacheControl: "no-cache", .location: "/c"], body: "x")
        bench.answer("/b", 200, [.cacheControl: "no-store"])
        _ = try await bench.text("/a", page, context: context)
        await bench.cache.waitForBackgroundWork()
        if row.signsOut {
            bench.clock.advance(by: .seconds(1))
            bench.answer("/logout", 200, [.setCookie: "sid=; Max-Age=0", .cacheControl: "no-store"], body: "bye")
            _ = try await bench.text("/logout", page, context: context)
        }
        if let posted = row.posted {
            bench.clock.advance(by: .seconds(1))
            _ = await bench.send(posted.to, page, method: .post, context: ExchangeContext(destination: .fetch))
            bench.clock.advance(by: .seconds(posted.seconds))
        }
        _ = try await bench.text("/a", page + row.fields, context: context)
        let asked = bench.transport.requests(to: Bench.base + "/a").filter { $0.head.method == .get }
        #expect(asked.map(\.timeout) == [nil, row.limit])
    }

    @Test("a host that is silent to a script makes it wait once, not for each request; a quick answer forgets no poll")
    func scripts() {
        let patience = HostPatience()
        for _ in 0..<3 { patience.ranOut(for: "a.test", url: "https://a.test/poll", since: .zero, at: .seconds(6)) }
        #expect(!patience.isWeak("a.test") && patience.isUnanswered("https://a.test/poll", by: "a.test"))
        patience.ranOut(for: "a.test", url: "https://a.test/data", since: .zero, at: .seconds(6))
        #expect(patience.isWeak("a.test"))
        // The same one for as long as a poll is held.
        patience.ranOut(for: "d.test", url: "https://d.test/poll", since: .zero, at: .seconds(3))
        patience.ranOut(for: "d.test", url: "https://d.test/poll", since: .seconds(3), at: .seconds(33))
        #expect(patience.isWeak("d.test"))
        // A script that asks a weak host in a loop is not answered at once each time.
        let polls = [0, 500, 2_400, 5_000].map { time in
            let may = patience.mayAnswerAtOnce("https://a.test/poll", at: .milliseconds(time))
            patience.answered("https://a.test/poll", at: .milliseconds(time))
            return may
        }
        #expect(polls == [true, false, false, true])
        patience.measured("b.test", isPage: true, .milliseconds(10), at: .seconds(1))
        patience.noteHeldBack("https://b.test/poll", by: "b.test", true)
        patience.noteHeldBack("https://b.test/poll", by: "b.test", false)
        #expect(patience.isHeldBack("https://b.test/poll"))
        for _ in 0..<10 { patience.noteHeldBack("https://b.test/poll", by: "b.test", false) }
        #expect(!patience.isHeldBack("https://b.test/poll"))
        // Others were answered meanwhile: it is held back.
        patience.measured("c.test", isPage: true, .milliseconds(10), at: .seconds(5))
        patience.ranOut(for: "c.test", url: "https://c.test/poll", since: .seconds(4), at: .seconds(6))
        #expect(patience.isHeldBack("https://c.test/poll") && !patience.isWeak("c.test"))
    }

    @Test("an answer that is held back for a script says nothing of its host, and is waited for from then on")
    func heldBack() async throws {
        let bench = try Bench(rules: Self.rules)
        let isLate = AtomicFlag(false)
        for path in ["/", "/poll"] {
            bench.transport.on(Bench.base + path) { [clock = bench.clock] request in
                guard path == "/poll", isLate.value else {
                    return ScriptedTransport.answer(200, Self.noCache, body: "x")
                }
                // As a transport that gives up, where it has a limit.
                if let timeout = request.timeout {
                    clock.advance(by: timeout)
                    throw TransportError(code: .timedOut, message: "The test says so.")
                }
                clock.advance(by: .seconds(25))
                return ScriptedTransport.answer(200, Self.noCache, body: "news")
            }
        }
        let (document, script) = (ExchangeContext(destination: .document), ExchangeContext(destination: .fetch))
        for (path, context) in [("/", document), ("/poll", script)] {
            _ = try await bench.text(path, context: context)
            await bench.cache.waitForCommits()
        }
        isLate.value = true
        // Before anything is known of it, the stored one answers after a while, and the server's comes behind.
        #expect(try await bench.text("/poll", context: script).text == "x")
        await bench.cache.waitForBackgroundWork()
        _ = try await bench.text("/", context: document)
        #expect(bench.transport.requests.last?.timeout != nil, "its page is asked for as before")
        #expect(try await bench.text("/poll", context: script).text == "news")
        #expect(bench.transport.requests.last?.timeout == nil)
        // A script that asks for its server's answer gets no other one.
        isLate.value = false
        #expect(try await bench.text("/poll", [.cacheControl: "no-cache"], context: script).text == "x")
        #expect(bench.transport.requests.last?.timeout == nil)
    }

    @Test("a weak host that shows a bad certificate is not hidden: it has answered")
    func certificate() async throws {
        let bench = try Bench(rules: Self.rules)
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, Self.noCache, body: "x") },
                { _ in throw TransportError(code: .timedOut, message: "The test says so.") },
                { _ in throw TransportError(code: .certificateUntrusted, message: "The test says so.") },
            ])
        try await bench.fill("/a")
        #expect(try await bench.text("/a").text == "x")
        await bench.cache.waitForBackgroundWork()
        #expect(await bench.send("/a").failure?.code == .originUntrusted)
    }

    @Test("what is asked of a weak host in the background is given up after 10 s, so that the next visit asks anew")
    func background() async throws {
        let bench = try Bench(rules: Self.rules)
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, Self.noCache, body: "x") },
                { _ in throw TransportError(code: .timedOut, message: "The test says so.") },
            ])
        try await bench.fill("/a")
        _ = try await bench.text("/a")
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.last?.timeout == .seconds(10))
    }

    @Test("content that stops coming is broken off after two minutes; one that comes slowly is not")
    func content() async throws {
        let bench = try Bench()
        let body = ScriptedBody([Array("go".utf8)], ends: false)
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "no-store"], streaming: body)
        }
        let source = await bench.send("/a").body.makeSource()
        #expect(try await source.next() == Array("go".utf8))
        try await bench.clock.sleepers(atLeast: 1)
        bench.clock.advance(by: .seconds(100))
        let rest = Task { try await source.next() }
        try await body.pulls(atLeast: 2)
        // The piece was asked for 20 seconds before.
        bench.clock.advance(by: .seconds(20))
        try await bench.clock.sleepers(atLeast: 2)
        #expect(!body.isCancelled)
        bench.clock.advance(by: .seconds(120))
        await #expect(throws: TransportError.self) { try await rest.value }
        #expect(body.isCancelled)
    }

    @Test("streams of events may be silent", arguments: ["text/event-stream", "Text/Event-Stream; charset=utf-8"])
    func events(_ type: String) async throws {
        let bench = try Bench()
        let body = ScriptedBody([Array("data: 1\n\n".utf8)], ends: false)
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.contentType: type, .cacheControl: "no-store"], streaming: body)
        }
        let response = await bench.send("/a")
        guard case .stream(let source, _) = response.body else { Issue.record("no stream"); return }
        #expect(try await source.next()?.isEmpty == false)
        async let rest = source.next()
        try await body.pulls(atLeast: 2)
        bench.clock.advance(by: .seconds(86_400))
        #expect(!body.isCancelled)
        source.cancel()
        _ = try? await rest
    }
}
