import CacheEngine
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import SchemeTasks
@testable import WebTesting

@Suite("Documents that are redirected: the web view navigates, and the chain goes on", .timeLimit(.minutes(5)))
struct MovedDocumentTests {
    private static let html: HTTPFields = [.contentType: "text/html"]

    private static func frame(_ url: String, of page: String = "https://page.test/") -> RequestEvidence {
        RequestEvidence(
            method: .get, url: url,
            fields: fields(
                ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe"), ("Sec-Fetch-Site", "cross-site")),
            topLevelURL: page, navigation: .frame)
    }

    struct Way: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method
        var status: Int
        var asked: String
        var content: String
        var testDescription: String { "\(method) with \(status) → \(asked) '\(content)'" }
    }

    private static let ways: [Way] = [
        Way(method: .get, status: 302, asked: "GET", content: ""),
        Way(method: .post, status: 301, asked: "GET", content: ""),
        Way(method: .post, status: 302, asked: "GET", content: ""),
        Way(method: .post, status: 303, asked: "GET", content: ""),
        Way(method: .post, status: 307, asked: "POST", content: "name=anna"),
        Way(method: .post, status: 308, asked: "POST", content: "name=anna"),
        Way(method: .put, status: 302, asked: "PUT", content: "name=anna"),
    ]

    @Test(
        "Fetch §4.4 step 12: the next document's request has the method and the content of the chain", arguments: ways)
    func continued(_ way: Way) async throws {
        let bench = ResponderBench()
        bench.on("https://a.test/form", way.status, [.location: "https://b.test/done#end"])
        bench.on("https://b.test/done", 200, Self.html, body: "done")
        let isForm = way.method != .get
        let type: HTTPFields = isForm ? [.contentType: "application/x-www-form-urlencoded"] : [:]
        let first = try await bench.open(
            "https://a.test/form", method: way.method, type, body: isForm ? Array("name=anna".utf8) : nil)
        #expect(first.error?.code == .moved)
        #expect(bench.takeMoves() == [.load(url: "https://b.test/done#end")])
        let second = try await bench.open("https://b.test/done#end")
        #expect(second.status == 200 && second.text == "done" && bench.takeMoves().isEmpty)
        #expect(bench.asked == ["\(way.method) https://a.test/form", "\(way.asked) https://b.test/done"])
        let sent = try #require(bench.transport.requests.last)
        #expect(try await bench.lastContent() ?? "" == way.content)
        #expect((sent.head.headerFields[.contentType] != nil) == !way.content.isEmpty)
        // The chain is used once: a second visit is a plain one.
        _ = try await bench.open("https://b.test/done")
        #expect(bench.asked.last == "GET https://b.test/done")
    }

    @Test("RFC 9111 §3: a redirect is stored, though nobody reads its content; for a document and a resource")
    func stored() async throws {
        let bench = ResponderBench()
        for path in ["document", "image"] {
            bench.on(
                "https://page.test/\(path)", 301, [.location: "/end", .cacheControl: "max-age=60"], body: "moved")
        }
        bench.on("https://page.test/end", 200, [.cacheControl: "max-age=60"], body: "end")
        for _ in 0..<2 {
            _ = try await bench.open("https://page.test/document")
            _ = try await bench.load("https://page.test/image")
        }
        #expect(bench.asked.filter { !$0.hasSuffix("/end") }.count == 2, "\(bench.asked)")
    }

    @Test("a page at the app scheme moves within it; http has no such address")
    func appScheme() async throws {
        let bench = ResponderBench()
        bench.on("https://a.test/", 302, [.location: "/b"])
        #expect(try await bench.open("app-cache-https://a.test/").error?.code == .moved)
        #expect(bench.takeMoves() == [.load(url: "app-cache-https://a.test/b")])
        bench.on("https://a.test/", 302, [.location: "http://a.test/b"])
        #expect(try await bench.open("app-cache-https://a.test/").error?.code == .moved)
        #expect(bench.takeMoves() == [.load(url: "http://a.test/b")])
    }

    @Test("Fetch §4.4 step 5: twenty redirects, counted over all navigations")
    func loops() async throws {
        for (isLoop, code) in [(true, FetchError.Code.redirectLoop), (false, .tooManyRedirects)] {
            let bench = ResponderBench()
            var url = "https://a.test/0"
            var answer = ResponderBench.Answer()
            for number in 1...30 {
                let next = isLoop ? "https://a.test/\(number % 2)" : "https://a.test/\(number)"
                bench.on(url, 302, [.location: next])
                answer = try await bench.open(url)
                guard answer.error?.code == .moved else { break }
                #expect(bench.takeMoves() == [.load(url: next)])
                url = next
            }
            #expect(answer.fetchError == code)
            #expect(bench.asked.count == RedirectChain.greatestCount + 1 && bench.takeMoves().isEmpty)
        }
    }

    @Test("a frame's document sends its frame on by itself; the text of the address can't leave its string")
    func frames() async throws {
        let bench = ResponderBench()
        bench.on("https://a.test/f", 302, [.location: "https://b.test/?q=%22%3E&x=1\"><script>"])
        let first = try await bench.ask(Self.frame("https://a.test/f"))
        #expect(first.status == 200 && bench.takeMoves().isEmpty)
        let (begin, end) = ("<!doctype html><script>location.replace(\"", "\")</script>")
        #expect(first.text.hasPrefix(begin) && first.text.hasSuffix(end))
        let address = first.text.dropFirst(begin.count).dropLast(end.count)
        #expect(address.hasPrefix("https://b.test/?q=%22%3E&x=1"))
        #expect(!address.contains("\"") && !address.contains("<") && !address.contains("\\"))
        #expect(first.fields[HTTPField.Name("Refresh") ?? .location] == "0; url=\(address)")
        #expect(first.fields[.contentType] == "text/html; charset=utf-8")
    }

    @Test("a document that sends its frame on ends a second later: one that ends fires a load event of its own")
    func openFrame() async throws {
        let bench = ResponderBench()
        bench.on("https://a.test/f", 302, [.location: "https://b.test/"])
        let answer = bench.responder.answer(Self.frame("https://a.test/f"), nil)
        let source = try await answer.outcome().get().body.makeSource()
        #expect(try await source.next()?.isEmpty == false)
        async let end = source.next()
        try await bench.clock.sleeper(of: .seconds(1))
        bench.clock.advance(by: .seconds(1))
        #expect(try await end == nil)
    }

    @Test("hostile: a frame does not get the main document's chain with its content, nor the other way round")
    func otherFrame() async throws {
        let bench = ResponderBench()
        try await bench.setCookie("https://b.test/login", "sid=1; SameSite=Strict; Secure; Path=/")
        bench.on("https://b.test/pay", 307, [.location: "https://b.test/paid"])
        bench.on("https://b.test/paid", 200, Self.html, body: "paid")
        _ = try await bench.open(
            "https://b.test/pay", method: .post, [.contentType: "text/plain"], body: Array("amount=1".utf8))
        _ = try await bench.ask(Self.frame("https://b.test/paid", of: "https://evil.test/"))
        #expect(bench.asked.last == "GET https://b.test/paid" && bench.sent(.cookie).last == "")
        _ = try await bench.open("https://b.test/paid")
        #expect(bench.asked.last == "POST https://b.test/paid" && bench.sent(.cookie).last == "sid=1")
        // A frame's chain is not the main document's.
        bench.on("https://b.test/frame", 302, [.location: "https://b.test/app"])
        bench.on("https://b.test/app", 302, [.location: "tel:123"])
        _ = try await bench.ask(Self.frame("https://b.test/frame", of: "https://evil.test/"))
        #expect(try await bench.open("https://b.test/app").error?.code == .moved)
        #expect(bench.takeMoves().last == .handToApp(url: "tel:123"))
    }

    @Test("hostile: a form is not sent again by a visit that comes a minute later, and chains are few")
    func forgotten() async throws {
        let bench = ResponderBench()
        func post(_ number: Int) async throws {
            bench.on("https://a.test/form\(number)", 307, [.location: "https://a.test/done\(number)"])
            bench.on("https://a.test/done\(number)", 200, Self.html, body: "done")
            _ = try await bench.open(
                "https://a.test/form\(number)", method: .post, [.contentType: "text/plain"], body: [0x61])
        }
        try await post(0)
        bench.clock.advance(by: .seconds(61))
        _ = try await bench.open("https://a.test/done0")
        #expect(bench.asked.last == "GET https://a.test/done0")
        for number in 1...17 { try await post(number) }
        _ = try await bench.open("https://a.test/done1")
        #expect(bench.asked.last == "GET https://a.test/done1")
        _ = try await bench.open("https://a.test/done2")
        #expect(bench.asked.last == "POST https://a.test/done2")
    }

    @Test("URL schemes of other apps are handed over for the main document alone; scripts never")
    func otherSchemes() async throws {
        for (location, isTopLevel, move) in [
            ("tel:+49123", true, DocumentMove.handToApp(url: "tel:+49123")),
            ("mailto:a@b.test", true, .handToApp(url: "mailto:a@b.test")),
            ("tel:+49123", false, nil), ("javascript:alert(1)", true, nil), ("data:text/html,x", true, nil),
            ("file:///etc/passwd", true, nil), ("blob:https://a.test/1", true, nil),
        ] as [(String, Bool, DocumentMove?)] {
            let bench = ResponderBench()
            bench.on("https://a.test/", 302, [.location: location])
            let answer =
                isTopLevel
                ? try await bench.open("https://a.test/") : try await bench.ask(Self.frame("https://a.test/"))
            #expect(bench.takeMoves() == [move].compactMap { $0 }, "\(location)")
            // The cache hands on no redirect to a file; the document is its error page.
            guard !location.hasPrefix("file:") else {
                #expect(answer.status == 502 && answer.error == nil, "\(answer)")
                continue
            }
            #expect(move == nil ? answer.fetchError == .redirectScheme : answer.error?.code == .moved, "\(location)")
        }
    }

    @Test("RFC 6265bis §5.2: a chain through another site sends no strict cookie; one within the site does")
    func strictCookies() async throws {
        for (site, cookie) in [("none", "sid=1"), ("same-origin", "sid=1"), ("cross-site", "")] {
            let bench = ResponderBench()
            try await bench.setCookie("https://b.test/login", "sid=1; SameSite=Strict; Secure; Path=/")
            bench.on("https://b.test/go", 302, [.location: "https://b.test/home"])
            bench.on("https://b.test/home", 200, Self.html, body: "home")
            _ = try await bench.open("https://b.test/go", [FetchField.secFetchSite: site])
            // The app's own navigation looks as if no page had started it.
            _ = try await bench.open("https://b.test/home")
            #expect(bench.sent(.cookie).suffix(2) == [cookie, cookie], "\(site)")
        }
    }

    @Test("RFC 6265bis §5.2: what the user opens, and comes back from another site, gets no strict cookie")
    func typedChain() async throws {
        let bench = ResponderBench()
        try await bench.setCookie("https://b.test/login", "sid=1; SameSite=Strict; Secure; Path=/")
        bench.on("https://b.test/out", 302, [.location: "https://other.test/"])
        bench.on("https://other.test/", 302, [.location: "https://b.test/home"])
        bench.on("https://b.test/home", 200, Self.html, body: "home")
        for url in ["https://b.test/out", "https://other.test/", "https://b.test/home"] {
            _ = try await bench.open(url)
        }
        #expect(bench.sent(.cookie).suffix(3) == ["sid=1", "", ""])
    }

    @Test("what a redirect sets is sent with the next document, and the redirect itself is stored as it says")
    func storedRedirect() async throws {
        let bench = ResponderBench()
        bench.on(
            "https://a.test/", 301,
            [.location: "https://a.test/home", .cacheControl: "max-age=600", .setCookie: "seen=1; Path=/"])
        bench.on("https://a.test/home", 200, Self.html, body: "home")
        for _ in 0..<2 {
            let moved = try await bench.open("https://a.test/")
            #expect(moved.error?.code == .moved && !moved.wasReady)
            #expect(bench.takeMoves() == [.load(url: "https://a.test/home")])
            #expect(try await bench.open("https://a.test/home").text == "home")
        }
        #expect(bench.asked.count { $0 == "GET https://a.test/" } == 1)
        #expect(bench.sent(.cookie) == ["", "seen=1", "seen=1"])
    }
}
