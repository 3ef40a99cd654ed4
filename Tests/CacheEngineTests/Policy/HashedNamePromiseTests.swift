import CacheEngine
import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

/// The first response under a name with a content hash may be another page that a server sends in place of the file.
@Suite("A hashed name is believed only for a response that it promises", .timeLimit(.minutes(5)))
struct HashedNamePromiseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var path = "/assets/app.5d60c2ed348e2db0.js"
        var status = 200
        var fields: HTTPFields
        var body = "content"
        var kind = CacheKind.private
        var isBelieved = false
        var testDescription: String { "\(kind) \(path) \(status) \(fields) '\(body)'" }
    }

    private static let script: HTTPFields = [.contentType: "text/javascript; charset=utf-8"]

    private static func script(_ more: HTTPFields) -> HTTPFields {
        var fields = script
        for field in more { fields.append(field) }
        return fields
    }

    @Test(
        "a response is reused for its hashed name only if it is what the name promises",
        arguments: [
            Row(fields: script, isBelieved: true), Row(fields: script, kind: .shared, isBelieved: true),
            Row(fields: [.contentType: "text/html"]), Row(fields: [.contentType: "text/html"], kind: .shared),
            Row(fields: [.contentType: "application/json"]), Row(fields: [:]), Row(fields: script, body: ""),
            Row(status: 301, fields: script([.location: "/sign-in"])),
            Row(status: 302, fields: script([.location: "/sign-in", .cacheControl: "max-age=0"])),
            Row(status: 203, fields: script), Row(status: 404, fields: script),
            Row(path: "/assets/app.5d60c2ed348e2db0.css", fields: [.contentType: "text/css"], isBelieved: true),
            Row(path: "/assets/app.5d60c2ed348e2db0.css", fields: [.contentType: "text/javascript"]),
            Row(path: "/assets/a.5d60c2ed348e2db0.png", fields: [.contentType: "image/webp"], isBelieved: true),
            Row(path: "/assets/a.5d60c2ed348e2db0.png", fields: [.contentType: "text/html"]),
            Row(
                path: "/assets/a.5d60c2ed348e2db0.woff2", fields: [.contentType: "application/octet-stream"],
                isBelieved: true),
            Row(path: "/assets/a.5d60c2ed348e2db0.json", fields: [.contentType: "application/json"], isBelieved: true),
            Row(path: "/assets/a.5d60c2ed348e2db0.json", fields: [.contentType: "text/html"]),
            Row(path: "/assets/a.5d60c2ed348e2db0.wasm", fields: [.contentType: "application/wasm"], isBelieved: true),
            // What the origin states for shared caches, and responses for one user.
            Row(fields: script([.setCookie: "session=1"]), isBelieved: true),
            Row(fields: script([.setCookie: "session=1"]), kind: .shared),
            Row(fields: script([.cacheControl: "no-cache"]), isBelieved: true),
            Row(fields: script([.cacheControl: "no-cache"]), kind: .shared),
            Row(fields: script([.cacheControl: "must-revalidate, max-age=0"]), kind: .shared),
            Row(fields: script([.cacheControl: "s-maxage=0"]), kind: .shared),
            Row(fields: script([.cacheControl: "public, max-age=1"]), kind: .shared, isBelieved: true),
        ])
    func promises(_ row: Row) async throws {
        let bench = try Bench(rules: .webViewDefaults, cacheKind: row.kind)
        bench.answer(row.path, row.status, row.fields, body: row.body)
        _ = try await bench.text(row.path)
        await bench.cache.waitForBackgroundWork()
        bench.clock.advance(by: .seconds(3_600))
        bench.answer(row.path, 200, [.contentType: "text/javascript"], body: "right")
        let (response, text) = try await bench.text(row.path)
        await bench.cache.waitForBackgroundWork()
        #expect(text == (row.isBelieved ? row.body : "right"))
        #expect(response.cacheStatus.isHit == row.isBelieved)
        #expect(bench.transport.requests.count == (row.isBelieved ? 1 : 2))
        #expect(bench.cache.hostsWithBrokenHashes.isEmpty)
    }

    @Test("a shared cache does not give one user's response, sent with credentials, to another")
    func credentials() async throws {
        let path = "/assets/data.5d60c2ed348e2db0.json"
        let rules = RuleList.webViewDefaults.removing("authorization")
        let bench = try Bench(rules: rules, cacheKind: .shared)
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "must-revalidate, max-age=0"]
        bench.answer(path, 200, fields, body: "of anna")
        _ = try await bench.text(path, [.authorization: "Basic YTph"])
        await bench.cache.waitForBackgroundWork()
        bench.answer(path, 401, [.cacheControl: "no-store"], body: "who?")
        #expect(try await bench.text(path).text == "who?")
    }

    @Test("a page that is still arriving under the name is not shared with another request")
    func arriving() async throws {
        let path = "/assets/app.5d60c2ed348e2db0.js"
        let bench = try Bench(rules: .webViewDefaults, cacheKind: .shared)
        let gate = Gate()
        bench.transport.on(Bench.base + path) { _ in
            try await gate.pass()
            return ScriptedTransport.answer(200, [.contentType: "text/html"], body: "of one")
        }
        let collapsed = await withTaskGroup(of: EngineResponse.self) { group in
            for _ in 0..<20 { group.addTask { await bench.send(path) } }
            try? await gate.arrivals(1)
            for _ in 0..<1_000 { await Task.yield() }
            gate.open()
            return await group.reduce(into: 0) { $0 += $1.cacheStatus.isCollapsed ? 1 : 0 }
        }
        #expect(collapsed == 0 && bench.transport.requests.count == 20)
    }

    @Test("a wrong page before or after a deployment is not the named file, and breaks no promise")
    func deployRace() async throws {
        let path = "/assets/app.5d60c2ed348e2db0.js"
        let bench = try Bench(rules: .webViewDefaults)
        for (type, text) in [
            ("text/html", "shell"), ("text/javascript", "script"), ("text/html", "shell"),
            ("text/javascript", "script"),
        ] {
            bench.answer(path, 200, [.contentType: type], body: text)
            try await bench.fill(path, context: ExchangeContext(mode: .reload))
        }
        #expect(bench.cache.hostsWithBrokenHashes.isEmpty)
        #expect(try await bench.text(path).text == "script")
        #expect(bench.transport.requests.count == 4)
    }

    @Test("distrust ends after a day, also for another engine on the store; then the last bytes count")
    func bounded() async throws {
        let path = "/assets/app.5d60c2ed348e2db0.js"
        for kind in Bench.StoreKind.allCases {
            let bench = try Bench(kind, rules: .webViewDefaults)
            func fetch(_ text: String) async throws {
                bench.answer(path, 200, Self.script, body: text)
                try await bench.fill(path, context: ExchangeContext(mode: .reload))
            }
            for text in ["one", "two"] { try await fetch(text) }
            #expect(bench.cache.hostsWithBrokenHashes == ["example.com"])
            bench.clock.advance(by: .seconds(86_399))
            #expect(bench.cache.hostsWithBrokenHashes == ["example.com"])
            #expect(try await bench.text(path).response.cacheStatus.detail != "hashed-name")
            await bench.cache.waitForBackgroundWork()
            bench.clock.advance(by: .seconds(2))
            #expect(bench.cache.hostsWithBrokenHashes.isEmpty)
            let other = ResponseCache(
                store: bench.store, transport: bench.transport,
                configuration: .init(rules: .webViewDefaults, clock: bench.clock.engineClock))
            #expect(other.hostsWithBrokenHashes.isEmpty)
            #expect(try await bench.text(path).response.cacheStatus.detail == "hashed-name")
            try await fetch("two")
            #expect(bench.cache.hostsWithBrokenHashes.isEmpty)
            try await fetch("three")
            #expect(bench.cache.hostsWithBrokenHashes == ["example.com"])
        }
    }

    @Test("explaining says why the name is not believed")
    func explained() async throws {
        let path = "/assets/app.5d60c2ed348e2db0.js"
        let bench = try Bench(rules: .webViewDefaults)
        bench.answer(path, 200, [.contentType: "text/html"], body: "shell")
        try await bench.fill(path)
        let request = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path)
        let explanation = await bench.cache.explain(EngineRequest(head: request))
        #expect(explanation.answer == .forwarded)
        #expect(explanation.steps.contains { $0.finding.contains("text/html") && $0.finding.contains("name") })
    }
}
