import HTTPTypes
import Testing

@testable import Fetching
@testable import PageScripts
@testable import WebTesting

@Suite("Absolute addresses of pages at the app-cache scheme", .timeLimit(.minutes(5)))
struct AddressRewritingTests {
    private static let own = "app-cache-https://page.test"
    private static let page = "<img src=https://page.test/a.png><img src=https://cdn.test/b.png>"
    private static let turnedPage = "<img src=App-Cache-https://page.test/a.png><img src=https://cdn.test/b.png>"

    /// A request as WebKitGTK shows it at an app's own scheme: without Sec-Fetch fields.
    private func load(
        _ bench: ResponderBench, _ path: String, accept: String = "*/*", referer: String? = nil,
        navigation: RequestEvidence.Navigation = .none, scheme: String = own
    ) async throws -> ResponderBench.Answer {
        var fields: HTTPFields = [.accept: accept]
        fields[.referer] = referer
        return try await bench.ask(
            RequestEvidence(
                method: .get, url: scheme + path, fields: fields, topLevelURL: Self.own + "/", navigation: navigation))
    }

    private func open(_ bench: ResponderBench, scheme: String = own) async throws -> ResponderBench.Answer {
        try await load(bench, "/", accept: "text/html", navigation: .topLevel, scheme: scheme)
    }

    @Test("a document is turned as it is delivered, and stored as it came", arguments: ["", "max-age=600"])
    func document(_ cacheControl: String) async throws {
        let bench = ResponderBench()
        bench.on(
            "https://page.test/", 200,
            [
                .contentType: "text/html", .contentLength: "\(Self.page.utf8.count)", .cacheControl: cacheControl,
                .eTag: "\"1\"",
            ], body: Self.page)
        for _ in 0..<2 {
            let answer = try await open(bench)
            #expect(answer.text == Self.turnedPage)
            #expect(answer.fields[.contentLength] == nil && answer.fields[.eTag] == "W/\"1\"")
        }
        #expect(try await open(bench, scheme: "https://page.test").text == Self.page)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var type: String
        var accept = "*/*"
        var referer: String?
        var body = "x"
        var isTurned: Bool
        var testDescription: String
    }

    private static let sheet = "a{mask:url(https://page.test/m)}"
    private static let module = "import 'https://page.test/m.js'"

    @Test(
        "style sheets are turned for engines, and come unchanged to scripts that read them; scripts are never turned",
        arguments: [
            Row(type: "text/css", accept: "text/css,*/*;q=0.1", body: sheet, isTurned: true, testDescription: "link"),
            Row(type: "text/css", referer: own + "/", body: sheet, isTurned: false, testDescription: "fetch of CSS"),
            Row(type: "text/javascript", body: module, isTurned: false, testDescription: "script element"),
            Row(type: "text/html", body: page, isTurned: false, testDescription: "fetch of HTML"),
            Row(
                type: "text/plain", accept: "text/css,*/*;q=0.1", body: sheet, isTurned: false,
                testDescription: "another type"),
            Row(
                type: "text/css; charset=utf-16", accept: "text/css,*/*;q=0.1", body: sheet, isTurned: false,
                testDescription: "UTF-16"),
            Row(
                type: "text/css; charset=\"Shift_JIS\"", accept: "text/css,*/*;q=0.1", body: sheet, isTurned: false,
                testDescription: "second bytes that may be backslashes"),
        ])
    func resource(_ row: Row) async throws {
        let bench = ResponderBench()
        bench.on("https://page.test/r", 200, [.contentType: row.type], body: row.body)
        let answer = try await load(bench, "/r", accept: row.accept, referer: row.referer)
        #expect((answer.text != row.body) == row.isTurned)
        #expect(answer.text.replacing("App-Cache-", with: "") == row.body)
    }

    @Test("SRI §3.3: what a page names with a hash comes unchanged, whatever its base")
    func integrity() async throws {
        let bench = ResponderBench()
        let page = "<base href=/d/><link rel=stylesheet href=a.css integrity=sha256-x>"
        bench.on("https://page.test/", 200, [.contentType: "text/html"], body: page)
        for path in ["/d/a.css", "/a.css"] {
            bench.on("https://page.test" + path, 200, [.contentType: "text/css"], body: Self.sheet)
        }
        _ = try await open(bench)
        #expect(try await load(bench, "/d/a.css", accept: "text/css,*/*;q=0.1").text == Self.sheet)
        #expect(try await load(bench, "/a.css", accept: "text/css,*/*;q=0.1").text != Self.sheet)
    }

    @Test("policies and links of a document's head name both schemes; a policy with hashes keeps inline text")
    func head() async throws {
        let bench = ResponderBench()
        let style = "<style>\(Self.sheet)</style>"
        let link = try #require(HTTPField.Name("Link"))
        bench.on(
            "https://page.test/", 200,
            [
                .contentType: "text/html", .contentSecurityPolicy: "style-src 'sha256-x' https://page.test",
                link: "<https://page.test/a.css>; rel=preload, <https://cdn.test/b>; rel=preload",
            ], body: style + Self.page)
        let answer = try await open(bench)
        #expect(answer.text == style + Self.turnedPage)
        #expect(
            answer.fields[.contentSecurityPolicy]
                == "style-src 'sha256-x' https://page.test app-cache-https://page.test")
        #expect(
            answer.fields[link]
                == "<App-Cache-https://page.test/a.css>; rel=preload, <https://cdn.test/b>; rel=preload")
    }

    @Test("further hosts are turned where the app names them, and nothing is where it wants none")
    func configuration() async throws {
        for (rewriting, expected) in [
            (AddressRewriting?.none, Self.page),
            (AddressRewriting(hosts: ["cdn.test"]), Self.page.replacing("https:", with: "App-Cache-https:")),
        ] {
            let bench = ResponderBench(configure: { $0.rewriting = rewriting })
            bench.on("https://page.test/", 200, [.contentType: "text/html"], body: Self.page)
            #expect(try await open(bench).text == expected)
        }
    }

    @Test("a long document is turned as it streams")
    func stream() async throws {
        let bench = ResponderBench()
        let long = String(repeating: Self.page, count: 8_000)
        bench.on(
            "https://page.test/", 200, [.contentType: "text/html; charset=utf-8", .cacheControl: "max-age=600"],
            body: long)
        for _ in 0..<2 {
            #expect(try await open(bench).text == String(repeating: Self.turnedPage, count: 8_000))
        }
    }
}
