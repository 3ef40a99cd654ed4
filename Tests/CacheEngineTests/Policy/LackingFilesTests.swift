import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("Where a style or script of a new page does not come", .timeLimit(.minutes(5)))
struct LackingFilesTests {
    private let bench: Bench
    private let version = LockedBox(1)
    private let isTagged = AtomicFlag(true)

    init() throws {
        bench = try Bench(.disk, rules: .webViewDefaults)
        bench.transport.on(Bench.base + "/a") { [version, isTagged] request in
            let number = version.withLock { $0 }
            var fields: HTTPFields = [.contentType: "text/html"]
            if isTagged.value { fields[.eTag] = "\"\(number)\"" }
            if fields.contains(.eTag), request.head.headerFields[.ifNoneMatch] == fields[.eTag] {
                return ScriptedTransport.answer(304, fields)
            }
            return ScriptedTransport.answer(200, fields, body: "\(number)")
        }
    }

    private func get(
        _ path: String, _ destination: Destination, _ connectivity: Connectivity, _ cache: ResponseCache
    ) async throws -> String {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path)
        if destination != .document { head.headerFields[.referer] = Bench.base + "/a" }
        let context = ExchangeContext(destination: destination, connectivity: connectivity)
        let answer = await cache.respond(to: EngineRequest(head: head, context: context))
        let text = (try? await Bench.read(answer)) ?? "cut"
        await cache.waitForCommits()
        await cache.waitForBackgroundWork()
        return text
    }

    private var restarted: ResponseCache {
        ResponseCache(
            store: bench.store, transport: bench.transport,
            configuration: EngineConfiguration(rules: .webViewDefaults, clock: bench.clock.engineClock))
    }

    @Test(
        "the page that was whole opens, whatever the names",
        arguments: [
            ["/index-BX3kTQ9a.js", "/index-C9dPq7Lz.js"], ["/main.3f9a1c2e.css", "/main.77c1b0d4.css"],
            ["/one.js", "/two.js"],
        ], ["lost", "cut", "absent", "page", "absent untagged"])
    func lacking(_ names: [String], _ answer: String) async throws {
        let destination: Destination = names[0].hasSuffix("css") ? .style : .script
        let type = destination == .style ? "text/css" : "text/javascript"
        let comes = LockedBox(false)
        isTagged.value = !answer.hasSuffix("untagged")
        for (number, name) in names.enumerated() {
            bench.transport.on(Bench.base + name) { _ in
                if number == 0 || comes.withLock({ $0 }) {
                    return ScriptedTransport.answer(200, [.contentType: type], body: "\(number + 1)")
                }
                let lost = TransportError(code: .closedEarly, message: "The origin hung up.")
                if answer == "lost" { throw lost }
                if answer == "cut" {
                    let body = ScriptedBody()
                    body.send("/* the begin")
                    body.end(throwing: lost)
                    return ScriptedTransport.answer(200, [.contentType: type], streaming: body)
                }
                return ScriptedTransport.answer(answer == "page" ? 200 : 404, [.contentType: "text/html"], body: "lack")
            }
        }
        func shown(_ connectivity: Connectivity = .connected, by cache: ResponseCache) async throws -> [String] {
            let page = try await get("/a", .document, connectivity, cache)
            let name = names[(Int(page) ?? 1) - 1]
            let file = try await get(name, destination, connectivity, cache)
            bench.clock.advance(by: .seconds(60))
            return [page, file]
        }
        #expect(try await shown(by: bench.cache) == ["1", "1"])
        version.withLock { $0 = 2 }
        #expect(try await shown(by: bench.cache)[0] == "2")
        for cache in [bench.cache, restarted] {
            #expect(try await shown(.disconnected, by: cache) == ["1", "1"])
        }
        // A file that is absent when the page is shown again is so for good, unless that is a deploy under way.
        let again = restarted
        for isLater in [false, true] {
            #expect(try await shown(by: again)[0] == "2")
            #expect(
                try await shown(.disconnected, by: again)[0]
                    == (["lost", "cut"].contains(answer) || !isLater ? "1" : "2"))
            bench.clock.advance(by: .seconds(600))
        }
        comes.withLock { $0 = true }
        #expect(try await shown(by: again) == ["2", "2"])
        for cache in [again, restarted] {
            #expect(try await shown(.disconnected, by: cache) == ["2", "2"])
            // A file that was never stored is no sign of a new page.
            _ = try await get("/later-3f9a1c2e.js", .script, .disconnected, cache)
            #expect(try await shown(.disconnected, by: cache) == ["2", "2"])
        }
    }

    @Test("a page whose server fails keeps the styles and scripts that it was whole with", arguments: [500, nil])
    func failing(_ status: Int?) async throws {
        let fails = LockedBox(false)
        bench.transport.on(Bench.base + "/a") { [version] _ in
            if fails.withLock({ $0 }) {
                guard let status else { throw TransportError(code: .closedEarly, message: "The origin hung up.") }
                return ScriptedTransport.answer(status)
            }
            return ScriptedTransport.answer(200, [.contentType: "text/html"], body: "\(version.withLock { $0 })")
        }
        for (path, type) in [("/s.css", "text/css"), ("/d.json", "application/json")] {
            bench.transport.on(Bench.base + path) { [version] _ in
                let number = version.withLock { $0 }
                let fields: HTTPFields = [.contentType: type, .cacheControl: "no-cache", .eTag: "\"\(number)\""]
                return ScriptedTransport.answer(200, fields, body: "\(number)")
            }
        }
        func shown(_ connectivity: Connectivity = .connected) async throws -> [String] {
            var texts = [try await get("/a", .document, connectivity, bench.cache)]
            for (path, use) in [("/s.css", Destination.style), ("/d.json", .fetch)] {
                texts.append(try await get(path, use, connectivity, bench.cache))
            }
            bench.clock.advance(by: .seconds(60))
            return texts
        }
        #expect(try await shown() == ["1", "1", "1"])
        version.withLock { $0 = 2 }
        fails.withLock { $0 = true }
        #expect(try await shown() == ["1", "2", "2"])
        #expect(try await shown(.disconnected) == ["1", "1", "2"])
        fails.withLock { $0 = false }
        #expect(try await shown() == ["2", "2", "2"])
        #expect(try await shown(.disconnected) == ["2", "2", "2"])

        // An import of the new style fails as well: the page gets the one that it was whole with.
        bench.transport.on(Bench.base + "/i.css") { [version] _ in
            if fails.withLock({ $0 }) { throw TransportError(code: .closedEarly, message: "The origin hung up.") }
            let number = version.withLock { $0 }
            return ScriptedTransport.answer(200, [.contentType: "text/css", .eTag: "\"\(number)\""], body: "\(number)")
        }
        func shownWhole(_ connectivity: Connectivity = .connected) async throws -> [String] {
            defer { bench.clock.advance(by: .seconds(60)) }
            return try await shown(connectivity) + [try await get("/i.css", .style, connectivity, bench.cache)]
        }
        for number in 3...4 {
            version.withLock { $0 = number }
            #expect(try await shownWhole() == Array(repeating: "\(number)", count: 4))
        }
        version.withLock { $0 = 5 }
        fails.withLock { $0 = true }
        #expect(try await shownWhole() == ["4", "5", "5", "4"])
        #expect(try await shownWhole(.disconnected) == ["4", "4", "5", "4"])
    }

    @Test(
        "a new page that came while the server was slow does not take the place of a whole one until it was shown",
        arguments: ["/assets/app-%.js", "/app.js"])
    func unseen(_ name: String) async throws {
        func path(_ number: Int) -> String {
            name.replacing("%", with: ["", "4f1q8Kd2", "Zx81mQ7a", "b3T9kLw0"][number])
        }
        bench.transport.on(Bench.base + "/a") { [version] _ in
            let number = version.withLock { $0 }
            return ScriptedTransport.answer(
                200, [.contentType: "text/html", .eTag: "\"\(number)\""], body: "\(number)")
        }
        for number in 1...3 {
            bench.transport.on(Bench.base + path(number)) { [version] _ in
                let now = version.withLock { $0 }
                return ScriptedTransport.answer(
                    200, [.contentType: "text/javascript", .eTag: "\"\(now)\""], body: "\(now)")
            }
        }
        func visit(_ connectivity: Connectivity = .connected) async throws -> [String] {
            let page = try await get("/a", .document, connectivity, bench.cache)
            let script = try await get(path(Int(page) ?? 0), .script, connectivity, bench.cache)
            bench.clock.advance(by: .seconds(60))
            return [page, script]
        }
        #expect(try await visit() == ["1", "1"])
        for number in 2...3 {
            version.withLock { $0 = number }
            // As the validation behind an answer that was late.
            let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")
            await bench.cache.validate(EngineRequest(head: head, context: ExchangeContext(destination: .document)))
            await bench.cache.waitForCommits()
            #expect(try await visit(.disconnected) == ["\(number - 1)", "\(number - 1)"])
            #expect(try await visit() == ["\(number)", "\(number)"])
            #expect(try await visit(.disconnected) == ["\(number)", "\(number)"])
        }
    }

    @Test("a new page of which no script came, whatever their names are, leaves the one that was whole")
    func cutOffAtOnce() async throws {
        bench.transport.on(Bench.base + "/a") { [version] _ in
            ScriptedTransport.answer(200, [.contentType: "text/html"], body: "\(version.withLock { $0 })")
        }
        bench.answer("/assets/app-4f1q8Kd2.js", 200, [.contentType: "text/javascript"], body: "1")
        #expect(try await get("/a", .document, .connected, bench.cache) == "1")
        _ = try await get("/assets/app-4f1q8Kd2.js", .script, .connected, bench.cache)
        bench.clock.advance(by: .seconds(60))
        version.withLock { $0 = 2 }
        #expect(try await get("/a", .document, .connected, bench.cache) == "2")
        #expect(try await get("/a", .document, .disconnected, restarted) == "1")
    }

    @Test("a refreshed response does not take away what a page was last shown with")
    func refreshed() async throws {
        bench.transport.on(Bench.base + "/s.css") { [version] _ in
            let number = version.withLock { $0 }
            return ScriptedTransport.answer(200, [.contentType: "text/css", .eTag: "\"\(number)\""], body: "\(number)")
        }
        func shown(_ connectivity: Connectivity = .connected) async throws -> [String] {
            let page = try await get("/a", .document, connectivity, bench.cache)
            return [page, try await get("/s.css", .style, connectivity, bench.cache)]
        }
        #expect(try await shown() == ["1", "1"])
        for path in ["/s.css", "/a"] {
            bench.clock.advance(by: .seconds(60))
            version.withLock { $0 = 2 }
            let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path)
            let refreshed = await bench.cache.refresh(EngineRequest(head: head))
            #expect(refreshed.allSatisfy { $0.failure == nil })
            await bench.cache.waitForBackgroundWork()
            #expect(try await shown(.disconnected) == ["1", "1"], "\(path)")
        }
    }

    @Test("a host that holds back one request and answers others is not taken for silent")
    func heldBack() {
        let patience = HostPatience()
        patience.measured("a.test", isPage: false, .milliseconds(10), at: .seconds(5))
        patience.ranOut(for: "a.test", url: nil, since: .seconds(4), at: .seconds(6))
        #expect(!patience.isWeak("a.test"))
        patience.ranOut(for: "a.test", url: nil, since: .seconds(5), at: .seconds(6))
        #expect(patience.isWeak("a.test"))
    }
}
