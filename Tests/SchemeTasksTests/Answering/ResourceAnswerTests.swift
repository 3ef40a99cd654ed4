import CacheEngine
import CacheRules
import CacheTesting
import Decoding
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Resources of pages: redirects, cookies, codings and failures", .timeLimit(.minutes(5)))
struct ResourceAnswerTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600", .contentType: "image/png"]

    @Test("Fetch §4.1: a request that names no types accepts all")
    func accept() async throws {
        let bench = ResponderBench()
        bench.on("https://page.test/a", 200, Self.fresh, body: "x")
        _ = try await bench.load("https://page.test/a", mode: "cors", dest: "empty")
        #expect(bench.sent(.accept) == ["*/*"])
    }

    @Test(
        "Referrer Policy §8.3: WebKit tells a scheme handler the whole address, and the document's head says how much goes on",
        arguments: [
            (nil, "https://page.test/p?token"), ("no-referrer", nil), ("origin", "https://page.test/"),
            ("same-origin, unknown", "https://page.test/p?token"),
        ] as [(String?, String?)])
    func referrer(_ policy: String?, _ sent: String?) async throws {
        let bench = ResponderBench()
        let page = "app-cache-https://page.test/p?token"
        var fields: HTTPFields = [.contentType: "text/html"]
        fields[FetchField.referrerPolicy] = policy
        bench.on("https://page.test/p?token", 200, fields, body: "<p>")
        bench.on("https://page.test/a", 200, Self.fresh, body: "x")
        let document = RequestEvidence(
            method: .get, url: page, fields: [.accept: "text/html"], topLevelURL: page, navigation: .topLevel)
        #expect(try await bench.ask(document).status == 200)
        let file = RequestEvidence(
            method: .get, url: "app-cache-https://page.test/a", fields: [.accept: "*/*", .referer: page],
            topLevelURL: page)
        #expect(try await bench.ask(file).status == 200)
        #expect(bench.transport.requests.last?.head.headerFields[.referer] == sent)
        // A request's own policy comes first (Fetch §4.1).
        bench.on("https://page.test/b", 200, Self.fresh, body: "x")
        let own = RequestEvidence(
            method: .get, url: "app-cache-https://page.test/b", fields: [.accept: "*/*", .referer: page],
            topLevelURL: page, options: ScriptOptions(referrerPolicy: .unsafeURL))
        #expect(try await bench.ask(own).status == 200)
        #expect(bench.transport.requests.last?.head.headerFields[.referer] == "https://page.test/p?token")
    }

    // MARK: Cookies

    @Test("RFC 6265bis §5: each hop of a resource's redirects sends and keeps the cookies of its own URL")
    func cookiesOfHops() async throws {
        let bench = ResponderBench()
        try await bench.setCookie("https://page.test/login", "page=1; Secure; HttpOnly; Path=/")
        try await bench.setCookie("https://img.test/login", "lax=1; Secure; SameSite=Lax; Path=/")
        try await bench.setCookie("https://img.test/login", "none=1; Secure; SameSite=None; Path=/")
        let before = bench.asked.count
        bench.on("https://page.test/i", 302, [.location: "/i2", .setCookie: "hop=1; Path=/"])
        bench.on("https://page.test/i2", 302, [.location: "/i3", .setCookie: "hop=2; Path=/"])
        bench.on("https://page.test/i3", 200, Self.fresh, body: "png")
        let answer = try await bench.load("https://page.test/i")
        #expect(answer.text == "png" && bench.takeMoves().isEmpty)
        #expect(Array(bench.sent(.cookie).dropFirst(before)) == ["page=1", "page=1; hop=1", "page=1; hop=2"])
        // Another site gets what SameSite lets it have.
        bench.on("https://img.test/x", 200, Self.fresh, body: "x")
        _ = try await bench.load("https://img.test/x")
        #expect(bench.sent(.cookie).last == "none=1")
    }

    @Test("HttpOnly stays with the store: no answer shows Set-Cookie, and it keeps its attributes")
    func httpOnly() async throws {
        let bench = ResponderBench()
        bench.on("https://page.test/a", 200, [.setCookie: "sid=1; HttpOnly; Secure; Path=/"], body: "x")
        let answer = try await bench.load("https://page.test/a", mode: "cors", dest: "empty")
        #expect(answer.text == "x" && answer.fields[values: .setCookie].isEmpty)
        #expect(bench.cookies.all.map(\.isHTTPOnly) == [true])
    }

    @Test("a stored response replays no Set-Cookie: the session of now stays")
    func noReplay() async throws {
        let bench = ResponderBench()
        bench.on("https://page.test/a", 200, [.cacheControl: "max-age=600", .setCookie: "sid=old; Path=/"], body: "x")
        _ = try await bench.load("https://page.test/a")
        try await bench.setCookie("https://page.test/login", "sid=new; Path=/")
        for _ in 0..<2 { #expect(try await bench.load("https://page.test/a").text == "x") }
        #expect(bench.cookies.all.map(\.value) == ["new"])
        #expect(bench.asked.count { $0 == "GET https://page.test/a" } == 1)
    }

    struct Credentials: Sendable, CustomTestStringConvertible {
        var mode: FetchRequest.Credentials
        var url: String
        var sends: Bool
        var testDescription: String { "\(mode) to \(url): \(sends)" }
    }

    @Test(
        "Fetch §4.5 includeCredentials: what is not to be sent is not kept either",
        arguments: [
            Credentials(mode: .omit, url: "https://page.test/a", sends: false),
            Credentials(mode: .sameOrigin, url: "https://page.test/a", sends: true),
            Credentials(mode: .sameOrigin, url: "https://api.test/a", sends: false),
            Credentials(mode: .include, url: "https://api.test/a", sends: true),
        ])
    func credentials(_ row: Credentials) async throws {
        let bench = ResponderBench()
        let login = row.url.dropLast() + "login"
        try await bench.setCookie(String(login), "sid=1; Secure; SameSite=None; Path=/")
        bench.on(
            row.url, 200,
            [
                .accessControlAllowOrigin: "https://page.test", .accessControlAllowCredentials: "true",
                .setCookie: "new=1; Secure; SameSite=None; Path=/", .cacheControl: "no-store",
            ], body: "x")
        let answer = try await bench.load(row.url, mode: "cors", dest: "empty", credentials: row.mode)
        #expect(answer.text == "x")
        #expect(bench.sent(.cookie).last == (row.sends ? "sid=1" : ""))
        #expect(bench.cookies.all.contains { $0.name == "new" } == row.sends)
    }

    @Test("hostile: a page's own Cookie field is never sent")
    func forgedCookie() async throws {
        let bench = ResponderBench()
        bench.on("https://page.test/a", 200, Self.fresh, body: "x")
        _ = try await bench.load("https://page.test/a", [.cookie: "admin=1"])
        let bare = ResponderBench { $0.cookies = nil }
        bare.on("https://page.test/a", 200, Self.fresh, body: "x")
        _ = try await bare.load("https://page.test/a", [.cookie: "admin=1"])
        #expect(bench.sent(.cookie) == [""] && bare.sent(.cookie) == [""])
    }

    // MARK: Content

    private static let coded: HTTPFields = [
        .contentType: "text/plain", .contentEncoding: "gzip", .eTag: "\"1\"", .acceptRanges: "bytes",
    ]

    @Test("RFC 9110 §8.4: gzip is taken off, and no field of the coded content is left")
    func gzip() async throws {
        let bench = ResponderBench()
        bench.transport.on("https://page.test/t") { _ in
            var fields = Self.coded
            fields[.cacheControl] = "max-age=600"
            return ScriptedTransport.answer(200, fields, body: CodedContent.gzip)
        }
        for isStored in [false, true] {
            let answer = try await bench.load("https://page.test/t")
            #expect(Array(answer.text.utf8) == CodedContent.text && answer.wasReady == isStored)
            #expect(answer.fields[.contentEncoding] == nil && answer.fields[.acceptRanges] == nil)
            #expect(answer.fields[.eTag] == "W/\"1\"")
            #expect(answer.fields[.contentLength].map { $0 == String(CodedContent.text.count) } ?? true)
        }
        #expect(bench.sent(.acceptEncoding) == [ContentCodings.acceptEncoding(for: [:])])
    }

    @Test("RFC 9110 §12.5.3: a coding that nobody asked for leads to one request without codings")
    func zstandard() async throws {
        let bench = ResponderBench()
        bench.transport.on("https://page.test/t") { request in
            let fields = request.head.headerFields
            if fields.contains(.ifNoneMatch) { return ScriptedTransport.answer(304, [.eTag: "\"zstd\""]) }
            return fields[.acceptEncoding] == "identity"
                ? ScriptedTransport.answer(200, [.cacheControl: "max-age=600"], body: "plain")
                : ScriptedTransport.answer(
                    200, [.cacheControl: "max-age=600", .contentEncoding: "zstd", .eTag: "\"zstd\""], body: "\u{1}\u{2}"
                )
        }
        #expect(try await bench.load("https://page.test/t").text == "plain")
        #expect(bench.sent(.acceptEncoding) == [ContentCodings.acceptEncoding(for: [:]), "identity"])
        #expect(!bench.transport.requests.contains { $0.head.headerFields.contains(.ifNoneMatch) })
        // The plain one has taken its place.
        #expect(try await bench.load("https://page.test/t").text == "plain")
        #expect(bench.asked.count == 2)
    }

    @Test("a zstd response stored by another client, which its origin goes on confirming, leads to one such request")
    func storedZstandard() async throws {
        let bench = ResponderBench()
        bench.transport.on("https://page.test/t") { request in
            if request.head.headerFields.contains(.ifNoneMatch) {
                return ScriptedTransport.answer(304, [.eTag: "\"zstd\"", .contentEncoding: "zstd"])
            }
            return ScriptedTransport.answer(200, [:], body: "plain")
        }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "page.test", path: "/t")
        try await bench.cache.store(
            response(200, [.cacheControl: "max-age=600", .contentEncoding: "zstd", .eTag: "\"zstd\""]),
            content: [1, 2, 3], for: EngineRequest(head: request))
        let answer = try await bench.load("https://page.test/t")
        #expect(answer.text == "plain" && answer.fields[.contentEncoding] == nil)
        #expect(bench.sent(.acceptEncoding).count { $0 == "identity" } <= 1 && bench.asked.count <= 2)
    }

    @Test(
        "Fetch §3.1, \"handle content codings\": a name of no coding says nothing, nor does gzip of what is none",
        arguments: ["utf-8", "none", "binary", "aws-chunked", "gzip;q=1", "gzip, utf-8", "gzip"])
    func noCoding(_ name: String) async throws {
        let bench = ResponderBench()
        let text = String(repeating: "text", count: 20_000)
        bench.on("https://page.test/t", 200, [.contentEncoding: name, .cacheControl: "max-age=60"], body: text)
        bench.on("https://page.test/short", 200, [.contentEncoding: name], body: "t")
        for _ in 0..<2 {
            let answer = try await bench.load("https://page.test/t")
            #expect(answer.text == text && answer.fields[.contentEncoding] == (name == "gzip" ? nil : name))
        }
        #expect(bench.asked.count == 1)
        #expect(try await bench.load("https://page.test/short").text == "t")
    }

    @Test("hostile: a server that goes on with unknown codings is asked twice, and an upload is never sent twice")
    func stubborn() async throws {
        let bench = ResponderBench()
        bench.on("https://page.test/t", 200, [.contentEncoding: "zstd"], body: "?")
        #expect(try await bench.load("https://page.test/t").error?.code == .refused)
        #expect(bench.asked.count == 2)
        let answer = try await bench.load(
            "https://page.test/t", method: .post, mode: "cors", dest: "empty", [.contentType: "text/plain"],
            body: [0x61])
        #expect(answer.error?.code == .refused && bench.asked.count == 3)
        // The content of a redirect is nobody's: its coding does no harm.
        bench.on("https://page.test/r", 302, [.contentEncoding: "zstd", .location: "/ok"], body: "?")
        bench.on("https://page.test/ok", 200, [:], body: "ok")
        #expect(try await bench.load("https://page.test/r").text == "ok")
    }

    // MARK: Uploads, redirect modes, failures

    @Test("Fetch §4.4 step 12: an upload goes on over 307 and 308, and ends with 303", arguments: [303, 307, 308])
    func uploads(_ status: Int) async throws {
        let bench = ResponderBench()
        bench.on("https://page.test/up", status, [.location: "/next"])
        bench.on("https://page.test/next", 200, [:], body: "ok")
        let answer = try await bench.load(
            "https://page.test/up", method: .post, mode: "cors", dest: "empty", [.contentType: "text/plain"],
            body: Array("file".utf8))
        #expect(answer.text == "ok")
        let last = try #require(bench.transport.requests.last)
        #expect(
            bench.asked == ["POST https://page.test/up", "\(status == 303 ? "GET" : "POST") https://page.test/next"])
        #expect(try await bench.lastContent() == (status == 303 ? nil : "file"))
        #expect(last.head.headerFields[.contentLength] == (status == 303 ? nil : "4"))
    }

    @Test("Fetch §2.2.6: a script that wants to see redirects sees neither their target nor their content")
    func manualRedirect() async throws {
        let bench = ResponderBench()
        bench.on(
            "https://page.test/a", 302, [.location: "https://page.test/b?token=1", .cacheControl: "max-age=600"],
            body: "token")
        for _ in 0..<2 {
            let answer = try await bench.load("https://page.test/a", mode: "cors", dest: "empty", redirect: .manual)
            #expect(answer.status == 302 && answer.fields.isEmpty && answer.text.isEmpty)
        }
        let error = try await bench.load("https://page.test/a", mode: "cors", dest: "empty", redirect: .error)
        #expect(error.fetchError == .redirectNotAllowed)
    }

    @Test("without a network a document shows the cache's answer, and a resource fails")
    func failures() async throws {
        let bench = ResponderBench()
        let document = try await bench.open("https://nowhere.test/")
        #expect(document.status >= 500 && document.error == nil && !document.text.isEmpty)
        let resource = try await bench.load("https://nowhere.test/a.png")
        #expect(resource.error?.code == .unanswered && resource.status == 0)
        // An origin's own error is an answer.
        bench.on("https://page.test/missing", 404, [:], body: "none")
        #expect(try await bench.load("https://page.test/missing").status == 404)
    }

    @Test(
        "hostile: addresses that can be read as two hosts are not asked for",
        arguments: [
            "https://user@evil.test\\@page.test/", "app-cache-https://evil.test\\.page.test/", "ftp://page.test/", "",
        ])
    func oddAddresses(_ url: String) async throws {
        let bench = ResponderBench()
        let answer = try await bench.ask(RequestEvidence(method: .get, url: url, fields: [:]))
        if answer.wasReady { #expect(answer.error?.code == .refused && bench.asked.isEmpty) }
        #expect(!bench.asked.contains { $0.contains("://page.test") })
    }
}
