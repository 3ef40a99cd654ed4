import CacheRules
import CacheTesting
import Decoding
import HTTPCacheSemantics
import Fetching
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("What is refused leaves the store as it was", .timeLimit(.minutes(5)))
struct RefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var reason: PreloadRefusal.Reason
        var item = PreloadBench.item("/a.js", "good")
        var rules = RuleList.protocolOnly
        var answer: ScriptedTransport.Handler

        init(
            _ reason: PreloadRefusal.Reason, _ name: String, item: PreloadItem = PreloadBench.item("/a.js", "good"),
            rules: RuleList = .protocolOnly, _ answer: @escaping ScriptedTransport.Handler
        ) {
            testDescription = "\(reason.rawValue): \(name)"
            (self.reason, self.item, self.rules, self.answer) = (reason, item, rules, answer)
        }
    }

    private static let fresh = PreloadBench.fresh

    private static func of(_ error: TransportError.Code) -> ScriptedTransport.Handler {
        { _ in throw TransportError(code: error, message: "The test says so.") }
    }

    private static func fields(_ more: HTTPFields) -> HTTPFields {
        var fields = fresh
        for field in more { fields[field.name] = field.value }
        return fields
    }

    private static func with(
        _ more: HTTPFields = [:], _ status: Int = 200, body: String = "good"
    ) -> ScriptedTransport.Handler {
        { _ in ScriptedTransport.answer(status, fields(more), body: body) }
    }

    private static func typed(_ type: String, _ destination: PreloadDestination = .script) -> PreloadItem {
        var item = PreloadBench.item("/a.js", "good", as: destination)
        item.type = type
        return item
    }

    private static let html: HTTPFields = [.contentType: "text/html; charset=utf-8"]

    static let rows: [Row] = [
        Row(.invalidURL, "no scheme", item: PreloadItem(url: "/a.js", destination: .script), with()),
        Row(.invalidURL, "another scheme", item: PreloadItem(url: "ftp://shop.test/a", destination: .script), with()),
        Row(.invalidURL, "redirected to another scheme", with([.location: "ftp://shop.test/a"], 301)),
        Row(.status, "404", with([:], 404)), Row(.status, "500", with([:], 500)), Row(.status, "204", with([:], 204)),
        Row(.status, "an unasked part", with([.contentRange: "bytes 0-3/9"], 206)),
        Row(.redirectedOffHost, "another host", with([.location: "https://evil.test/a.js"], 302)),
        Row(.redirectedOffHost, "another port", with([.location: "https://shop.test:8443/a.js"], 302)),
        Row(.redirectedOffHost, "to http", with([.location: "http://shop.test/a.js"], 308)),
        Row(.tooManyRedirects, "to itself", with([.location: "/a.js"], 307)),
        Row(.tls, "certificate", of(.certificateUntrusted)), Row(.tls, "handshake", of(.tlsFailed)),
        Row(
            .type, "another one than listed", item: typed("text/javascript", .module),
            with([.contentType: "text/plain"])),
        Row(
            .type, "none, though listed", item: typed("text/javascript"),
            with([.xContentTypeOptions: "nosniff"])),
        Row(
            .type, "the page of an application in place of a script", item: PreloadBench.item("/a.js", nil), with(html)),
        Row(.type, "and of a font", item: PreloadBench.item("/a.js", nil, as: .font), with(html)),
        Row(.type, "and of data", item: typed("application/json", .fetch), with(html, body: "page")),
        Row(.sizeExceeded, "10 GB declared") { _ in
            ScriptedTransport.answer(200, fresh, streaming: ScriptedBody(), length: 10_000_000_000)
        },
        Row(.sizeExceeded, "10 GB declared, nothing expected", item: PreloadBench.item("/a.js", nil)) { _ in
            ScriptedTransport.answer(200, fresh, streaming: ScriptedBody(), length: 10_000_000_000)
        },
        Row(.sizeExceeded, "more than stated, without a length") { _ in
            ScriptedTransport.answer(200, fresh, streaming: ScriptedBody([Array("good".utf8), [1]]))
        },
        Row(
            .sizeExceeded, "decoded more than stated",
            item: PreloadItem(
                url: PreloadBench.base + "/a.js",
                content: PreloadBench.expected([UInt8](repeating: 0, count: 999)), destination: .script)
        ) { _ in
            ScriptedTransport.answer(200, fields([.contentEncoding: "gzip"]), body: CodedZeros.thousand)
        },
        Row(.truncated, "breaks off each time") { _ in
            let body = ScriptedBody([Array("go".utf8)], ends: false)
            body.end(throwing: TransportError(code: .closedEarly, message: "The test says so."))
            return ScriptedTransport.answer(200, fresh, streaming: body, length: 4)
        },
        Row(.truncated, "closed before the head", of(.closedEarly)),
        Row(.hashMismatch, "same length", with(body: "evil")), Row(.hashMismatch, "shorter", with(body: "goo")),
        Row(.hashMismatch, "empty", with(body: "")),
        // It breaks off at once, and each of its rests is another one.
        Row(.validatorChanged, "parts of different contents") { request in
            let tag: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=60"]
            guard request.head.headerFields[.range] == nil else {
                return ScriptedTransport.answer(206, tag.adding(.contentRange, "bytes 2-3/4"), body: "il")
            }
            let body = ScriptedBody([Array("go".utf8)], ends: false)
            body.end(throwing: TransportError(code: .closedEarly, message: "The test says so."))
            return ScriptedTransport.answer(200, tag, streaming: body, length: 4)
        },
        Row(
            .bomb, "a million zeros of two kilobytes",
            item: PreloadItem(
                url: PreloadBench.base + "/a.js",
                content: PreloadBench.expected([UInt8](repeating: 0, count: CodedZeros.bombSize)), destination: .script)
        ) { _ in
            ScriptedTransport.answer(200, fields([.contentEncoding: "gzip, gzip"]), body: CodedZeros.bomb)
        },
        Row(
            ContentCodings.decodesBrotli ? .bomb : .unknownCoding, "a million zeros of a few bytes of br",
            item: PreloadItem(
                url: PreloadBench.base + "/a.js",
                content: PreloadBench.expected([UInt8](repeating: 0, count: CodedZeros.bombSize)), destination: .script)
        ) { _ in
            ScriptedTransport.answer(200, fields([.contentEncoding: "br"]), body: CodedZeros.bombInBrotli)
        },
        Row(
            ContentCodings.decodesBrotli ? .damaged : .unknownCoding, "no br",
            with([.contentEncoding: "br"])),
        Row(.damaged, "no gzip", with([.contentEncoding: "gzip"])),
        Row(.unknownCoding, "br over br", with([.contentEncoding: "br, br"])),
        Row(.unknownCoding, "zstd", with([.contentEncoding: "zstd"])),
        Row(.varyUnmatchable, "Cookie", with([.vary: "Accept, Cookie"])),
        Row(.varyUnmatchable, "Authorization", with([.vary: "Authorization"])),
        Row(.varyUnmatchable, "anything", with([.vary: "*"])),
        Row(.varyUnmatchable, "anything, unlisted", item: PreloadBench.item("/a.js", nil), with([.vary: "*"])),
        Row(.notStorable, "no-store", with([.cacheControl: "no-store"])),
        Row(.notStorable, "a rule", rules: RuleList([Rule("never", .neverStore, when: .path("/a*"))]), with()),
        Row(.declined, "the draft's phrase") { _ in
            TransportResponse(
                head: HTTPResponse(status: .init(code: 499, reasonPhrase: "Purpose Declined"), headerFields: fresh),
                body: ScriptedBody([]), bodyLength: 0)
        },
        Row(.retryAfter, "503 each time", with([.retryAfter: "5"], 503)),
        Row(.retryAfter, "429 each time", with([:], 429)),
        Row(.network, "no name", of(.nameNotResolved)), Row(.network, "no answer", of(.timedOut)),
        Row(.network, "no HTTP", of(.malformedResponse)),
    ]

    @Test("each with its reason; pages get nothing of it, and what was stored stays", arguments: rows)
    func refused(_ row: Row) async throws {
        let bench = try PreloadBench(rules: row.rules)
        let other = bench.file("/other.js", "other")
        bench.on("/a.js", row.answer)
        await bench.queue.add([row.item, other], set: "app")
        let summary = await bench.runToEnd()
        #expect(summary.refused[row.reason] == 1, "\(summary)")
        // A failed file never hides a good one.
        #expect(summary.verified == 1)
        #expect(try await bench.uris() == [PreloadBench.base + "/other.js"])
    }

    @Test(
        "a file that is listed as it is stored, compressed, and sent with its coding stated is what was listed",
        arguments: [true, false])
    func asStored(_ isListedAsStored: Bool) async throws {
        let bench = try PreloadBench()
        bench.on("/0.pbf") { _ in
            ScriptedTransport.answer(200, Self.fields([.contentEncoding: "gzip"]), body: CodedZeros.thousand)
        }
        let content = isListedAsStored ? CodedZeros.thousand : [UInt8](repeating: 0, count: 1_000)
        let item = PreloadItem(
            url: PreloadBench.base + "/0.pbf", content: PreloadBench.expected(content), destination: .fetch)
        #expect(await bench.preload([item]).verified == 1)
        // And it is found verified by a process that knows nothing of it.
        let asked = bench.transport.requests.count
        #expect(await bench.preload([item], set: "other").verified == 2)
        #expect(bench.transport.requests.count == asked)
    }

    @Test(
        "a host that refuses what says Sec-Purpose is asked once more, as a page asks; not for what is only expected",
        arguments: [403, 406, 204, 503, 200], [false, true])
    func purpose(_ status: Int, isGuessed: Bool) async throws {
        let bench = try PreloadBench()
        bench.on("/a") { request in
            let isAhead = request.head.headerFields.contains(FetchField.secPurpose)
            return isAhead
                ? ScriptedTransport.answer(status, [.cacheControl: "max-age=60", .vary: "Sec-Purpose"], body: "short")
                : ScriptedTransport.answer(200, [.cacheControl: "max-age=60", .vary: "Sec-Purpose"], body: "good")
        }
        var item = PreloadBench.item("/a", nil, as: .document)
        item.isGuessed = isGuessed
        #expect(await bench.preload([item]).verified == (isGuessed ? 0 : 1))
        guard !isGuessed else { return }
        let page = await bench.page("/a", destination: .document)
        #expect(page.cacheStatus.isHit)
        #expect(try await bench.text(page) == "good")
    }

    @Test("every reason has a row here or a test of its own")
    func complete() {
        // Those that wait rather than refuse: BudgetTests, WaitingTests, ReleaseSwitchTests. By the user:
        // FetchingTests. Those of whole pages: WholePagePreloadTests.
        let elsewhere: Set<PreloadRefusal.Reason> = [
            .budget, .constrained, .expensive, .lowPower, .offline, .diskFull, .cancelled, .incompleteRelease,
            .sideEffects, .pageFailed, .timeLimit, .memoryLimit,
        ]
        #expect(Set(Self.rows.map(\.reason)).union(elsewhere) == Set(PreloadRefusal.Reason.allCases))
    }

    @Test("no more than what is expected is read of a content without an end", arguments: [4, 4_000_000])
    func endless(_ size: Int) async throws {
        let bench = try PreloadBench()
        let body = ScriptedBody((0..<200).map { _ in [UInt8](repeating: 7, count: 65_536) }, ends: false)
        bench.on("/a.js") { request in
            // Once more, past every cache on the way.
            request.head.headerFields[.cacheControl] == "no-cache"
                ? ScriptedTransport.answer(200, PreloadBench.fresh, body: [UInt8](repeating: 7, count: size + 1))
                : ScriptedTransport.answer(200, PreloadBench.fresh, streaming: body)
        }
        let item = PreloadItem(
            url: PreloadBench.base + "/a.js", content: PreloadBench.expected([UInt8](repeating: 7, count: size)),
            destination: .script)
        #expect(await bench.preload([item]).refused == [.sizeExceeded: 1])
        #expect(body.isCancelled)
        // At most the lead of the spool beyond it.
        #expect(body.pulledBytes <= Int64(size) + SpooledBody.lead + 131_072)
    }

    @Test("nothing is asked for that is listed as longer than the store takes; what is declared so is not read")
    func beyondStore() async throws {
        let bench = try PreloadBench(.disk, budget: StoreBudget(total: .mebibytes(4)))
        var listed = PreloadBench.item("/a.js", "good")
        listed.content?.size = ByteCount(1_048_577)
        #expect(await bench.preload([listed]).refused == [.sizeExceeded: 1])
        #expect(bench.transport.requests.isEmpty)
        let body = ScriptedBody([[UInt8](repeating: 7, count: 65_536)], ends: false)
        bench.on("/b.js") { _ in
            var fields = PreloadBench.fresh
            fields[.contentLength] = "1048577"
            return ScriptedTransport.answer(200, fields, streaming: body)
        }
        #expect(await bench.preload([PreloadBench.item("/b.js", nil)]).refused == [.sizeExceeded: 1])
        #expect(body.isCancelled)
    }

    @Test("a redirect that leads nowhere good is not stored either")
    func redirectChain() async throws {
        let bench = try PreloadBench()
        bench.answer("/a.js", 301, [.location: "/b.js", .cacheControl: "max-age=60"])
        bench.answer("/b.js", body: "evil")
        #expect(await bench.preload([PreloadBench.item("/a.js", "good")]).refused == [.hashMismatch: 1])
        #expect(try await bench.uris() == [])
    }

    @Test("a coding that can't be taken off is no obstacle where nothing is to be verified")
    func unhashed() async throws {
        let bench = try PreloadBench()
        bench.answer("/a.js", 200, [.cacheControl: "max-age=60", .contentEncoding: "x-own", .vary: "Accept-Encoding"])
        #expect(await bench.preload([PreloadBench.item("/a.js", nil)]).verified == 1)
        #expect(await bench.page("/a.js").cacheStatus.isHit)
    }

    static let thousands =
        [("gzip", CodedZeros.thousand)] + (ContentCodings.decodesBrotli ? [("br", CodedZeros.thousandInBrotli)] : [])

    @Test("content in a coding is verified by what it says, and stored as it came", arguments: thousands)
    func coded(_ coding: String, _ body: [UInt8]) async throws {
        let bench = try PreloadBench()
        bench.on("/a.js") { _ in
            ScriptedTransport.answer(
                200, Self.fields([.contentEncoding: coding, .vary: "Accept-Encoding"]), body: body)
        }
        let item = PreloadItem(
            url: PreloadBench.base + "/a.js", content: PreloadBench.expected([UInt8](repeating: 0, count: 1_000)),
            destination: .script)
        #expect(await bench.preload([item]).verified == 1)
        let answer = await bench.page("/a.js")
        #expect(answer.cacheStatus.isHit && answer.head.headerFields[.contentEncoding] == coding)
        #expect(try await answer.body.collect(upTo: .mebibytes(1)) == body)
    }

    /// A transport that hands content over decoded, as URLSession does.
    private struct Decoding: OriginTransport {
        let network: ScriptedTransport
        var decodedCodings: Set<String> { ["gzip"] }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var response = try await network.send(request)
            response.body = ScriptedBody([[UInt8](repeating: 0, count: 1_000)])
            response.bodyLength = nil
            return response
        }
    }

    @Test("over a transport that decodes, content is verified and stored decoded; over another one it counts as there")
    func decoded() async throws {
        let bench = try PreloadBench()
        bench.on("/a.js") { _ in
            ScriptedTransport.answer(
                200, Self.fields([.contentEncoding: "gzip", .vary: "Accept-Encoding"]), body: CodedZeros.thousand)
        }
        let item = PreloadItem(
            url: PreloadBench.base + "/a.js", content: PreloadBench.expected([UInt8](repeating: 0, count: 1_000)),
            destination: .script)
        let cache = ResponseCache(
            store: bench.store, transport: Decoding(network: bench.transport),
            configuration: EngineConfiguration(clock: bench.clock.engineClock))
        let queue = PreloadQueue(cache: cache, configuration: PreloadConfiguration(connectivity: { .connected }))
        await queue.add([item], set: "app")
        #expect(await queue.run().verified == 1)
        await bench.preload([item])
        #expect(bench.transport.requests.count == 1)
        let answer = await bench.page("/a.js")
        #expect(answer.cacheStatus.isHit && answer.head.headerFields[.contentEncoding] == nil)
        #expect(try await answer.body.collect(upTo: .mebibytes(1)) == [UInt8](repeating: 0, count: 1_000))
    }
}

extension HTTPFields {
    fileprivate func adding(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var fields = self
        fields[name] = value
        return fields
    }
}
