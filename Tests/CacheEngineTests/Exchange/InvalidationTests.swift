import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4.4: invalidation", .timeLimit(.minutes(5)))
struct InvalidationTests {
    private func filled(_ paths: String...) async throws -> Bench {
        let bench = try Bench()
        for path in paths {
            bench.answer(path, 200, [.cacheControl: "max-age=60"], body: "old")
            try await bench.fill(path)
        }
        return bench
    }

    private func isStored(_ path: String, in bench: Bench) async throws -> Bool {
        try await !bench.store.entries(for: bench.key(path)).isEmpty
    }

    @Test("an unsafe method with a non-error answer removes its target", arguments: ["POST", "PUT", "DELETE", "PURGE"])
    func unsafe(_ method: String) async throws {
        let bench = try await filled("/a", "/b")
        bench.answer("/a", 204, [:])
        let method = try #require(HTTPRequest.Method(rawValue: method))
        let response = await bench.send("/a", method: method)
        #expect(response.cacheStatus.description == "Larder; fwd=method")
        #expect(try await !isStored("/a", in: bench))
        #expect(try await isStored("/b", in: bench))
    }

    @Test(
        "safe methods, and errors, remove nothing",
        arguments: [("OPTIONS", 200), ("HEAD", 200), ("POST", 404), ("POST", 500)])
    func nothing(_ method: String, _ status: Int) async throws {
        let bench = try await filled("/a")
        bench.answer("/a", status, [:])
        _ = try await bench.text("/a", method: try #require(HTTPRequest.Method(rawValue: method)))
        #expect(try await isStored("/a", in: bench))
    }

    @Test(
        "responses for Location and Content-Location are removed too, if they have the target's origin",
        arguments: [
            ("/b", true), ("https://example.com/b", true), ("b", true), ("https://other.example/b", false),
            ("http://example.com/b", false),
        ])
    func locations(_ location: String, _ removes: Bool) async throws {
        for name in [HTTPField.Name.location, .contentLocation] {
            let bench = try await filled("/a", "/b")
            bench.transport.on("https://other.example/b") { _ in
                ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], body: "other")
            }
            bench.answer("/a", 201, [name: location])
            _ = try await bench.text("/a", method: .post)
            #expect(try await isStored("/b", in: bench) == !removes)
        }
    }

    struct PagePost: Sendable, CustomTestStringConvertible {
        var method = HTTPRequest.Method.post
        var status = 200
        var fields: HTTPFields = [:]
        var keepsPage: Bool
        var testDescription: String { "\(method) \(status) \(fields): \(keepsPage ? "kept" : "removed")" }
    }

    @Test(
        "a page that a form or a script posts to is validated before its next use, and opens without a network",
        arguments: [
            PagePost(keepsPage: true), PagePost(status: 204, keepsPage: true),
            PagePost(status: 303, fields: [.location: "/b"], keepsPage: true),
            PagePost(status: 303, fields: [.location: "/page"], keepsPage: true),
            PagePost(method: .delete, keepsPage: false), PagePost(method: .put, keepsPage: false),
        ])
    func ownPage(_ row: PagePost) async throws {
        for kind in Bench.StoreKind.allCases {
            let bench = try Bench(kind, rules: .webViewDefaults)
            let page: HTTPFields = [.contentType: "text/html", .cacheControl: "max-age=600"]
            bench.answer("/page", 200, page, body: "old")
            bench.answer("/b", 200, page, body: "old")
            let document = ExchangeContext(destination: .document)
            let offline = ExchangeContext(destination: .document, connectivity: .disconnected)
            for path in ["/page", "/b"] { _ = try await bench.text(path, context: document) }
            bench.answer("/page", 200, [.contentType: "application/json"], body: "data")
            let beside: HTTPFields = [.accept: "application/json", .referer: Bench.base + "/page"]
            var fetch = ExchangeContext(destination: .fetch)
            fetch.checksAllowedOrigin = true
            _ = try await bench.text("/page", beside, context: fetch)
            await bench.cache.waitForCommits()
            bench.clock.advance(by: .seconds(1))

            bench.answer("/page", row.status, row.fields)
            _ = try await bench.text("/page", method: row.method, context: fetch)
            let (said, text) = try await bench.text("/page", context: offline)
            #expect((text == "old") == row.keepsPage, "\(kind) \(said)")
            #expect(try await bench.text("/b", context: offline).text == "old")
            // A script's data at the address of the page go as everything does.
            #expect(try await bench.text("/page", beside, context: offline).text != "data")

            bench.answer("/page", 200, page, body: "new")
            #expect(try await bench.text("/page", context: document).text == "new", "\(kind)")
            await bench.cache.waitForCommits()
            let known = bench.transport.requests.count
            #expect(try await bench.text("/page", context: offline).text == "new", "\(kind)")
            #expect(bench.transport.requests.count == known)
        }
    }

    @Test(
        "an address in an answer means what has its key",
        arguments: [
            ("/u", "/u?utm_source=mail"), ("/%C3%A4", "/%c3%a4"), ("/~me/", "/%7Eme/"), ("/a%20b", "/a b"),
        ])
    func named(_ path: String, _ location: String) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        bench.answer(path, 200, [.contentType: "text/html", .cacheControl: "max-age=600"], body: "old")
        let page = ExchangeContext(destination: .document)
        try await bench.fill(path, context: page)
        bench.clock.advance(by: .seconds(1))
        bench.answer("/form", 303, [.location: location])
        _ = await bench.send("/form", method: .post, context: page)
        bench.answer(path, 200, [.contentType: "text/html", .cacheControl: "max-age=600"], body: "new")
        #expect(try await bench.text(path, context: page).text == "new")
    }

    @Test("the invalidation happens even if the client leaves")
    func cancelled() async throws {
        let bench = try Bench(.disk)
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "old")
        try await bench.fill("/a")
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { _ in
            // The origin has done its work and answers although the client is gone.
            try? await gate.pass()
            return ScriptedTransport.answer(200, [:], body: "done")
        }
        let post = Task { await bench.send("/a", method: .post) }
        try await gate.arrivals(1)
        post.cancel()
        _ = await post.value
        #expect(try await !isStored("/a", in: bench))
    }

    @Test("a response under way before is neither stored nor shared after", arguments: Bench.StoreKind.allCases)
    func requestInFlight(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        let old = ScriptedBody()
        // The bench must not retain itself, or its directory would stay.
        bench.transport.on(Bench.base + "/a") { [transport = bench.transport] request in
            if request.head.method == .post { return ScriptedTransport.answer(200, [:], body: "done") }
            return transport.requests.count == 1
                ? ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], streaming: old)
                : ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], body: "new")
        }
        let first = await bench.send("/a")
        _ = try await bench.text("/a", method: .post)
        // Read your own writes: this one must not join the request that left before.
        #expect(try await bench.text("/a").text == "new")
        try await bench.store.commits(atLeast: 1)
        old.send("old")
        old.end()
        #expect(try await Bench.read(first) == "old")
        #expect(try await bench.recorder.reports(atLeast: 3).count == 3)
        try await bench.store.commits(atLeast: 2)
        #expect(try await bench.text("/a").text == "new")
    }
}
