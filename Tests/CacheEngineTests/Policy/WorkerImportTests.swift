import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("Scripts that a service worker imports are asked about before they go into a new one", .timeLimit(.minutes(5)))
struct WorkerImportTests {
    private let bench: Bench
    private let version = LockedBox(1)
    private let freshness = LockedBox<String?>(nil)

    init() throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        self.bench = bench
        for path in ["/sw.js", "/part.js", "/more.js", "/page.js"] {
            bench.transport.on(Bench.base + path) { [version, freshness] _ in
                var fields: HTTPFields = [.contentType: "text/javascript"]
                fields[.cacheControl] = freshness.withLock { $0 }
                return ScriptedTransport.answer(200, fields, body: "\(version.withLock { $0 })")
            }
        }
    }

    /// What a page or a worker gets, when all that this causes is done.
    private func get(_ path: String, _ destination: Destination, from referrer: String = "/") async throws -> String {
        let answer = try await bench.text(
            path, [.referer: Bench.base + referrer], context: ExchangeContext(destination: destination))
        await bench.cache.waitForCommits()
        await bench.cache.waitForBackgroundWork()
        return answer.text
    }

    /// Service Workers, Update: the script, then what it imports.
    private func update() async throws -> [String] {
        [
            try await bench.text(
                "/sw.js", [.cacheControl: "max-age=0"], context: ExchangeContext(destination: .serviceWorker)
            ).text,
            try await get("/part.js", .script, from: "/sw.js"), try await get("/more.js", .script, from: "/part.js"),
        ]
    }

    @Test("a host has a worker once its script is stored, also in a process that has not seen that")
    func host() async throws {
        #expect(await !bench.cache.hasServiceWorker(on: "example.com", partition: ""))
        _ = try await update()
        await bench.cache.waitForCommits()
        for cache in [bench.cache, restarted] {
            #expect(await cache.hasServiceWorker(on: "example.com", partition: ""))
            #expect(await !cache.hasServiceWorker(on: "example.com", partition: "other"))
            #expect(await !cache.hasServiceWorker(on: "other.example.com", partition: ""))
        }
    }

    private var restarted: ResponseCache {
        ResponseCache(
            store: bench.store, transport: bench.transport,
            configuration: EngineConfiguration(rules: .webViewDefaults, clock: bench.clock.engineClock))
    }

    @Test(
        "a new worker gets its new imports, and what they import; the scripts of pages come at once as before",
        arguments: [nil, "max-age=86400"])
    func imports(_ stated: String?) async throws {
        freshness.withLock { $0 = stated }
        #expect(try await update() == ["1", "1", "1"])
        #expect(try await get("/page.js", .script) == "1")
        version.withLock { $0 = 2 }
        bench.clock.advance(by: .seconds(1))
        #expect(try await update() == ["2", "2", "2"])
        #expect(try await get("/page.js", .script) == "1")
        // WebKit compares imports with what it has, and names the site as its referrer.
        version.withLock { $0 = 3 }
        #expect(try await get("/part.js", .unknown) == "3")
        bench.transport.on(Bench.base + "/part.js", Bench.unreachable)
        #expect(try await get("/part.js", .unknown) == "3")
    }
}
