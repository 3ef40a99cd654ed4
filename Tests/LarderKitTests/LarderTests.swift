import CacheEngine
import CacheRules
import CacheTesting
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import LarderKit

/// The lines that the README shows, and what they promise.
@Suite("Larder, the façade")
struct LarderTests {
    private func larder(_ transport: ScriptedTransport, in directory: String) throws -> Larder {
        try Larder(LarderConfiguration(directory: URL(fileURLWithPath: directory)), transport: transport)
    }

    private func answering(_ text: String, _ fields: HTTPFields) -> ScriptedTransport {
        let transport = ScriptedTransport()
        transport.on("https://shop.example/") { _ in
            let bytes = Array(text.utf8)
            let body = BodyPipe(onDemand: {}, onCancel: {})
            _ = body.write(bytes)
            body.finish()
            return TransportResponse(
                head: HTTPResponse(status: .ok, headerFields: fields), body: body, bodyLength: Int64(bytes.count))
        }
        return transport
    }

    @Test("what was loaded once is there without a network, also for a new instance on the same folder")
    func offline() async throws {
        let directory = try TemporaryDirectory()
        let transport = answering("hello", [.cacheControl: "no-cache", .eTag: "\"1\""])
        let first = try larder(transport, in: directory.store)
        #expect(try await first.text("https://shop.example/") == "hello")
        // The commit follows the last byte; it is there as soon as the store counts it.
        while try await first.usage.responses == 0 { await Task.yield() }
        let second = try larder(ScriptedTransport(), in: directory.store)
        second.connectivityOverride = .disconnected
        #expect(try await second.text("https://shop.example/") == "hello")
        #expect(transport.requests(to: "https://shop.example/").count == 1)
    }

    @Test("what is not stored is a typed error without a network, and so is a bad address and a body over the limit")
    func errors() async throws {
        let directory = try TemporaryDirectory()
        let larder = try larder(answering("hello", [.cacheControl: "no-store"]), in: directory.store)
        func code(_ url: String, limit: ByteCount = .kibibytes(1)) async -> EngineError.Code? {
            do {
                _ = try await larder.data(for: .init(patient: url), upTo: limit)
                return nil
            } catch {
                return (error as? EngineError)?.code
            }
        }
        #expect(await code("not a url") == .invalidRequest)
        #expect(await code("ftp://shop.example/") == .invalidRequest)
        #expect(await code("https://shop.example/", limit: ByteCount(4)) == .bodyTooLarge)
        larder.connectivityOverride = .disconnected
        #expect(await code("https://shop.example/") == .disconnected)
    }

    /// A Larder in a folder of its own, over an origin that knows one page.
    private func temporary(
        _ body: (Larder, ScriptedTransport) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let transport = ScriptedTransport()
        try await body(try larder(transport, in: directory.store), transport)
    }

    private static let page = "https://shop.example/"
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600", .contentType: "text/html"]

    @Test("what the app brings is there at once, by the same rules as what is loaded")
    func seeds() async throws {
        try await temporary { larder, transport in
            try await larder.store(Data("shipped".utf8), for: URL(test: Self.page), fields: Self.fresh)
            #expect(try await larder.text(Self.page) == "shipped")
            #expect(transport.requests.isEmpty)
            #expect(try await larder.isAvailableOffline(URL(test: Self.page)))
            #expect(try await !larder.isAvailableOffline(URL(test: Self.page + "other")))
            #expect(try await larder.explain(URL(test: Self.page)).answer == .stored)
            #expect(try await larder.explain(URL(test: Self.page + "other")).answer == .forwarded)
            #expect(try await larder.explain(URL(test: Self.page + "other"), offline: true).answer == .failed)
            let listed = try await larder.list()
            #expect(listed.map(\.uri) == [Self.page] && listed.map(\.host) == ["shop.example"])
            #expect(try await larder.list(EntrySelection(host: "other.example")).isEmpty)
            // Without a lifetime the origin is asked first.
            let bare = Self.page + "bare"
            try await larder.store(Data("shipped".utf8), for: URL(test: bare))
            transport.on(bare) { _ in ScriptedTransport.answer(200, Self.fresh, body: "newer") }
            #expect(try await larder.isAvailableOffline(URL(test: bare)))
            #expect(try await larder.text(bare) == "newer")
            // A date says how old it is, not how long it holds.
            let dated = Self.page + "dated"
            let modified: HTTPFields = [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"]
            try await larder.store(Data("shipped".utf8), for: URL(test: dated), fields: modified)
            transport.on(dated) { _ in ScriptedTransport.answer(200, Self.fresh, body: "newer") }
            #expect(try await larder.text(dated) == "newer")
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var url = "https://shop.example/"
        var status = 200
        var fields: HTTPFields = [:]
        var code: EngineError.Code
        var testDescription: String { "\(url) \(status) \(fields)" }
    }

    @Test(
        "what RFC 9111 §3 keeps out can't be brought either",
        arguments: [
            Refused(fields: [.cacheControl: "no-store"], code: .notStorable),
            Refused(fields: [.vary: "*"], code: .notStorable), Refused(status: 206, code: .notStorable),
            Refused(status: 304, code: .notStorable), Refused(status: 103, code: .notStorable),
            Refused(url: "ftp://shop.example/", code: .invalidRequest), Refused(url: "shop", code: .invalidRequest),
        ])
    func refusedSeeds(_ row: Refused) async throws {
        try await temporary { larder, _ in
            let error = await #expect(throws: EngineError.self) {
                try await larder.store(
                    Data([1]), for: URL(test: row.url), status: .init(code: row.status), fields: row.fields)
            }
            #expect(error?.code == row.code)
            let usage = try await larder.usage
            #expect(usage.responses == 0)
        }
    }

    @Test(
        "a page behind stored redirects is available, one behind a redirect to what is not stored, or to itself, is not"
    )
    func redirects() async throws {
        try await temporary { larder, _ in
            func redirect(_ path: String, to location: String, _ status: Int) async throws {
                try await larder.store(
                    Data(), for: URL(test: Self.page + path), status: .init(code: status), fields: [.location: location]
                )
            }
            try await larder.store(Data([1]), for: URL(test: Self.page + "end"), fields: Self.fresh)
            try await redirect("a", to: "/b", 301)
            try await redirect("b", to: "https://shop.example/end", 308)
            try await redirect("c", to: "/gone", 301)
            try await redirect("d", to: "/d", 301)
            #expect(try await larder.isAvailableOffline(URL(test: Self.page + "a")))
            #expect(try await !larder.isAvailableOffline(URL(test: Self.page + "c")))
            #expect(try await !larder.isAvailableOffline(URL(test: Self.page + "d")))
        }
    }

    @Test("each account has its own, and what signs out is gone")
    func accounts() async throws {
        try await temporary { larder, transport in
            larder.account = "anna"
            try await larder.store(Data("of anna".utf8), for: URL(test: Self.page), fields: Self.fresh)
            larder.account = "ben"
            #expect(try await !larder.isAvailableOffline(URL(test: Self.page)))
            try await larder.store(Data("of ben".utf8), for: URL(test: Self.page), fields: Self.fresh)
            #expect(try await larder.logOut("anna").entries == 1)
            #expect(larder.account == "ben")
            #expect(try await larder.text(Self.page) == "of ben")
            #expect(try await larder.logOut("ben").entries == 1)
            #expect(larder.account == nil)
            let usage = try await larder.usage
            #expect(usage.responses == 0)
            #expect(transport.requests.isEmpty)
        }
    }

    @Test("a stuck URL is fetched anew, by its URL it is removed, and each exchange is reported")
    func refreshAndRemove() async throws {
        try await temporary { larder, transport in
            var events = larder.events.makeAsyncIterator()
            try await larder.store(Data("old".utf8), for: URL(test: Self.page), fields: Self.fresh)
            #expect(try await larder.text(Self.page) == "old")
            #expect(await events.next()?.outcome == .hit)
            transport.on(Self.page) { _ in ScriptedTransport.answer(200, Self.fresh, body: "new") }
            #expect(try await larder.refresh(URL(test: Self.page)).statusCode == 200)
            #expect(await events.next()?.outcome == .stored)
            #expect(try await larder.text(Self.page) == "new")
            #expect(try await larder.remove(URL(test: "HTTPS://SHOP.example")).entries == 1)
            let usage = try await larder.usage
            #expect(usage.responses == 0)
            for bad in ["shop", "", "https://", "https:///a"] {
                await #expect(throws: EngineError.self) { try await larder.remove(URL(test: bad)) }
            }
            await #expect(throws: EngineError.self) { try await larder.refresh(URL(test: Self.page + "nobody")) }
        }
    }

    @Test(
        "a refresh without a network says so, and a transfer that stands still does not keep it waiting",
        .timeLimit(.minutes(10)))
    func refreshAlone() async throws {
        try await temporary { larder, transport in
            let (slow, body) = (Self.page + "slow", ScriptedBody())
            transport.on(slow) { _ in ScriptedTransport.answer(200, Self.fresh, streaming: body) }
            transport.on(Self.page) { _ in ScriptedTransport.answer(200, Self.fresh, body: "new") }
            let request = HTTPRequest(method: .get, scheme: "https", authority: "shop.example", path: "/slow")
            let standing = await larder.cache.respond(to: larder.engineRequest(request))
            #expect(try await larder.refresh(URL(test: Self.page)).statusCode == 200)
            larder.connectivityOverride = .disconnected
            #expect(try await larder.text(Self.page) == "new")
            let error = await #expect(throws: EngineError.self) { try await larder.refresh(URL(test: Self.page)) }
            #expect(error?.code == .disconnected)
            body.end()
            _ = try await standing.body.collect(upTo: .kibibytes(1))
        }
    }

    @Test("a URL that a rule keeps under another one is removed by either")
    func removeKeyed() async throws {
        try await temporary { larder, _ in
            larder.rules = RuleList.webViewDefaults.keyed(by: KeyRule("campaigns", dropping: ["ref"]))
            try await larder.store(Data("page".utf8), for: URL(test: Self.page + "?ref=mail"), fields: Self.fresh)
            #expect(try await larder.remove(URL(test: Self.page + "?ref=news")).entries == 1)
            try await larder.store(Data("page".utf8), for: URL(test: Self.page + "?ref=mail"), fields: Self.fresh)
            #expect(try await larder.remove(URL(test: Self.page)).entries == 1)
        }
    }

    @Test("the events say that a host sent other bytes under a name with a content hash")
    func brokenHashedName() async throws {
        try await temporary { larder, transport in
            let name = Self.page + "app.5d60c2ed348e2db0.js"
            let events = larder.events
            for text in ["one", "two"] {
                let fields: HTTPFields = [.cacheControl: "max-age=600", .contentType: "text/javascript"]
                transport.on(name) { _ in ScriptedTransport.answer(200, fields, body: text) }
                try await larder.refresh(URL(test: name))
            }
            var told: [Bool] = []
            for await report in events.prefix(2) { told.append(report.uri == name && report.breaksHashedName) }
            #expect(told == [false, true])
        }
    }

    @Test("a policy is exchanged while it runs")
    func rules() async throws {
        try await temporary { larder, transport in
            transport.on(Self.page) { _ in ScriptedTransport.answer(200, Self.fresh, body: "page") }
            larder.rules = RuleList([Rule("none", .neverStore)])
            _ = try await larder.text(Self.page)
            _ = try await larder.text(Self.page)
            #expect(transport.requests.count == 2)
        }
    }

    @Test("the source decides until something is set by hand; what was stale offline is validated with the network")
    func connectivity() async throws {
        let directory = try TemporaryDirectory()
        let (source, transport) = (ScriptedConnectivity(.disconnected), answering("hello", [.cacheControl: "no-cache"]))
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        configuration.connectivitySource = source
        configuration.offlinePage = { _ in OfflinePage(Array("gone".utf8)) }
        let larder = try Larder(configuration, transport: transport)
        func page() async throws -> (status: Int, text: String) {
            let request = HTTPRequest(method: .get, scheme: "https", authority: "shop.example", path: "/")
            let answer = await larder.cache.respond(to: larder.engineRequest(request, .document))
            let bytes = try await answer.body.collect(upTo: .kibibytes(1))
            return (answer.head.status.code, String(decoding: bytes, as: UTF8.self))
        }
        let gone = try await page()
        #expect(gone.status == 504 && gone.text.hasPrefix("gone<script>"))
        larder.connectivityOverride = .connected
        #expect(try await page() == (200, "hello"))
        while try await larder.usage.responses == 0 { await Task.yield() }
        larder.connectivityOverride = nil
        #expect(larder.connectivity == .disconnected)
        #expect(try await page() == (200, "hello"))
        #expect(transport.requests.count == 1)
        source.report(.connected)
        try await transport.requests(atLeast: 2)
        #expect(larder.connectivity == .connected)
    }
}
