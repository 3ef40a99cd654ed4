import CacheEngine
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import Fetching
@testable import WebTesting

@Suite(
    "Fetch, HTTP cache partitions: the site of the page is part of a cross-site resource's key", .timeLimit(.minutes(5))
)
struct SiteKeyTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600"]
    private static let domains: Site.RegistrableDomain = { host in
        let labels = host.split(separator: ".")
        return labels.count < 2 ? nil : labels.suffix(2).joined(separator: ".")
    }

    struct Key: Sendable {
        var url: String
        var page: String?
        var isTopLevel = false
    }

    private static let keys: [FetchRow<Key, String>] = [
        .init(Key(url: "https://cdn.test/a", page: "https://shop.test/"), "https://shop.test", "cross-site"),
        .init(
            Key(url: "https://cdn.test/a", page: "https://www.shop.test:8443/x"), "https://shop.test", "HTML §7.1.1.1"),
        .init(Key(url: "https://img.shop.test/a", page: "https://www.shop.test/"), "", "same site"),
        .init(Key(url: "https://shop.test/a", page: "https://shop.test/"), "", "same origin"),
        .init(Key(url: "http://shop.test/a", page: "https://shop.test/"), "https://shop.test", "schemes count"),
        .init(
            Key(url: "https://cdn.test/a", page: "app-cache-https://shop.test/"), "https://shop.test", "the app scheme"),
        .init(Key(url: "https://shop.test/a", page: "app-cache-https://shop.test/"), "", "the app scheme"),
        .init(Key(url: "https://cdn.test/", page: "https://cdn.test/", isTopLevel: true), "", "a document"),
        .init(
            Key(url: "https://cdn.test/", page: "https://shop.test/", isTopLevel: true), "", "a link to another site"),
        .init(Key(url: "https://cdn.test/", page: nil), "", "the document is unknown"),
        .init(Key(url: "https://cdn.test/", page: ""), "", "the document is unknown"),
        .init(Key(url: "https://cdn.test/a", page: "about:blank"), "null", "an opaque origin is no site's"),
        .init(Key(url: "https://cdn.test/a", page: "data:text/html,x"), "null", "an opaque origin"),
        .init(Key(url: "https://cdn.test/a", page: "file:///app/index.html"), "null", "an opaque origin"),
        .init(Key(url: "https://cdn.test/a", page: "blob:https://shop.test/1"), "https://shop.test", "URL §4.7"),
        .init(
            Key(url: "https://10.0.0.1/a", page: "https://20.0.0.1/"), "https://20.0.0.1", "addresses have no domain"),
        .init(
            Key(url: "https://shop.test.evil.test/a", page: "https://shop.test/"), "https://shop.test", "another site"),
    ]

    @Test("which site the key carries", arguments: keys)
    func site(_ row: FetchRow<Key, String>) throws {
        let request = try #require(
            FetchRequest(
                RequestEvidence(
                    method: .get, url: row.given.url, fields: [:], topLevelURL: row.given.page,
                    navigation: row.given.isTopLevel ? .topLevel : RequestEvidence.Navigation.none)))
        #expect(request.cacheSite(registrableDomain: Self.domains) == row.expected)
    }

    @Test("timing: a third party's resource is asked for once per site, and a site that asks again has a hit")
    func timing() async throws {
        let bench = ResponderBench { $0.registrableDomain = Self.domains }
        bench.on("https://cdn.test/lib.js", 200, Self.fresh, body: "lib")
        // A page of another site can't tell that one has stored it: the origin is asked.
        for (number, page) in ["https://shop.test/", "https://evil.test/"].enumerated() {
            let first = try await bench.load("https://cdn.test/lib.js", of: page, dest: "script")
            #expect(first.text == "lib" && !first.wasReady && bench.asked.count == number + 1)
            #expect(bench.recorder.reports.last?.cacheStatus.forward == .uriMiss)
            #expect(bench.recorder.reports.last?.cacheStatus.isHit == false)
        }
        for page in ["https://shop.test/", "https://www.shop.test/b", "https://evil.test/"] {
            #expect(try await bench.load("https://cdn.test/lib.js", of: page, dest: "script").wasReady)
        }
        // Its own pages, and the user's visit there, are asked for as well.
        _ = try await bench.load("https://cdn.test/lib.js", of: "https://cdn.test/", dest: "script")
        #expect(bench.asked.count == 3)
        #expect(try await bench.load("https://cdn.test/lib.js", of: "https://www.cdn.test/", dest: "script").wasReady)
    }

    @Test("hostile: a page can't tell which sites the user has visited", arguments: ["script", "iframe"])
    func visited(_ dest: String) async throws {
        let bench = ResponderBench()
        for url in ["https://bank.test/", "https://bank.test/app.js"] { bench.on(url, 200, Self.fresh, body: "bank") }
        _ = try await bench.open("https://bank.test/")
        _ = try await bench.load("https://bank.test/app.js", of: "https://bank.test/", dest: "script")
        let before = bench.asked.count
        let url = dest == "iframe" ? "https://bank.test/" : "https://bank.test/app.js"
        let mode = dest == "iframe" ? "navigate" : "no-cors"
        #expect(try await !bench.load(url, of: "https://evil.test/", mode: mode, dest: dest).wasReady)
        #expect(bench.asked.count == before + 1)
    }

    @Test("each hop of a redirect has the key of its own URL")
    func hops() async throws {
        let bench = ResponderBench()
        bench.on("https://shop.test/go", 302, [.location: "https://cdn.test/i"])
        bench.on("https://cdn.test/i", 200, Self.fresh, body: "i")
        bench.on("https://cdn.test/back", 302, [.location: "https://shop.test/own"])
        bench.on("https://shop.test/own", 200, Self.fresh, body: "own")
        // The web view knows that both are for another origin.
        _ = try await bench.load("https://cdn.test/back", of: "https://shop.test/")
        let stored = bench.store.summaries(of: .everything, after: nil, limit: 10)
        #expect(stored.map(\.key.site) == [""] && stored.map(\.key.uri) == ["https://shop.test/own"])
        _ = try await bench.load("https://cdn.test/i", of: "https://shop.test/")
        #expect(
            bench.store.summaries(of: .everything, after: nil, limit: 10).map(\.key.site) == ["", "https://shop.test"])
    }

    @Test("an upload makes the resource stale for every site, and a sign-out takes them all")
    func changed() async throws {
        let bench = ResponderBench { $0.context = { ExchangeContext(partition: "anna") } }
        bench.transport.on("https://api.test/cart") { request in
            ScriptedTransport.answer(
                200, [.cacheControl: "max-age=600", .accessControlAllowOrigin: "*"],
                body: request.head.method == .post ? "done" : "cart")
        }
        for page in ["https://a.test/", "https://b.test/"] {
            _ = try await bench.load("https://api.test/cart", of: page, mode: "cors", dest: "empty")
            #expect(try await bench.load("https://api.test/cart", of: page, mode: "cors", dest: "empty").wasReady)
        }
        _ = try await bench.load(
            "https://api.test/cart", of: "https://a.test/", method: .post, mode: "cors", dest: "empty",
            [.contentType: "text/plain"], body: [0x61])
        let before = bench.asked.count
        for page in ["https://a.test/", "https://b.test/"] {
            _ = try await bench.load("https://api.test/cart", of: page, mode: "cors", dest: "empty")
        }
        #expect(bench.asked.count == before + 2)
        #expect(try await bench.cache.remove(EntrySelection(partition: "anna")).entries == 2)
    }
}
