import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("What scripts fetch beside pages, and what takes no page's place", .timeLimit(.minutes(5)))
struct BesidePageTests {
    @Test(
        "what a script fetches at the address of a page is stored beside it, though the server forgets Vary",
        arguments: [
            ("no-cache", nil), ("max-age=0, private, must-revalidate", nil), (nil, nil),
            // Servers that compress state this alone.
            ("no-cache", "Accept-Encoding"), (nil, "Accept-Encoding"),
        ] as [(String?, String?)],
        [["Accept": "application/json"], ["X-Requested-With": "XMLHttpRequest"], ["HX-Request": "true"]])
    func besidePage(_ stated: (control: String?, vary: String?), _ fields: [String: String]) async throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        let round = LockedBox(0)
        bench.transport.on(Bench.base + "/list") { request in
            let asked = request.head.headerFields
            let isPart = fields.contains { name, value in HTTPField.Name(name).flatMap { asked[$0] } == value }
            let text = (isPart ? "part" : "page") + String(round.withLock { $0 })
            var answer: HTTPFields = [.contentType: fields["Accept"] ?? "text/html", .eTag: "\"\(text)\""]
            if !isPart { answer[.contentType] = "text/html" }
            (answer[.cacheControl], answer[.vary]) = (stated.control, stated.vary)
            return asked[.ifNoneMatch] == answer[.eTag]
                ? ScriptedTransport.answer(304, answer) : ScriptedTransport.answer(200, answer, body: text)
        }
        func ask(_ destination: Destination, _ fields: HTTPFields, _ connectivity: Connectivity) async throws -> String
        {
            var context = ExchangeContext(destination: destination, connectivity: connectivity)
            context.checksAllowedOrigin = true
            let text = try await bench.text("/list", fields, context: context).text
            await bench.cache.waitForCommits()
            await bench.cache.waitForBackgroundWork()
            bench.clock.advance(by: .seconds(1))
            return text
        }
        var part: HTTPFields = [.accept: "*/*", .referer: Bench.base + "/list"]
        for (name, value) in fields { part[try #require(HTTPField.Name(name))] = value }
        let html: HTTPFields = [.accept: "text/html,*/*;q=0.8"]
        for visit in [0, 1, 1, 2] {
            round.withLock { $0 = visit }
            for connectivity in [Connectivity.connected, .disconnected] {
                let page = try await ask(.document, html, connectivity)
                let found = [page, try await ask(.fetch, part, connectivity)]
                #expect(found == ["page\(visit)", "part\(visit)"])
            }
        }
        // A part that is confirmed does not take the page's place, nor a newer page the part's.
        _ = try await ask(.fetch, part, .connected)
        #expect(try await ask(.document, html, .disconnected) == "page2")
        _ = try await ask(.document, html, .connected)
        #expect(try await ask(.fetch, part, .disconnected) == "part2")
    }

    @Test("a stored response in a coding that the client refuses is not confirmed for it (RFC 9110 §12.5.3)")
    func refusedCoding() async throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        bench.transport.on(Bench.base + "/a.css") { request in
            let asked = request.head.headerFields
            var answer: HTTPFields = [
                .contentType: "text/css", .eTag: "W/\"x\"", .vary: "Accept-Encoding", .cacheControl: "no-cache",
            ]
            if asked[.ifNoneMatch] == "W/\"x\"" { return ScriptedTransport.answer(304, answer) }
            let isCoded = asked[.acceptEncoding] == "gzip"
            if isCoded { answer[.contentEncoding] = "gzip" }
            return ScriptedTransport.answer(200, answer, body: isCoded ? "coded" : "plain")
        }
        for (coding, text) in [("gzip", "coded"), ("identity", "plain"), ("gzip", "coded")] {
            #expect(try await bench.text("/a.css", [.acceptEncoding: coding]).text == text)
            await bench.cache.waitForCommits()
            await bench.cache.waitForBackgroundWork()
        }
    }

    @Test(
        "an error that is of one request, or of who asks, takes no stored page's place",
        arguments: [400, 401, 403, 408, 419, 421, 425, 429, 431, 451])
    func errorsOfOneRequest(_ status: Int) async throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        // As frameworks state it for all that they answer.
        let fields: HTTPFields = [.contentType: "text/html", .cacheControl: "no-cache, private"]
        bench.answers(
            "/",
            [
                { _ in ScriptedTransport.answer(200, fields, body: "page") },
                { _ in ScriptedTransport.answer(status, fields, body: "error") },
            ])
        var context = ExchangeContext(destination: .document)
        context.checksAllowedOrigin = true
        for text in ["page", "error"] {
            #expect(try await bench.text("/", context: context).text == text)
            await bench.cache.waitForCommits()
            await bench.cache.waitForBackgroundWork()
        }
        context.connectivity = .disconnected
        #expect(try await bench.text("/", context: context).text == "page")
    }

    @Test("a page that a script fetched first is one once it is shown", arguments: ["no-cache", "max-age=60"])
    func fetchedFirst(_ control: String) async throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        bench.transport.on(Bench.base + "/about") { request in
            let fields: HTTPFields = [.contentType: "text/html", .eTag: "\"1\"", .cacheControl: control]
            return request.head.headerFields[.ifNoneMatch] == "\"1\""
                ? ScriptedTransport.answer(304, fields) : ScriptedTransport.answer(200, fields, body: "page")
        }
        for destination in [Destination.fetch, .document] {
            var context = ExchangeContext(destination: destination)
            context.checksAllowedOrigin = true
            _ = try await bench.text("/about", context: context)
            await bench.cache.waitForCommits()
            await bench.cache.waitForBackgroundWork()
        }
        let stored = try await bench.store.entries(for: bench.key("/about"))
        #expect(stored.map { $0.response.tags.contains { $0.hasPrefix("page-since:") } } == [true])
    }
}
