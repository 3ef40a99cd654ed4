import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Fetch §4.8 CORS-preflight fetch")
struct CORSPreflightTests {
    static func request(
        _ method: HTTPRequest.Method = .put, origin: String? = "https://page.test",
        url: String = "https://api.test/x?y",
        mode: FetchRequest.Mode = .cors, credentials: FetchRequest.Credentials = .sameOrigin,
        _ fields: HTTPFields = HTTPFields()
    ) throws -> FetchRequest {
        FetchRequest(
            head: try head(method, url, fields), origin: origin.flatMap { WebOrigin(serialized: $0) }, mode: mode,
            credentials: credentials)
    }

    @Test("only what no form could send, to another origin, is asked about")
    func needed() throws {
        #expect(try CORSPreflight(for: Self.request()) != nil)
        #expect(try CORSPreflight(for: Self.request(.get)) == nil)
        #expect(try CORSPreflight(for: Self.request(.get, fields(("X-A", "1")))) != nil)
        #expect(try CORSPreflight(for: Self.request(.post, fields(("Content-Type", "text/plain")))) == nil)
        #expect(try CORSPreflight(for: Self.request(.post, fields(("Content-Type", "application/json")))) != nil)
        #expect(try CORSPreflight(for: Self.request(origin: "https://api.test")) == nil)
        #expect(try CORSPreflight(for: Self.request(origin: "http://api.test")) != nil)
        #expect(try CORSPreflight(for: Self.request(origin: nil)) != nil)
        #expect(try CORSPreflight(for: Self.request(origin: "null")) != nil)
        #expect(try CORSPreflight(for: Self.request(mode: .navigate)) == nil)
        // Back at its own origin by way of another one: the origin is told as null.
        #expect(try CORSPreflight(for: Self.request(origin: "https://api.test"), isTainted: true) != nil)
    }

    @Test(
        "an EventSource that connects again is not asked about, and nothing that looks like one says more than it could",
        arguments: [
            ("text/event-stream", "41", false, false), ("text/event-stream", "41", true, true),
            ("text/event-stream, */*", "41", false, true), ("*/*", "41", false, true),
            ("text/event-stream", "{\"from\": 1}", false, true),
            ("text/event-stream", String(repeating: "1", count: 128), false, false),
            ("text/event-stream", String(repeating: "1", count: 129), false, true),
        ])
    func eventSource(accept: String, id: String, isFetch: Bool, isNeeded: Bool) throws {
        var observed = RequestEvidence(
            method: .get, url: "https://api.test/events",
            fields: fields(
                ("Origin", "https://page.test"), ("Sec-Fetch-Mode", "cors"), ("Accept", accept), ("Last-Event-ID", id)))
        observed.isFetch = isFetch
        let request = try #require(FetchRequest(observed))
        #expect((CORSPreflight(for: request) != nil) == isNeeded)
        var more = observed
        more.fields.append(HTTPField(name: try #require(HTTPField.Name("X-Own")), value: "1"))
        #expect(CORSPreflight(for: try #require(FetchRequest(more))) != nil)
    }

    @Test("the preflight names method, fields and origin, and carries nothing secret")
    func preflight() throws {
        let given = fields(
            ("X-B", "secret"), ("X-A", "1"), ("Authorization", "Basic x"), ("Cookie", "a=b"), ("Accept", "text/html"),
            ("Referer", "https://page.test/"), ("User-Agent", "View/1"))
        let preflight = try #require(CORSPreflight(for: Self.request(.put, given)))
        let sent = preflight.request
        #expect(sent.method == .options)
        #expect(sent.path == "/x?y")
        #expect(sent.headerFields[.accessControlRequestMethod] == "PUT")
        #expect(sent.headerFields[.accessControlRequestHeaders] == "authorization,x-a,x-b")
        #expect(sent.headerFields[.origin] == "https://page.test")
        #expect(sent.headerFields[.accept] == "*/*")
        #expect(sent.headerFields[.authorization] == nil)
        #expect(sent.headerFields[.cookie] == nil)
        #expect(sent.headerFields[.userAgent] == "View/1")
        #expect(sent.headerFields.count == 6)
    }

    struct Given: Sendable {
        var method = "PUT"
        var asked: [String] = []
        var status = 204
        var methods: String?
        var names: String?
        var origin = "*"
        var credentials = FetchRequest.Credentials.sameOrigin
    }

    static let rows: [FetchRow<Given, CORSPreflight.Reason?>] = [
        .init(Given(methods: "PUT, DELETE"), nil, "step 7.5"),
        .init(Given(methods: "put"), .methodNotAllowed, "methods are case-sensitive"),
        .init(Given(), .methodNotAllowed, "step 7.5"), .init(Given(methods: "*"), nil, "step 7.5"),
        .init(
            Given(methods: "*", origin: "https://page.test", credentials: .include),
            .cors(.credentialsNotAllowed), "step 7: the CORS check comes first"),
        .init(Given(status: 302, methods: "PUT"), .statusNotOK, "step 7: an ok status"),
        .init(Given(status: 404, methods: "PUT"), .statusNotOK, "step 7: an ok status"),
        .init(Given(methods: "PUT", origin: "https://b.test"), .cors(.otherOrigin), "step 7"),
        .init(Given(methods: "PUT, \"x"), .malformedList, "step 7.4"),
        .init(Given(methods: "PUT DELETE"), .malformedList, "step 7.4"),
        .init(Given(method: "GET", asked: ["X-A"], names: "x-a"), nil, "step 7.7"),
        .init(Given(method: "GET", asked: ["X-A"], names: "X-a , X-B"), nil, "step 7.7: names have no case"),
        .init(Given(method: "GET", asked: ["X-A"], names: "*"), nil, "step 7.7"),
        .init(Given(method: "GET", asked: ["X-A"]), .fieldNotAllowed("x-a"), "step 7.7"),
        .init(
            Given(method: "GET", asked: ["Authorization"], names: "*"), .fieldNotAllowed("authorization"),
            "step 7.6: a CORS non-wildcard request-header name"),
        .init(Given(method: "GET", asked: ["Authorization"], names: "*,authorization"), nil, "step 7.6"),
    ]

    @Test("the answer", arguments: rows)
    func decide(_ row: FetchRow<Given, CORSPreflight.Reason?>) throws {
        var asked = HTTPFields()
        for name in row.given.asked { asked[try #require(HTTPField.Name(name))] = "1" }
        let method = try #require(HTTPRequest.Method(row.given.method))
        let preflight = try #require(
            CORSPreflight(for: Self.request(method, credentials: row.given.credentials, asked)))
        var answer = fields(("Access-Control-Allow-Origin", row.given.origin))
        answer[.accessControlAllowMethods] = row.given.methods
        answer[.accessControlAllowHeaders] = row.given.names
        #expect(preflight.refusal(in: response(row.given.status, answer)) == row.expected)
    }

    @Test("with credentials, * is a name and no wildcard")
    func wildcards() throws {
        let preflight = try #require(CORSPreflight(for: Self.request(credentials: .include, fields(("X-A", "1")))))
        var answer = CORSCheckTests.credentialed("true")
        answer[.accessControlAllowMethods] = "*"
        answer[.accessControlAllowHeaders] = "*"
        #expect(preflight.refusal(in: response(200, answer)) == .methodNotAllowed)
        answer[.accessControlAllowMethods] = "PUT"
        #expect(preflight.refusal(in: response(200, answer)) == .fieldNotAllowed("x-a"))
    }
}

@Suite("Fetch §4.10 CORS-preflight cache")
struct PreflightCacheTests {
    private let start = WallInstant(unixSeconds: 1_000)
    private let site = Site(WebOrigin(url: "https://top.test/"))

    private func grant(maximumAge: String?) -> HTTPResponse {
        var answer = fields(("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Methods", "PUT"))
        answer[.accessControlMaxAge] = maximumAge
        return response(204, answer)
    }

    static let ages: [FetchRow<String?, Int64>] = [
        .init("60", 60, "§4.8: max-age"), .init("86400", 600, "WebKit's limit"),
        .init(nil, 5, "§4.8: 5 without the field"), .init("soon", 5, "§4.8: 5 if it is no number"),
        .init("-1", 0, "cors/preflight-cache.htm of web-platform-tests"), .init("-x", 5, "no number"),
        .init("0", 0, "not at all"),
        .init(String(repeating: "9", count: 1_000_000), 600, "a million digits"),
    ]

    @Test("a grant lasts as long as the server says, within limits", arguments: ages)
    func age(_ row: FetchRow<String?, Int64>) throws {
        var cache = PreflightCache()
        let preflight = try #require(CORSPreflight(for: CORSPreflightTests.request()))
        cache.store(grant(maximumAge: row.given), to: preflight, site: site, at: start)
        let last = start + .seconds(row.expected - 1)
        #expect(cache.allows(preflight, site: site, at: last) == (row.expected > 0))
        #expect(cache.allows(preflight, site: site, at: start + .seconds(row.expected)) == false)
    }

    @Test("a grant is of use for its own origin, URL, site and credentials only")
    func keys() throws {
        var cache = PreflightCache()
        let preflight = try #require(CORSPreflight(for: CORSPreflightTests.request()))
        cache.store(grant(maximumAge: "60"), to: preflight, site: site, at: start)
        #expect(cache.allows(preflight, site: site, at: start) == true)
        #expect(cache.allows(preflight, site: nil, at: start) == false)
        #expect(cache.allows(preflight, site: Site(WebOrigin(url: "https://other.test/")), at: start) == false)
        for other in [
            try CORSPreflightTests.request(origin: "https://evil.test"),
            try CORSPreflightTests.request(url: "https://api.test/other"),
            try CORSPreflightTests.request(credentials: .include), try CORSPreflightTests.request(.delete),
            try CORSPreflightTests.request(.put, fields(("X-A", "1"))),
        ] {
            let other = try #require(CORSPreflight(for: other))
            #expect(cache.allows(other, site: site, at: start) == false)
        }
        #expect(cache.allows(preflight, site: site, at: start + .seconds(-1)) == false)
        cache.store(grant(maximumAge: "60"), to: preflight, site: site, at: start)
        cache.remove(preflight, site: site)
        #expect(cache.count == 0)
    }

    @Test("opaque origins, long URLs and refusals are not kept, and a page can't make the cache grow")
    func bounds() throws {
        var cache = PreflightCache()
        let opaque = try #require(CORSPreflight(for: CORSPreflightTests.request(origin: "null")))
        cache.store(grant(maximumAge: "60"), to: opaque, site: site, at: start)
        let url = "https://api.test/" + String(repeating: "x", count: 10_000)
        let long = try #require(CORSPreflight(for: CORSPreflightTests.request(url: url)))
        cache.store(grant(maximumAge: "60"), to: long, site: site, at: start)
        let preflight = try #require(CORSPreflight(for: CORSPreflightTests.request()))
        cache.store(response(204), to: preflight, site: site, at: start)
        var wide = grant(maximumAge: "60")
        wide.headerFields[.accessControlAllowHeaders] = (0..<1_000).map { "x-\($0)" }.joined(separator: ",")
        cache.store(wide, to: preflight, site: site, at: start)
        #expect(cache.count == 0)
        for number in 0..<PreflightCache.limit + 100 {
            let one = try #require(CORSPreflight(for: CORSPreflightTests.request(url: "https://api.test/\(number)")))
            cache.store(grant(maximumAge: "60"), to: one, site: site, at: start)
            #expect(cache.count <= PreflightCache.limit)
            #expect(cache.allows(one, site: site, at: start) == true)
        }
    }
}
