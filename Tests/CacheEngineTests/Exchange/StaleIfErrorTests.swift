import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 5861 §4: stale-if-error, and RFC 9111 §4.2.4 without it", .timeLimit(.minutes(5)))
struct StaleIfErrorTests {
    @Test(
        "in a web view an error takes no success's place, whatever freshness it states (RFC 9111 §3 lets it be stored)",
        arguments: [500, 502, 503, 504], [nil, "max-age=0", "max-age=60", "no-cache"])
    func kept(_ code: Int, _ stated: String?) async throws {
        for isWebView in [true, false] where isWebView || stated != "no-cache" {
            let bench = try Bench(rules: RuleList([Rule.disconnected]))
            var (online, offline) = (ExchangeContext(), Bench.disconnected)
            (online.checksAllowedOrigin, offline.checksAllowedOrigin) = (isWebView, isWebView)
            bench.answer("/d.json", 200, [.cacheControl: "max-age=0", .eTag: "\"1\""], body: "good")
            try await bench.fill("/d.json", context: online)
            bench.clock.advance(by: .seconds(1))
            let fields: HTTPFields = stated.map { [.cacheControl: $0] } ?? [:]
            bench.answer("/d.json", code, fields, body: "bad")
            #expect(try await bench.text("/d.json", context: online).text == "bad")
            await bench.cache.waitForCommits()
            let isKept = isWebView || stated == nil
            #expect(try await bench.text("/d.json", context: offline).text == (isKept ? "good" : "bad"))
        }
    }

    @Test(
        "a web view asks again after an error that may pass, whatever lifetime that states (RFC 9111 §3 lets it be kept)",
        arguments: [400, 401, 403, 404, 405, 410, 418, 429, 451, 500, 503])
    func passing(_ code: Int) async throws {
        for isWebView in [true, false] {
            let bench = try Bench(rules: isWebView ? .webViewDefaults : .protocolOnly)
            var context = ExchangeContext(destination: .script)
            context.checksAllowedOrigin = isWebView
            bench.answer("/a.js", code, [.cacheControl: "max-age=600"], body: "bad")
            #expect(try await bench.text("/a.js", context: context).text == "bad")
            await bench.cache.waitForCommits()
            bench.answer("/a.js", 200, [:], body: "good")
            let isKept = !isWebView || [404, 410].contains(code)
            #expect(try await bench.text("/a.js", context: context).text == (isKept ? "bad" : "good"))
        }
    }

    @Test("by the default rules a stored page takes the place of a 503, a stored 404 does not", arguments: [200, 404])
    func defaults(_ status: Int) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        bench.answers(
            "/",
            [
                { _ in ScriptedTransport.answer(status, [.contentType: "text/html", .eTag: "\"1\""], body: "stored") },
                { _ in ScriptedTransport.answer(503, [.contentType: "text/html"], body: "busy") },
            ])
        try await bench.fill("/")
        let answer = try await bench.text("/", context: ExchangeContext(destination: .document))
        #expect(answer.text == (status == 200 ? "stored" : "busy"))
    }

    private static let usual = "max-age=60, stale-if-error=30"

    /// A store with `old`, this many seconds old; then the origin does what `later` says.
    private func bench(
        _ cacheControl: String, age: Int64, cacheKind: CacheKind = .private,
        later: @escaping @Sendable (TransportRequest) throws -> TransportResponse
    ) async throws -> Bench {
        let bench = try Bench(cacheKind: cacheKind)
        bench.answer("/a", 200, [.cacheControl: cacheControl, .eTag: "\"1\""], body: "old")
        try await bench.fill("/a")
        bench.transport.on(Bench.base + "/a") { try later($0) }
        bench.clock.advance(by: .seconds(age))
        return bench
    }

    private static func error(_ status: Int) -> @Sendable (TransportRequest) -> TransportResponse {
        { _ in ScriptedTransport.answer(status, body: "error") }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var stored = StaleIfErrorTests.usual
        var age: Int64 = 70
        var presented: HTTPFields = [:]
        var kind = CacheKind.private
        var status = 503
        /// Whether the stale response replaces the error.
        var answers: Bool
        var source: String
        var testDescription: String {
            "\(stored), \(age) s, \(presented), \(kind), \(status): \(answers), as \(source)"
        }
    }

    private static let statuses: [Row] =
        [500, 502, 503, 504].map {
            Row(status: $0, answers: true, source: "§4 \"a 500, 502, 503, or 504 HTTP response status code\"")
        }
        + [400, 403, 404, 410, 429, 501, 505, 507, 599].map {
            Row(status: $0, answers: false, source: "§4: no other status")
        }

    private static let windows: [Row] = [
        Row(age: 60, answers: true, source: "§4: stale from here on"),
        Row(age: 90, answers: true, source: "§4: up to that many seconds after it became stale"),
        Row(age: 91, answers: false, source: "§4: one second more"),
        Row(stored: "max-age=60", answers: false, source: "RFC 9111 §4.3.3: forwarded"),
        Row(stored: "max-age=60, stale-if-error=0", answers: false, source: "§4: no window"),
        Row(stored: "max-age=60, stale-if-error", answers: false, source: "§4 \"= delta-seconds\""),
        Row(stored: "max-age=60, stale-if-error=1.5", answers: false, source: "§4 delta-seconds"),
        Row(stored: "max-age=60, STALE-IF-ERROR=30", answers: true, source: "RFC 9111 §5.2: no case"),
        Row(
            stored: "max-age=60", presented: [.cacheControl: "stale-if-error=10"], answers: true,
            source: "§4 \"in the request\""),
        Row(
            stored: "max-age=60", presented: [.cacheControl: "stale-if-error=9"], answers: false,
            source: "§4 \"in the request\", one second less"),
        Row(
            age: 100, presented: [.cacheControl: "stale-if-error=40"], answers: true,
            source: "§4: the request's window is longer"),
        Row(
            stored: "max-age=60, stale-while-revalidate=5, stale-if-error=30", answers: true,
            source: "§3 and §4: each window by itself"),
    ]

    private static let forbidden: [Row] = [
        Row(stored: usual + ", must-revalidate", answers: false, source: "RFC 9111 §4.2.4, §5.2.2.2"),
        Row(
            stored: "max-age=60, must-revalidate", presented: [.cacheControl: "stale-if-error=99"], answers: false,
            source: "RFC 9111 §5.2.2.2 \"MUST NOT\""),
        Row(stored: usual + ", no-cache", answers: false, source: "RFC 9111 §4.2.4, §5.2.2.4"),
        Row(stored: usual + ", proxy-revalidate", kind: .shared, answers: false, source: "RFC 9111 §5.2.2.8"),
        Row(stored: usual + ", proxy-revalidate", answers: true, source: "RFC 9111 §5.2.2.8: shared caches only"),
        Row(stored: usual + ", s-maxage=60", kind: .shared, answers: false, source: "RFC 9111 §5.2.2.10"),
    ]

    @Test("an error status", arguments: statuses + windows + forbidden)
    func errorStatus(_ row: Row) async throws {
        let bench = try await bench(row.stored, age: row.age, cacheKind: row.kind, later: Self.error(row.status))
        let (response, text) = try await bench.text("/a", row.presented)
        #expect(response.head.status.code == (row.answers ? 200 : row.status))
        #expect(text == (row.answers ? "old" : "error"))
        #expect(response.failure == nil)
        if row.answers {
            #expect(response.head.headerFields[.age] == String(row.age))
            #expect(bench.recorder.reports.last?.outcome == .staleHit)
        }
        // The origin is asked once, and the stored response stays: a 5xx replaces nothing.
        #expect(bench.transport.requests.count == 2)
        let left = try await bench.stored("/a")
        #expect(row.status < 500 ? left != nil : left == "old" || row.status == 501)
    }

    @Test("a page that asks whether somebody is human is seen, though its status is an error's", arguments: [403, 503])
    func challenge(_ status: Int) async throws {
        let challenge = try HTTPFields([HTTPField(name: #require(HTTPField.Name("cf-mitigated")), value: "challenge")])
        let bench = try await bench(Self.usual, age: 70) { _ in
            ScriptedTransport.answer(status, challenge, body: "Are you human?")
        }
        #expect(try await bench.text("/a").text == "Are you human?")
        #expect(try await bench.stored("/a") == "old")
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        var code: TransportError.Code
        var stored = StaleIfErrorTests.usual
        var age: Int64 = 70
        var presented: HTTPFields = [:]
        /// The status that the client gets; 200 is the stale response.
        var status: Int
        /// The same if the engine may not serve stale responses on its own.
        var testDescription: String { "\(code), \(stored), \(age) s, \(presented)" }
    }

    private static let failures: [Failure] =
        [TransportError.Code.nameNotResolved, .connectionFailed, .timedOut, .closedEarly].flatMap { code in
            [
                Failure(code: code, status: 200),
                Failure(code: code, age: 90, status: 200),
                Failure(code: code, age: 91, status: 200),
                Failure(code: code, stored: "max-age=60", status: 200),
                Failure(
                    code: code, stored: "max-age=60", presented: [.cacheControl: "stale-if-error=10"], status: 200),
                // §5.2.2.2 "if the cache is disconnected, the cache MUST generate an error response".
                Failure(code: code, stored: usual + ", must-revalidate", status: 504),
                Failure(code: code, stored: usual + ", no-cache", status: 504),
            ]
        } + [
            // Another server than the origin answered: a stale response never hides that.
            Failure(code: .certificateUntrusted, status: 502),
            Failure(
                code: .certificateUntrusted, presented: [.cacheControl: "stale-if-error=99"], status: 502),
        ]

    @Test("a transport that fails before the head", arguments: failures)
    func transportFailure(_ row: Failure) async throws {
        let bench = try await bench(
            row.stored, age: row.age,
            later: { _ in throw TransportError(code: row.code, message: "The test's network failed.") })
        let (response, text) = try await bench.text("/a", row.presented)
        #expect(response.head.status.code == row.status)
        #expect((response.failure == nil) == (row.status == 200))
        if row.status == 200 { #expect(text == "old") }
    }

    @Test("a range and a HEAD are answered from the stale response as well")
    func parts() async throws {
        let bench = try await bench(Self.usual, age: 70, later: Self.error(503))
        #expect(try await bench.seen("/a", [.range: "bytes=1-2"]) == Seen(206, "ld", requests: 1))
        #expect(try await bench.seen("/a", method: .head) == Seen(200, "", requests: 1))
    }

    @Test("with nothing stored the error is forwarded as it came")
    func nothingStored() async throws {
        let bench = try Bench()
        bench.answer("/a", 503, [.cacheControl: "stale-if-error=99", .retryAfter: "7"], body: "error")
        let (response, text) = try await bench.text("/a", [.cacheControl: "stale-if-error=99"])
        #expect(response.head.status.code == 503 && text == "error")
        #expect(response.head.headerFields[.retryAfter] == "7")
    }

    @Test("another variant, another partition or a POST gets the error")
    func notSelected() async throws {
        let bench = try Bench()
        bench.answer(
            "/a", 200, [.cacheControl: Self.usual, .vary: "Accept-Language", .eTag: "\"1\""], body: "old")
        try await bench.fill("/a", [.acceptLanguage: "en"])
        bench.clock.advance(by: .seconds(70))
        bench.answer("/a", 503, [:], body: "error")
        #expect(try await bench.text("/a", [.acceptLanguage: "de"]).response.head.status.code == 503)
        let other = ExchangeContext(partition: "other")
        #expect(try await bench.text("/a", [.acceptLanguage: "en"], context: other).response.head.status.code == 503)
        let posted = try await bench.text("/a", [.acceptLanguage: "en"], method: .post)
        #expect(posted.response.head.status.code == 503)
        // §4.4: an error invalidates nothing.
        #expect(try await bench.text("/a", [.acceptLanguage: "en"]).text == "old")
    }

    @Test("the body of the hidden error is cancelled")
    func letsGo() async throws {
        let body = ScriptedBody()
        let bench = try await bench(
            Self.usual, age: 70, later: { _ in ScriptedTransport.answer(503, streaming: body) })
        #expect(try await bench.text("/a").text == "old")
        try await body.cancelled()
    }

    @Test("fields of the hidden error do not bring back fields that are not replayed")
    func fieldsOmittedFromHits() async throws {
        let bench = try Bench()
        let context = ExchangeContext(fieldsOmittedFromHits: [.setCookie])
        bench.answer("/a", 200, [.cacheControl: Self.usual, .setCookie: "s=1"], body: "old")
        try await bench.fill("/a", context: context)
        bench.clock.advance(by: .seconds(70))
        bench.answer("/a", 503, [.setCookie: "s=2"], body: "error")
        let (response, text) = try await bench.text("/a", context: context)
        #expect(text == "old" && response.head.headerFields[.setCookie] == nil)
    }

    @Test("a successful validation after the error makes the response fresh again")
    func recovers() async throws {
        let bench = try await bench(Self.usual, age: 70, later: Self.error(500))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        bench.answer("/a", 304, [.cacheControl: Self.usual, .eTag: "\"1\""])
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 0))
    }
}
