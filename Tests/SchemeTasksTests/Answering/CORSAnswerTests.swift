import CacheEngine
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Requests to other origins: allowed, asked for before, or not sent", .timeLimit(.minutes(5)))
struct CORSAnswerTests {
    private static let api = "https://api.test/cart"

    /// Answers preflights with some fields and a status, and other requests with others.
    private static func script(
        _ bench: ResponderBench, preflight: (Int, HTTPFields), _ fields: HTTPFields, url: String = api
    ) {
        bench.transport.on(url) { request in
            request.head.method == .options
                ? ScriptedTransport.answer(preflight.0, preflight.1)
                : ScriptedTransport.answer(200, fields, body: "cart")
        }
    }

    private static let allowed: HTTPFields = [.accessControlAllowOrigin: "https://page.test"]
    private static var granted: HTTPFields {
        fields(
            ("Access-Control-Allow-Origin", "https://page.test"), ("Access-Control-Allow-Methods", "PUT"),
            ("Access-Control-Allow-Headers", "x-a"), ("Access-Control-Max-Age", "60"))
    }
    private static let custom = fields(("X-A", "1"))

    private static func put(
        _ bench: ResponderBench, of page: String = "https://page.test/",
        credentials: FetchRequest.Credentials? = nil
    ) async throws -> ResponderBench.Answer {
        try await bench.load(
            api, of: page, method: .put, mode: "cors", dest: "empty", custom, body: [0x61], credentials: credentials)
    }

    @Test("Fetch §4.9: a response that names the origin is read; the others are not")
    func check() async throws {
        for (origin, code) in [
            ("https://page.test", nil), ("*", nil), ("https://other.test", .corsFailed), ("null", .corsFailed),
            ("https://PAGE.test", .corsFailed), ("https://page.test, *", .corsFailed),
        ] as [(String, FetchError.Code?)] {
            let bench = ResponderBench()
            bench.on(Self.api, 200, [.accessControlAllowOrigin: origin], body: "cart")
            let answer = try await bench.load(Self.api, mode: "cors", dest: "empty")
            #expect(answer.fetchError == code && (answer.text == "cart") == (code == nil), "\(origin)")
        }
        let bench = ResponderBench()
        bench.on(Self.api, 200, [.cacheControl: "max-age=600"], body: "cart")
        for _ in 0..<2 {
            #expect(try await bench.load(Self.api, mode: "cors", dest: "empty").fetchError == .corsFailed)
        }
    }

    @Test(
        "HTML §9.2.3: an event stream that is refused gets a status with which the web view closes it, one of the page's own too",
        arguments: [false, true])
    func eventStream(_ isRedirected: Bool) async throws {
        let bench = ResponderBench()
        bench.on(Self.api, 200, [.accessControlAllowOrigin: "https://other.test"], body: "data: secret")
        bench.on("https://page.test/events", 302, [.location: Self.api])
        let answer = try await bench.load(
            isRedirected ? "https://page.test/events" : Self.api, mode: "cors", dest: "empty",
            [.accept: "text/event-stream"])
        #expect(answer.status == 403 && answer.text.isEmpty)
        #expect(answer.fields[.accessControlAllowOrigin] == nil)
    }

    @Test("Fetch §2.2.5: an element's request asks nobody, whatever fields the player adds; a script's does")
    func elements() async throws {
        let added = fields(("Range", "bytes=0-"), ("icy-metadata", "1"), ("X-A", "1"))
        for (destination, asks) in [("video", false), ("audio", false), ("image", false), ("empty", true)] {
            let bench = ResponderBench()
            Self.script(bench, preflight: (403, [:]), Self.allowed)
            let answer = try await bench.load(Self.api, mode: "cors", dest: destination, added)
            #expect((answer.fetchError == .preflightFailed) == asks, "\(destination)")
            #expect(bench.asked.contains { $0.hasPrefix("OPTIONS") } == asks)
        }
    }

    @Test("Fetch §4.8: the question comes once, without cookies and content, then the grant is known")
    func preflightOnce() async throws {
        let bench = ResponderBench()
        try await bench.setCookie("https://api.test/login", "sid=1; Secure; SameSite=None; Path=/")
        Self.script(bench, preflight: (204, Self.granted), Self.allowed)
        for _ in 0..<3 { #expect(try await Self.put(bench).text == "cart") }
        #expect(bench.asked.dropFirst().map { $0.prefix(3) } == ["OPT", "PUT", "PUT", "PUT"])
        let question = try #require(bench.transport.requests.first { $0.head.method == .options })
        let asked = question.head.headerFields
        #expect(asked[.cookie] == nil && question.body == nil && asked[.accessControlRequestMethod] == "PUT")
        #expect(asked[.accessControlRequestHeaders] == "x-a" && asked[.origin] == "https://page.test")
        bench.clock.advance(by: .seconds(61))
        _ = try await Self.put(bench)
        #expect(bench.asked.suffix(2).map { $0.prefix(3) } == ["OPT", "PUT"])
    }

    @Test("a grant is the page's own: another origin and another top-level site ask again")
    func grantsOfOthers() async throws {
        let bench = ResponderBench()
        var everyone = Self.granted
        everyone[.accessControlAllowOrigin] = "*"
        Self.script(bench, preflight: (204, everyone), [.accessControlAllowOrigin: "*"])
        for page in ["https://page.test/", "https://evil.test/"] { _ = try await Self.put(bench, of: page) }
        #expect(bench.asked.map { $0.prefix(3) } == ["OPT", "PUT", "OPT", "PUT"])
        // The same frame in a page of another site.
        let framed = RequestEvidence(
            method: .put, url: Self.api,
            fields: fields(
                ("X-A", "1"), ("Sec-Fetch-Mode", "cors"), ("Sec-Fetch-Dest", "empty"),
                ("Origin", "https://page.test")), topLevelURL: "https://evil.test/")
        _ = try await bench.ask(framed)
        #expect(bench.asked.suffix(2).map { $0.prefix(3) } == ["OPT", "PUT"])
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var status = 204
        var fields: HTTPFields
        var credentials: FetchRequest.Credentials = .sameOrigin
        var testDescription: String
    }

    private static func granting(_ change: (inout HTTPFields) -> Void) -> HTTPFields {
        var fields = granted
        change(&fields)
        return fields
    }

    private static let refusals: [Refusal] = [
        Refusal(fields: [:], testDescription: "no field allows it"),
        Refusal(status: 404, fields: granted, testDescription: "§4.8 step 7: not an ok status"),
        Refusal(
            status: 302, fields: granting { $0[.location] = "https://api.test/else" },
            testDescription: "a redirect is not followed"),
        Refusal(
            fields: granting { $0[.accessControlAllowMethods] = "GET" }, testDescription: "another method"),
        Refusal(fields: granting { $0[.accessControlAllowMethods] = "put" }, testDescription: "methods have case"),
        Refusal(fields: granting { $0[.accessControlAllowHeaders] = nil }, testDescription: "the field is not allowed"),
        Refusal(
            fields: granting { $0[.accessControlAllowOrigin] = "https://evil.test" }, testDescription: "another origin"),
        Refusal(
            fields: granting { $0[.accessControlAllowOrigin] = "*" }, credentials: .include,
            testDescription: "a wildcard does not cover credentials"),
        Refusal(fields: granted, credentials: .include, testDescription: "credentials are not allowed"),
    ]

    @Test("hostile: what the preflight does not allow is never sent", arguments: refusals)
    func refused(_ row: Refusal) async throws {
        let bench = ResponderBench()
        Self.script(bench, preflight: (row.status, row.fields), Self.allowed)
        bench.on("https://api.test/else", 204, Self.granted)
        let answer = try await Self.put(bench, credentials: row.credentials)
        #expect(answer.fetchError == .preflightFailed && answer.text.isEmpty)
        #expect(bench.asked == ["OPTIONS \(Self.api)"])
    }

    @Test("a preflight that meets no server is a failure, and nothing is sent")
    func unanswered() async throws {
        let bench = ResponderBench()
        let answer = try await Self.put(bench)
        #expect(answer.error?.code == .unanswered && bench.asked == ["OPTIONS \(Self.api)"])
    }

    @Test("Fetch §4.1: a request that fails behind a grant takes the grant away")
    func clearsGrant() async throws {
        let bench = ResponderBench()
        Self.script(bench, preflight: (204, Self.granted), Self.allowed)
        _ = try await Self.put(bench)
        // The server has changed its mind, or is gone.
        Self.script(bench, preflight: (204, Self.granted), [:])
        #expect(try await Self.put(bench).fetchError == .corsFailed)
        _ = try await Self.put(bench)
        #expect(bench.asked.map { $0.prefix(3) } == ["OPT", "PUT", "PUT", "OPT", "PUT"])
    }

    @Test("§4.4: a redirect to another origin is asked for there, with a null origin after a foreign one")
    func redirected() async throws {
        let bench = ResponderBench()
        bench.transport.on(Self.api) { request in
            request.head.method == .options
                ? ScriptedTransport.answer(204, Self.granted)
                : ScriptedTransport.answer(
                    307, [.location: "https://third.test/cart", .accessControlAllowOrigin: "https://page.test"])
        }
        Self.script(bench, preflight: (204, Self.granted), Self.allowed, url: "https://third.test/cart")
        #expect(try await Self.put(bench).fetchError == .preflightFailed)
        #expect(bench.sent(.origin).last == "null" && bench.asked.last == "OPTIONS https://third.test/cart")
        var open = Self.granted
        open[.accessControlAllowOrigin] = "null"
        Self.script(bench, preflight: (204, open), [.accessControlAllowOrigin: "null"], url: "https://third.test/cart")
        #expect(try await Self.put(bench).text == "cart")
        #expect(bench.asked.last == "PUT https://third.test/cart")
    }
}
