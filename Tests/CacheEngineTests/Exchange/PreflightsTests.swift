import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Fetch §4.8: preflights of what is stored, without a network", .timeLimit(.minutes(5)))
struct PreflightsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var allowed: HTTPFields = [
            .accessControlAllowOrigin: "https://shop.test", .accessControlAllowHeaders: "x-tenant",
        ]
        var status = 204
        /// The origin and the method of the preflight without a network.
        var origin = "https://shop.test"
        var method = "GET"
        /// Whether the server can't be reached, in place of no network.
        var isUnreachable = false
        var isAnswered = true
    }

    private static func context(_ connectivity: Connectivity = .connected) -> ExchangeContext {
        var context = ExchangeContext(
            document: "https://shop.test/", site: "https://shop.test", destination: .fetch, connectivity: connectivity)
        context.checksAllowedOrigin = true
        return context
    }

    private static func preflight(_ origin: String, _ method: String) -> HTTPFields {
        [.origin: origin, .accessControlRequestMethod: method, .accessControlRequestHeaders: "x-tenant"]
    }

    @Test(
        "one that the server allowed before is answered; the stored response is what the script gets",
        arguments: [
            Row(testDescription: "allowed by name"),
            Row(
                testDescription: "allowed to all",
                allowed: [.accessControlAllowOrigin: "*", .accessControlAllowHeaders: "*"]),
            Row(testDescription: "a HEAD", method: "HEAD"),
            Row(testDescription: "a server that is down", isUnreachable: true),
            Row(testDescription: "refused by its status", status: 403, isAnswered: false),
            Row(testDescription: "another origin", origin: "https://evil.test", isAnswered: false),
            Row(testDescription: "an opaque origin", origin: "null", isAnswered: false),
            Row(testDescription: "another method", method: "DELETE", isAnswered: false),
        ])
    func answered(_ row: Row) async throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        let (allowed, status) = (row.allowed, row.status)
        bench.transport.on(Bench.base + "/data") { request in
            if request.head.method == .options { return ScriptedTransport.answer(status, allowed) }
            return ScriptedTransport.answer(
                200, [.accessControlAllowOrigin: "*", .contentType: "application/json", .eTag: "\"1\""], body: "{}")
        }
        let fields: HTTPFields = [.origin: "https://shop.test", .tenant: "a"]
        for _ in 1...2 {
            _ = await bench.send(
                "/data", Self.preflight("https://shop.test", "GET"), method: .options, context: Self.context())
            let (said, text) = try await bench.text("/data", fields, context: Self.context())
            #expect(text == "{}" && said.cacheStatus.isStored, "\(said.cacheStatus)")
            await bench.cache.waitForCommits()
        }
        // The next start of the app.
        let next = ResponseCache(
            store: bench.store, transport: bench.transport,
            configuration: EngineConfiguration(rules: .webViewDefaults, clock: bench.clock.engineClock))
        if row.isUnreachable {
            bench.transport.on(Bench.base + "/data") { _ in
                throw TransportError(code: .connectionFailed, message: "gone")
            }
        }
        let connectivity = row.isUnreachable ? Connectivity.connected : .disconnected
        func ask(_ method: HTTPRequest.Method, _ fields: HTTPFields) async -> EngineResponse {
            let head = HTTPRequest(
                method: method, scheme: "https", authority: "example.com", path: "/data", headerFields: fields)
            return await next.respond(to: EngineRequest(head: head, context: Self.context(connectivity)))
        }
        let answer = await ask(.options, Self.preflight(row.origin, row.method))
        #expect((answer.head.status == .noContent) == row.isAnswered, "\(answer.head)")
        guard row.isAnswered else { return }
        for (name, value) in row.allowed.map({ ($0.name, $0.value) }) {
            #expect(answer.head.headerFields[name] == value)
        }
        #expect(answer.head.headerFields[.accessControlMaxAge] == "0")
        #expect(try await Bench.read(await ask(.get, fields)) == "{}")
        let key = CacheKey(site: "https://shop.test", uri: Bench.base + "/data")
        let tags = try await bench.store.entries(for: key).flatMap(\.response.tags)
        #expect(!tags.isEmpty && StoredNotes.tags(of: tags).isEmpty)
    }

    @Test("none is answered for what is not stored, nor where none was asked")
    func unknown() async throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        bench.answer("/data", 200, [.accessControlAllowOrigin: "*", .contentType: "application/json"], body: "{}")
        let preflight = Self.preflight("https://shop.test", "GET")
        for path in ["/data", "/nothing"] {
            if path == "/data" {
                _ = try await bench.text(path, [.origin: "https://shop.test"], context: Self.context())
                await bench.cache.waitForCommits()
            }
            let answer = await bench.send(path, preflight, method: .options, context: Self.context(.disconnected))
            #expect(answer.head.status == .gatewayTimeout && answer.failure?.code == .disconnected)
        }
    }
}

extension HTTPField.Name {
    fileprivate static var tenant: Self { Self("X-Tenant") ?? .origin }
}
