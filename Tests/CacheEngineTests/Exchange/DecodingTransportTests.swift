import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

/// Two engines over one store: one behind a transport that hands content over as it came, one behind a transport that
/// takes codings off.
@Suite("A transport that decodes (RFC 9110 §8.4, §8.8.1)", .timeLimit(.minutes(5)))
struct DecodingTransportTests {
    private let bench: Bench
    private let decoding: ResponseCache

    init() throws {
        bench = try Bench(rules: .webViewDefaults)
        decoding = ResponseCache(
            store: bench.store, transport: DecodingDouble(network: bench.transport),
            configuration: .init(
                rules: .webViewDefaults, clock: bench.clock.engineClock, observer: bench.recorder))
    }

    private static let page: HTTPFields = [
        .cacheControl: "max-age=60", .contentEncoding: "gzip", .eTag: "\"1\"", .vary: "Accept-Encoding",
        .contentType: "text/css",
    ]

    private func get(_ fields: HTTPFields = [:], _ path: String = "/a", from cache: ResponseCache) async throws
        -> (response: EngineResponse, text: String)
    {
        let response = await cache.respond(
            to: EngineRequest(
                head: HTTPRequest(
                    method: .get, scheme: "https", authority: "example.com", path: path, headerFields: fields)))
        let text = try await Bench.read(response)
        await cache.waitForBackgroundWork()
        return (response, text)
    }

    /// Answers with coded content where the request accepts that, else with the same content as it is.
    private func negotiate(_ text: String = "hello", tag: String = "\"1\"", path: String = "/a") {
        let origin = RangeOrigin(body: Array(text.utf8), tag: tag, fields: [.cacheControl: "max-age=60"])
        bench.transport.on(Bench.base + path) { request in
            let presented = request.head.headerFields
            if presented[.ifNoneMatch]?.contains(tag) == true {
                return ScriptedTransport.answer(304, [.eTag: tag, .cacheControl: "max-age=60"])
            }
            guard presented[.acceptEncoding]?.contains("gzip") == true else { return origin.answer(request) }
            var fields = Self.page
            fields[.eTag] = tag
            fields[.contentType] = path.hasSuffix(".js") ? "text/javascript" : "text/css"
            return ScriptedTransport.answer(200, fields, body: DecodingDouble.coded(text))
        }
    }

    @Test("content is stored as what it is: without coding and length, under a weak tag, and serves both engines")
    func stored() async throws {
        var fields = Self.page
        for name in ["Content-Digest", "Repr-Digest", "Content-MD5"] {
            fields[try #require(HTTPField.Name(name))] = "x"
        }
        bench.answer("/a", 200, fields, body: "coded:hello")
        let first = try await get([.acceptEncoding: "gzip"], from: decoding)
        #expect(first.text == "hello")
        #expect(first.response.head.headerFields[.contentLength] == nil)
        for cache in [decoding, bench.cache] {
            let (response, text) = try await get([.acceptEncoding: "gzip"], from: cache)
            #expect(response.cacheStatus.isHit && text == "hello")
            let fields = response.head.headerFields
            #expect(fields[.contentEncoding] == nil && fields[.contentLength] == "5" && fields[.eTag] == "W/\"1\"")
            #expect(
                !fields.contains { $0.name.canonicalName.hasSuffix("digest") || $0.name.canonicalName == "content-md5" }
            )
        }
        #expect(bench.transport.requests.count == 1)
    }

    @Test("what the other transport stored with its coding is served with it, validated, and kept")
    func storedCoded() async throws {
        negotiate()
        _ = try await get([.acceptEncoding: "gzip"], from: bench.cache)
        bench.clock.advance(by: .seconds(61))
        let (response, text) = try await get([.acceptEncoding: "gzip"], from: decoding)
        #expect(text == "coded:hello" && response.cacheStatus.forwardStatus == 304)
        #expect(response.head.headerFields[.contentEncoding] == "gzip")
        #expect(response.head.headerFields[.eTag] == "\"1\"")
    }

    @Test("a 304 with the strong tag confirms content whose tag was weakened (RFC 9110 §13.1.2)")
    func confirmed() async throws {
        negotiate()
        _ = try await get([.acceptEncoding: "gzip"], from: decoding)
        bench.clock.advance(by: .seconds(61))
        let (response, text) = try await get([.acceptEncoding: "gzip"], from: decoding)
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == "W/\"1\"")
        #expect(text == "hello" && response.cacheStatus.forwardStatus == 304)
        #expect(response.head.headerFields[.eTag] == "W/\"1\"")
        #expect(bench.transport.requests.count == 2)
    }

    @Test("the other transport's 304 with the strong tag confirms it too")
    func confirmedByTheOther() async throws {
        negotiate()
        _ = try await get([.acceptEncoding: "gzip"], from: decoding)
        bench.clock.advance(by: .seconds(61))
        let (response, text) = try await get([.acceptEncoding: "gzip"], from: bench.cache)
        #expect(text == "hello" && response.cacheStatus.forwardStatus == 304)
        #expect(response.head.headerFields[.eTag] == "W/\"1\"")
    }

    @Test(
        "codings are accepted that are taken off, and no others",
        arguments: [
            (nil, nil), ("gzip, deflate, br, zstd", "gzip, br"), ("zstd", "identity"), ("identity", "identity"),
            ("gzip;q=0.5, zstd;q=1", "gzip;q=0.5"), ("*", "br, gzip"), ("br;q=0, *", "br;q=0, gzip"),
            ("gzip, *;q=0", "gzip, *;q=0"), ("X-GZIP", "X-GZIP"),
        ] as [(String?, String?)])
    func offers(presented: String?, sent: String?) async throws {
        bench.answer("/a", 200, [:], body: "hello")
        var fields: HTTPFields = [:]
        fields[.acceptEncoding] = presented
        _ = try await get(fields, from: decoding)
        #expect(bench.transport.requests.last?.head.headerFields[.acceptEncoding] == sent)
    }

    @Test("a range is asked for without a coding, and what comes is a part under its strong tag")
    func range() async throws {
        negotiate()
        let (response, text) = try await get([.acceptEncoding: "gzip", .range: "bytes=1-2"], from: decoding)
        #expect(bench.transport.requests.last?.head.headerFields[.acceptEncoding] == "identity")
        #expect(response.head.status == .partialContent && text == "el")
        #expect(response.head.headerFields[.eTag] == "\"1\"")
    }

    @Test("a range of coded content is no content that can be read")
    func codedRange() async throws {
        bench.answer("/a", 206, [.contentEncoding: "gzip", .contentRange: "bytes 1-2/9"], body: "od")
        let (response, _) = try await get([.range: "bytes=1-2"], from: decoding)
        #expect(response.head.status == .badGateway)
    }

    @Test("a part of coded content that the other transport stored is not completed: the whole is fetched")
    func codedPart() async throws {
        let broken = ScriptedBody([DecodingDouble.coded("he")], ends: false)
        broken.end(throwing: TransportError(code: .closedEarly, message: "The origin hung up."))
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, Self.page, streaming: broken, length: 11)
        }
        let fields: HTTPFields = [.acceptEncoding: "gzip"]
        await #expect(throws: (any Error).self) { _ = try await get(fields, from: bench.cache) }
        await bench.cache.waitForBackgroundWork()
        negotiate()
        let (_, text) = try await get(fields, from: decoding)
        #expect(text == "hello")
        #expect(bench.transport.requests.last?.head.headerFields[.range] == nil)
    }

    @Test("the beginning of decoded content is not kept: nothing but the whole can follow")
    func brokenOff() async throws {
        let broken = ScriptedBody([DecodingDouble.coded("he")], ends: false)
        broken.end(throwing: TransportError(code: .closedEarly, message: "The origin hung up."))
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, Self.page, streaming: broken, length: 11)
        }
        let fields: HTTPFields = [.acceptEncoding: "gzip"]
        await #expect(throws: (any Error).self) { _ = try await get(fields, from: decoding) }
        await decoding.waitForBackgroundWork()
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test("an answer to HEAD with the length of the coded content outdates nothing")
    func head() async throws {
        negotiate()
        _ = try await get([.acceptEncoding: "gzip"], from: decoding)
        bench.transport.on(Bench.base + "/a") { _ in
            var fields = Self.page
            fields[.contentLength] = "11"
            return TransportResponse(
                head: HTTPResponse(status: .ok, headerFields: fields), body: ScriptedBody([]), bodyLength: nil)
        }
        _ = await decoding.respond(
            to: EngineRequest(
                head: HTTPRequest(
                    method: .head, scheme: "https", authority: "example.com", path: "/a",
                    headerFields: [.acceptEncoding: "gzip", .cacheControl: "no-cache"])))
        let (response, _) = try await get([.acceptEncoding: "gzip"], from: decoding)
        #expect(response.cacheStatus.isHit)
    }

    private static let hashed = "/assets/app.3f9a2b1c7d8e4f60.js"

    @Test(
        "names with a content hash are compared by decoded content, and the other transport's octets break no promise")
    func hashedNames() async throws {
        let fields: HTTPFields = [.acceptEncoding: "gzip"]
        for cache in [bench.cache, decoding, decoding] {
            negotiate("one", path: Self.hashed)
            try await bench.store.removeEntries(for: bench.key(Self.hashed))
            _ = try await get(fields, Self.hashed, from: cache)
        }
        #expect(decoding.hostsWithBrokenHashes.isEmpty && bench.cache.hostsWithBrokenHashes.isEmpty)
        negotiate("two", path: Self.hashed)
        try await bench.store.removeEntries(for: bench.key(Self.hashed))
        _ = try await get(fields, Self.hashed, from: decoding)
        #expect(decoding.hostsWithBrokenHashes == ["example.com"])
    }

    @Test("what the transport tells of the connection is in the report")
    func metrics() async throws {
        bench.transport.on(Bench.base + "/a") { request in
            var metrics = TransportMetrics()
            metrics.networkProtocol = "h3"
            request.onMetrics?(metrics)
            return ScriptedTransport.answer(200, body: "hello")
        }
        _ = try await get(from: decoding)
        #expect(bench.recorder.reports.map { $0.network?.networkProtocol } == ["h3"])
    }
}
