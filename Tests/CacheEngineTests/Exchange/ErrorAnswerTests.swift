import CacheRules
import CacheTesting
import Foundation
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

@Suite("Error answers", .timeLimit(.minutes(5)))
struct ErrorAnswerTests {
    @Test(
        "RFC 9110 §15.6: 504 without an answer, 502 for a bad one, 400 for an invalid target, 499 for a client that left"
    )
    func statuses() {
        let rows: [(EngineError.Code, Int)] = [
            (.disconnected, 504), (.notStored, 504), (.originUnreachable, 504), (.cancelled, 499),
            (.originUntrusted, 502), (.originBroken, 502), (.redirectRefused, 502), (.invalidRequest, 400),
        ]
        for (code, status) in rows { #expect(ErrorAnswer.status(for: code).code == status, "\(code.name)") }
    }

    @Test("documents get a page, everything else a line of text", arguments: Destination.allCases)
    func pageOrText(_ destination: Destination) async throws {
        let bench = try Bench(rules: RuleList([Rule.disconnected]))
        let context = ExchangeContext(destination: destination, connectivity: .disconnected)
        let (response, text) = try await bench.text("/a", context: context)
        let isPage = destination == .document || destination == .iframe
        #expect(
            response.head.headerFields[.contentType]
                == (isPage ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"))
        #expect(text.hasPrefix("<!doctype html>") == isPage)
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        #expect(response.head.headerFields[.contentLength] == String(text.utf8.count))
        #expect((response.head.headerFields[.contentSecurityPolicy] != nil) == isPage)
    }

    @Test("a page escapes text that others may have put into a message")
    func escaping() {
        let message = "'<script>alert(1)</script>' & \"co\" did not answer."
        let error = EngineError(code: .originUnreachable, message: message)
        let request = HTTPRequest(method: .post, scheme: "https", authority: "example.com", path: "/")
        let page = String(decoding: ErrorAnswer.make(for: error, asPage: request).body, as: UTF8.self)
        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;' &amp; \"co\" did not answer."))
        let text = String(decoding: ErrorAnswer.make(for: error, asPage: nil).body, as: UTF8.self)
        #expect(text == message + "\n")
    }

    @Test("the script that brings the page back is allowed by its hash, where a GET got no answer")
    func script() {
        var hasher = SHA256Hasher()
        hasher.update(Array(PageThatComesBack.script.utf8))
        let digest = hasher.digest().bytes
        #expect(PageThatComesBack.hash == "'sha256-\(Data(digest).base64EncodedString())'")
        for (code, method, has) in [
            (EngineError.Code.disconnected, HTTPRequest.Method.get, true), (.originUnreachable, .get, true),
            (.notStored, .get, false), (.originUnreachable, .post, false), (.originUntrusted, .get, false),
            (.originBroken, .get, false),
        ] {
            let request = HTTPRequest(method: method, scheme: "https", authority: "example.com", path: "/")
            let (head, body) = ErrorAnswer.make(for: EngineError(code: code, message: "x"), asPage: request)
            #expect(String(decoding: body, as: UTF8.self).contains(PageThatComesBack.script) == has)
            #expect((head.headerFields[.contentSecurityPolicy]?.contains(PageThatComesBack.hash) == true) == has)
        }
    }

    @Test(
        "the page speaks the reader's language",
        arguments: [
            (nil, "en", "You are offline"), ("xx", "en", "You are offline"),
            ("de-CH,de;q=0.9", "de", "Sie sind offline"),
            ("xx, zh-Hant;q=0.8, en;q=0.7", "zh", "您已离线"), ("*", "en", "You are offline"),
            (",;q", "en", "You are offline"),
        ] as [(String?, String, String)])
    func languages(_ asked: String?, _ language: String, _ title: String) {
        var request = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/")
        request.headerFields[.acceptLanguage] = asked
        let error = EngineError(code: .disconnected, message: "x")
        let page = String(decoding: ErrorAnswer.make(for: error, asPage: request).body, as: UTF8.self)
        #expect(page.contains("<html lang=\"\(language)\">") && page.contains("<title>\(title)</title>"))
    }

    @Test(
        "an app's own page keeps its policy, which also allows the script",
        arguments: [
            ("default-src 'none'", "default-src 'none'; connect-src 'self'; script-src HASH"),
            ("script-src 'none'; img-src data:", "script-src 'none' HASH; img-src data:; connect-src 'self'"),
            ("script-src-elem x", "script-src-elem x; connect-src 'self'; script-src HASH"),
        ])
    func ownPolicy(_ policy: String, _ expected: String) {
        let allowed = expected.replacing("HASH", with: PageThatComesBack.hash)
        #expect(PageThatComesBack.allowed(by: policy) == allowed)
        #expect(
            OfflinePage([], contentSecurityPolicy: policy).answer.head.headerFields[.contentSecurityPolicy] == allowed)
        #expect(OfflinePage([], contentType: "image/svg+xml", contentSecurityPolicy: policy).answer.body.isEmpty)
    }

    @Test("HEAD gets the length of the page without its content")
    func head() async throws {
        let bench = try Bench()
        let (response, text) = try await bench.text("/a", method: .head, context: .init(destination: .document))
        #expect(text.isEmpty && response.head.status == .gatewayTimeout)
        let length = try #require(response.head.headerFields[.contentLength].flatMap { Int($0) })
        #expect(length > 100)
    }

    @Test("a request that names no http address is refused, and its content cancelled")
    func invalid() async throws {
        let bench = try Bench()
        let content = ScriptedBody()
        for (scheme, path) in [("ftp", "/a"), (nil, "/a"), ("https", nil)] as [(String?, String?)] {
            let response = await bench.cache.respond(
                to: EngineRequest(
                    head: HTTPRequest(method: .post, scheme: scheme, authority: "example.com", path: path),
                    body: RequestBody(content, length: nil)))
            #expect(response.head.status == .badRequest && response.failure?.code == .invalidRequest)
        }
        #expect(content.isCancelled)
        #expect(bench.transport.requests.isEmpty)
    }

    @Test("a body over the caller's limit is an error, and the rest is not fetched")
    func tooLarge() async throws {
        let bench = try Bench()
        let body = ScriptedBody([[1, 2, 3], [4, 5, 6]], ends: false)
        bench.transport.on(Bench.base + "/a") { _ in ScriptedTransport.answer(200, [:], streaming: body) }
        let response = await bench.send("/a")
        let error = await #expect(throws: EngineError.self) { try await response.body.collect(upTo: .init(Int64(5))) }
        #expect(error?.code == .bodyTooLarge)
        try await body.cancelled()
    }
}
