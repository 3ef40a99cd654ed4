import CacheRules
import CacheTesting
import HTTPCacheSemantics
import Fetching
import HTTPTypes
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("RFC 9111 §4.1: what was fetched ahead is selected by the page's request, and not by others")
struct VaryTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var vary: String
        var destination: PreloadDestination
        var asked: HTTPFields
        var isUsed: Bool

        var testDescription: String { "\(isUsed ? "used" : "not used"): \(destination), Vary: \(vary), \(asked)" }
    }

    private static let userAgent = "Mozilla/5.0 (test) AppleWebKit/605.1.15"
    private static let languages = "de-DE,de;q=0.9"
    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .accept }

    /// What WebKit sends, as in its CachedResourceRequest.cpp, and as it was measured for each kind of load.
    private static func webKit(_ destination: PreloadDestination) -> HTTPFields {
        PreloadBench.pageFields(destination) { fields in
            fields[.userAgent] = userAgent
            fields[.acceptLanguage] = languages
            fields[name("Sec-Fetch-Site")] = destination == .document ? "none" : "same-origin"
            let (dest, mode) =
                switch destination {
                case .document: ("document", "navigate")
                case .style: ("style", "no-cors")
                case .module: ("script", "cors")
                case .font: ("font", "no-cors")
                case .image: ("image", "no-cors")
                case .fetch: ("empty", "cors")
                case .worker: ("worker", "same-origin")
                default: ("script", "no-cors")
                }
            (fields[name("Sec-Fetch-Dest")], fields[name("Sec-Fetch-Mode")]) = (dest, mode)
            if destination == .module { fields[.origin] = PreloadBench.base }
        }
    }

    private static func row(
        _ vary: String, _ destination: PreloadDestination, asked other: PreloadDestination? = nil, used: Bool = true,
        changing: (inout HTTPFields) -> Void = { _ in }
    ) -> Row {
        var asked = webKit(other ?? destination)
        changing(&asked)
        return Row(vary: vary, destination: destination, asked: asked, isUsed: used)
    }

    static let rows: [Row] = [
        row("Accept", .document), row("Accept", .style), row("Accept", .script), row("Accept", .image),
        row("Accept", .font), row("Accept", .fetch), row("Accept", .worker), row("Accept", .module),
        row("Accept", .style, asked: .fetch, used: false), row("Accept", .image, asked: .style, used: false),
        row("Accept-Encoding", .script),
        row("Accept-Encoding", .script) { $0[.acceptEncoding] = "gzip,deflate,br" },
        row("Accept-Encoding", .script, used: false) { $0[.acceptEncoding] = "gzip, deflate" },
        row("Accept-Encoding", .script, used: false) { $0[.acceptEncoding] = "gzip, deflate, br, zstd" },
        row("Accept-Language", .document),
        row("Accept-Language", .document, used: false) { $0[.acceptLanguage] = "en" },
        row("User-Agent", .script), row("User-Agent", .script, used: false) { $0[.userAgent] = "other" },
        row("Origin", .script), row("Origin", .module), row("Origin", .font), row("Origin", .image),
        row("Origin", .script, asked: .module, used: false), row("Origin", .module, asked: .script, used: false),
        row("Origin", .font, used: false) { $0[.origin] = PreloadBench.base },
        row("Sec-Fetch-Dest", .script), row("Sec-Fetch-Dest", .style), row("Sec-Fetch-Dest", .document),
        row("Sec-Fetch-Dest", .module), row("Sec-Fetch-Dest", .worker), row("Sec-Fetch-Dest", .fetch),
        row("Sec-Fetch-Dest", .script, asked: .fetch, used: false),
        row("Sec-Fetch-Mode", .module), row("Sec-Fetch-Mode", .script, asked: .module, used: false),
        row("Sec-Fetch-Site", .script), row("Sec-Fetch-Site", .document),
        row("Accept-Encoding, Accept, User-Agent, Sec-Fetch-Dest, Origin", .module),
        // We send none of these.
        row("Cookie", .document), row("Cookie", .document, used: false) { $0[.cookie] = "session=1" },
        row("Authorization, Cookie", .script), row("Referer", .document), row("Purpose", .script),
        row("Referer", .document, used: false) { $0[.referer] = PreloadBench.base + "/" },
        row("X-Unknown", .script), row("X-Unknown", .script, used: false) { $0[name("X-Unknown")] = "1" },
    ]

    @Test(arguments: rows)
    func selected(_ row: Row) async throws {
        let bench = try PreloadBench {
            $0.viewFields = ViewFields(userAgent: Self.userAgent, acceptLanguage: Self.languages)
        }
        bench.answer("/a", 200, [.vary: row.vary, .cacheControl: "max-age=60"], body: "text")
        #expect(await bench.preload([PreloadBench.item("/a", nil, as: row.destination)]).verified == 1)
        let answer = await bench.page("/a", row.asked, destination: row.destination.destination)
        #expect(answer.cacheStatus.isHit == row.isUsed)
        _ = try await bench.text(answer)
    }

    // The message tells no value of a cookie.
    @Test(
        "a miss by Vary without a network names the field and both values",
        arguments: rows.filter { !$0.isUsed && $0.vary != "Cookie" })
    func named(_ row: Row) async throws {
        let bench = try PreloadBench {
            $0.viewFields = ViewFields(userAgent: Self.userAgent, acceptLanguage: Self.languages)
        }
        bench.answer("/a", 200, [.vary: row.vary, .cacheControl: "max-age=60"], body: "text")
        await bench.preload([PreloadBench.item("/a", nil, as: row.destination)])
        let answer = await bench.page(
            "/a", row.asked, destination: row.destination.destination, connectivity: .disconnected)
        let message = try #require(answer.failure?.message)
        let values = row.asked[Self.name(row.vary)].map { "asked with '\($0)'" } ?? "asked with none"
        // Lists are told with one space behind each comma.
        let isNamed = message.filter { $0 != " " }.contains(values.filter { $0 != " " })
        #expect(message.contains("\(row.vary) (stored for ") && isNamed, "\(message)")
    }

    @Test(
        "a listed file answers all requests for its URL, before and after it is validated",
        arguments: rows.filter { !$0.vary.contains("Cookie") })
    func listed(_ row: Row) async throws {
        let bench = try PreloadBench {
            $0.viewFields = ViewFields(userAgent: Self.userAgent, acceptLanguage: Self.languages)
        }
        bench.on("/a") { request in
            let tag: HTTPFields = [.vary: row.vary, .cacheControl: "max-age=60", .eTag: "\"1\""]
            return request.head.headerFields[.ifNoneMatch] == nil
                ? ScriptedTransport.answer(200, tag, body: "text") : ScriptedTransport.answer(304, tag)
        }
        #expect(await bench.preload([PreloadBench.item("/a", "text", as: row.destination)]).verified == 1)
        #expect(await bench.page("/a", row.asked, destination: row.destination.destination).cacheStatus.isHit)
        bench.clock.advance(by: .seconds(61))
        _ = try await bench.text(await bench.page("/a", Self.webKit(.image), destination: .image))
        #expect(await bench.page("/a", row.asked, destination: row.destination.destination).cacheStatus.isHit)
        #expect(bench.transport.requests.count == 2)
    }

    @Test("the fields are learned from the requests of pages, not from those of the app")
    func learned() async throws {
        let bench = try PreloadBench()
        let item = bench.file(
            "/a.js", "a", [.vary: "User-Agent, Accept-Encoding, Accept-Language", .cacheControl: "max-age=60"])
        let asked = PreloadBench.pageFields {
            $0[.userAgent] = "App/1"
            $0[.acceptLanguage] = "fr"
            $0[.acceptEncoding] = "gzip, deflate"
        }
        bench.answer("/page.js")
        bench.answer("/own")
        _ = try await bench.text(await bench.page("/page.js", asked))
        let own: HTTPFields = [.userAgent: "URLSession", .acceptEncoding: "br"]
        _ = try await bench.text(await bench.page("/own", own, destination: .unknown))
        // A part is asked for uncoded, and says nothing about the rest.
        bench.answer("/movie")
        let media: HTTPFields = [.userAgent: "App/1", .acceptEncoding: "identity", .range: "bytes=0-"]
        _ = try await bench.text(await bench.page("/movie", media, destination: .video))
        bench.clock.advance(by: .seconds(60))
        await bench.preload([item])
        #expect(bench.queue.viewFields.userAgent == "App/1")
        #expect(await bench.page("/a.js", asked).cacheStatus.isHit)
    }

    @Test("br is asked for over TLS alone, as web views do, and a request without TLS unlearns nothing")
    func withoutTLS() throws {
        var fields = ViewFields()
        func codings(_ url: String) throws -> String? {
            let item = PreloadItem(url: url, destination: .script)
            return try #require(fields.request(for: item, at: url)).headerFields[.acceptEncoding]
        }
        func learn(_ scheme: String, _ codings: String) {
            fields.learn(
                from: HTTPRequest(
                    method: .get, scheme: scheme, authority: "a.test", path: "/",
                    headerFields: [.acceptEncoding: codings]),
                destination: .script)
        }
        #expect(try codings("http://a.test/") == "gzip, deflate")
        #expect(try codings("https://a.test/") == "gzip, deflate, br")
        learn("http", "gzip, deflate")
        #expect(try codings("https://a.test/") == "gzip, deflate, br")
        learn("https", "gzip, deflate, br, zstd")
        #expect(try codings("http://a.test/") == "gzip, deflate")
        #expect(try codings("https://a.test/") == "gzip, deflate, br, zstd")
        learn("http", "gzip")
        #expect(try codings("http://a.test/") == "gzip")
    }

    @Test("WebKit's FrameLoader: documents and frames ask for https where they have not got it")
    func upgrades() throws {
        for destination in [.document, .iframe, .script] as [PreloadDestination] {
            for scheme in ["http", "https"] {
                let item = PreloadItem(url: "\(scheme)://a.test/", destination: destination)
                let request = try #require(ViewFields().request(for: item, at: item.url))
                let expected = scheme == "http" && destination != .script ? "1" : nil
                #expect(request.headerFields[FetchField.upgradeInsecureRequests] == expected)
            }
        }
    }

    @Test("an image's and a page's Accept is learned as well, and whether there is Fetch Metadata")
    func learnedAccept() {
        var fields = ViewFields()
        func learn(_ accept: String, _ destination: Destination, _ more: HTTPFields = [:]) {
            var head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/", headerFields: more)
            head.headerFields[.accept] = accept
            fields.learn(from: head, destination: destination)
        }
        learn("image/avif", .image, [Self.name("Sec-Fetch-Dest"): "image"])
        #expect(fields.accept == [.image: "image/avif"] && fields.sendsFetchMetadata)
        // A script may choose it.
        learn("application/json", .fetch)
        #expect(fields.accept == [.image: "image/avif"] && !fields.sendsFetchMetadata)
        let request = fields.request(for: PreloadBench.item("/a.png", nil, as: .image), at: "https://shop.test/a.png")
        #expect(request?.headerFields[.accept] == "image/avif")
        #expect(request?.headerFields.contains(Self.name("Sec-Fetch-Dest")) == false)
    }

    @Test("another site's file carries the page's origin where CORS does, and is stored for that site")
    func crossSite() async throws {
        let bench = try PreloadBench()
        bench.transport.on("https://cdn.test/m.js") { _ in
            ScriptedTransport.answer(
                200, [.accessControlAllowOrigin: PreloadBench.base, .vary: "Origin", .cacheControl: "max-age=60"],
                body: "m")
        }
        let item = PreloadItem(
            url: "https://cdn.test/m.js", content: PreloadBench.expected(Array("m".utf8)), destination: .module,
            origin: PreloadBench.base, site: PreloadBench.base)
        #expect(await bench.preload([item]).verified == 1)
        let sent = try #require(bench.transport.requests.first?.head.headerFields)
        #expect(sent[.origin] == PreloadBench.base && sent[Self.name("Sec-Fetch-Site")] == "cross-site")
        func answers(_ origin: String, site: String) async -> Bool {
            var context = ExchangeContext(site: site, destination: .script)
            context.checksAllowedOrigin = true
            var fields = PreloadBench.pageFields()
            fields[.origin] = origin
            let response = await bench.cache.respond(
                to: EngineRequest(
                    head: HTTPRequest(
                        method: .get, scheme: "https", authority: "cdn.test", path: "/m.js", headerFields: fields),
                    context: context))
            _ = try? await bench.text(response)
            return response.cacheStatus.isHit
        }
        #expect(await answers(PreloadBench.base, site: PreloadBench.base))
        #expect(await !answers("https://other.test", site: "https://other.test"))
    }
}
