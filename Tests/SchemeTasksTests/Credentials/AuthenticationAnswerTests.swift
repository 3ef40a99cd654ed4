import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Fetch §4.6 Servers that ask for a password", .timeLimit(.minutes(5)))
struct AuthenticationAnswerTests {
    private let url = "https://page.test/a"

    // MARK: The URL's

    @Test("those of a URL are sent once the server asks, and remembered")
    func urlCredentials() async throws {
        let site = ProtectedSite()
        try site.protect(url, "https://page.test/b")
        let answer = try await site.bench.open("https://u:p@page.test/a")
        #expect(answer.status == 200 && answer.text == "in")
        #expect(try await site.bench.open("https://page.test/b").status == 200)
        #expect(site.named == ["", "u:p", "u:p"])
    }

    @Test("where nobody asks they are not sent")
    func notAsked() async throws {
        let site = ProtectedSite()
        site.bench.on(url, 200, body: "open")
        #expect(try await site.bench.open("https://u:p@page.test/a").text == "open")
        #expect(site.named == [""])
    }

    @Test("wrong ones are sent once; the page gets the 401, and nothing is remembered")
    func wrong() async throws {
        let site = ProtectedSite()
        try site.protect(url)
        let answer = try await site.bench.open("https://u:wrong@page.test/a")
        #expect(answer.status == 401 && answer.text == "who?")
        _ = try await site.bench.open(url)
        #expect(site.named == ["", "u:wrong", ""])
    }

    @Test("those of a script's URL count more than what is remembered, which stays where they are wrong")
    func ofScripts() async throws {
        let site = ProtectedSite()
        try site.protect(url)
        _ = try await site.bench.open("https://u:p@page.test/a")
        let other = try await site.bench.load(
            "https://v:q@page.test/a", mode: "cors", dest: "empty", site: "same-origin")
        #expect(other.status == 401)
        #expect(try await site.bench.load(url, mode: "cors", dest: "empty", site: "same-origin").status == 200)
        #expect(site.named == ["", "u:p", "", "v:q", "u:p"])
    }

    @Test("at the app-cache scheme as at https")
    func appScheme() async throws {
        let site = ProtectedSite()
        try site.protect(url)
        #expect(try await site.bench.open("app-cache-https://u:p@page.test/a").status == 200)
    }

    @Test("an answer after a challenge tells a marked request's address without them")
    func address() async throws {
        let site = ProtectedSite()
        try site.protect(url)
        var observed = RequestEvidence(
            method: .get, url: "https://u:p@page.test/a",
            fields: [FetchField.secFetchMode: "cors", FetchField.secFetchSite: "same-origin"],
            topLevelURL: "https://page.test/", navigation: RequestEvidence.Navigation.none)
        observed.redirectMark = "moved-1"
        guard case .pending(let work) = site.bench.responder.answer(observed) else {
            Issue.record("It can't be ready.")
            return
        }
        #expect(try await work().outcome().get().head.status.reasonPhrase == "moved-1 https://page.test/a =")
    }

    // MARK: What is never sent

    struct Withheld: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var url = "https://u:p@page.test/a"
        var page = "https://page.test/"
        var mode = "cors"
        var dest = "empty"
        var fields: HTTPFields = [:]
        var credentials: FetchRequest.Credentials?
        var sent = [""]
    }

    @Test(
        "nothing is sent, and nobody is asked",
        arguments: [
            Withheld(testDescription: "CORS to another origin", page: "https://other.test/", credentials: .include),
            Withheld(
                testDescription: "CORS to another host of the site", page: "https://www.page.test/",
                credentials: .include),
            Withheld(testDescription: "credentials: omit", credentials: .omit),
            Withheld(
                testDescription: "the page's own Authorization", fields: [.authorization: "Bearer t"],
                sent: ["Bearer t"]),
        ])
    func withheld(_ row: Withheld) async throws {
        let login = try #require(BasicCredentials(user: "u", password: "p"))
        let site = ProtectedSite { _ in .use(login) }
        try site.protect(
            url,
            fields: [
                .accessControlAllowOrigin: row.page.dropLast().description, .accessControlAllowCredentials: "true",
            ])
        let before = site.bench.transport.requests.count
        let answer = try await site.bench.load(
            row.url, of: row.page, mode: row.mode, dest: row.dest, row.fields, credentials: row.credentials)
        #expect(answer.status == 401)
        #expect(Array(site.named.dropFirst(before)) == row.sent && site.asked.isEmpty)
    }

    @Test("what is remembered does not go to another origin after a redirect, and comes with a redirect's own URL")
    func redirects() async throws {
        let site = ProtectedSite()
        try site.protect(url, "https://page.test/b")
        _ = try await site.bench.open("https://u:p@page.test/a")
        site.bench.on("https://page.test/go", 302, [.location: "https://other.test/x"])
        site.bench.on("https://other.test/x", 401, [.wwwAuthenticate: "Basic realm=\"staging\""])
        _ = try await site.bench.load("https://page.test/go", mode: "no-cors", dest: "image")
        #expect(site.named == ["", "u:p", "u:p", ""])
        try site.protect("https://third.test/x")
        site.bench.on("https://open.test/go", 302, [.location: "https://u:p@third.test/x"])
        _ = try await site.bench.open("https://open.test/go")
        #expect(site.bench.takeMoves() == [.load(url: "https://third.test/x")])
        #expect(try await site.bench.open("https://third.test/x").status == 200)
        #expect(site.named.suffix(3) == ["", "", "u:p"])
    }

    @Test("in a page of another site nothing is known of what was entered for the site's own pages")
    func otherSites() async throws {
        let site = ProtectedSite()
        try site.protect(url)
        _ = try await site.bench.open("https://u:p@page.test/a")
        _ = try await site.bench.load(url, of: "https://news.test/")
        #expect(site.named == ["", "u:p", ""])
    }

    @Test("another account knows nothing of it; the same data has one memory")
    func accounts() async throws {
        let memory = CredentialMemory()
        let first = ProtectedSite(account: "1", memory: memory)
        try first.protect(url)
        _ = try await first.bench.open("https://u:p@page.test/a")
        for (account, named) in [("1", "u:p"), ("2", "")] {
            let site = ProtectedSite(account: account, memory: memory)
            try site.protect(url)
            _ = try await site.bench.open(url)
            #expect(site.named == [named])
        }
    }

    // MARK: Asking

    @Test("the app is asked for a document, and its answer holds for what the page loads")
    func document() async throws {
        let login = try #require(BasicCredentials(user: "u", password: "p"))
        let site = ProtectedSite { _ in .use(login) }
        try site.protect(url, "https://page.test/b")
        #expect(try await site.bench.open(url).status == 200)
        #expect(try await site.bench.load("https://page.test/b").status == 200)
        #expect(site.named == ["", "u:p", "u:p"])
        #expect(
            site.asked == [CredentialQuestion(origin: WebOrigin(url: url), realm: "staging")])
    }

    @Test("an answer for once is asked for again")
    func once() async throws {
        let login = try #require(BasicCredentials(user: "u", password: "p"))
        let site = ProtectedSite { _ in .use(login, remembered: false) }
        try site.protect(url)
        for _ in 0..<2 { #expect(try await site.bench.open(url).status == 200) }
        #expect(site.named == ["", "u:p", "", "u:p"] && site.asked.count == 2)
    }

    @Test(
        "a wrong answer is asked about again with the number of failures, at most three times; the same one is given up"
    )
    func failures() async throws {
        let site = ProtectedSite { question in
            BasicCredentials(user: "w", password: "\(question.previousFailureCount + 1)").map { .use($0) } ?? .cancel
        }
        try site.protect(url)
        #expect(try await site.bench.open(url).status == 401)
        #expect(site.named == ["", "w:1", "w:2", "w:3"])
        #expect(site.asked.map(\.previousFailureCount) == [0, 1, 2])
        let login = try #require(BasicCredentials(user: "u", password: "wrong"))
        let stubborn = ProtectedSite { _ in .use(login) }
        try stubborn.protect(url)
        #expect(try await stubborn.bench.open(url).status == 401)
        #expect(stubborn.named == ["", "u:wrong"] && stubborn.asked.count == 2)
    }

    @Test("the app may show the 401, or give the load up")
    func refusing() async throws {
        let showing = ProtectedSite { _ in .showResponse }
        try showing.protect(url)
        #expect(try await showing.bench.open(url).text == "who?")
        let cancelling = ProtectedSite { _ in .cancel }
        try cancelling.protect(url)
        #expect(try await cancelling.bench.open(url).error?.code == .authenticationCancelled)
    }

    @Test(
        "a third party's image, script, frame and fetch make no question; nor does a frame's own resource",
        arguments: [
            ("https://page.test/", "no-cors", "image"), ("https://page.test/", "no-cors", "script"),
            ("https://page.test/", "navigate", "iframe"), ("https://page.test/", "cors", "empty"),
        ])
    func thirdParties(_ page: String, _ mode: String, _ dest: String) async throws {
        let login = try #require(BasicCredentials(user: "u", password: "p"))
        let site = ProtectedSite { _ in .use(login) }
        try site.protect("https://ads.test/x", fields: [.accessControlAllowOrigin: "https://page.test"])
        _ = try await site.bench.load("https://ads.test/x", of: page, mode: mode, dest: dest)
        // What a frame of another site asks for within its own origin.
        var fields: HTTPFields = [.origin: "https://ads.test"]
        fields[FetchField.secFetchMode] = mode
        fields[.secFetchDest] = dest
        fields[FetchField.secFetchSite] = "same-origin"
        _ = try await site.bench.ask(
            RequestEvidence(
                method: .get, url: "https://ads.test/x", fields: fields, topLevelURL: page,
                navigation: RequestEvidence.Navigation.none))
        #expect(site.asked.isEmpty && !site.named.contains("u:p"))
    }

    @Test(
        "the page's own frame, image and fetch do",
        arguments: [
            ("no-cors", "image"), ("navigate", "iframe"), ("cors", "empty"),
        ])
    func ownResources(_ mode: String, _ dest: String) async throws {
        let login = try #require(BasicCredentials(user: "u", password: "p"))
        let site = ProtectedSite { _ in .use(login) }
        try site.protect(url)
        #expect(try await site.bench.load(url, mode: mode, dest: dest).status == 200)
        #expect(site.asked.count == 1)
    }

    @Test(
        "other schemes than Basic are not answered",
        arguments: [
            "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"", "Bearer realm=\"r\"", "Negotiate", "Basic",
            "Basic realm=\"r",
        ])
    func otherSchemes(_ challenge: String) async throws {
        let site = ProtectedSite { _ in .cancel }
        site.bench.on(url, 401, [.wwwAuthenticate: challenge], body: "no")
        #expect(try await site.bench.open("https://u:p@page.test/a").text == "no")
        #expect(site.named == [""] && site.asked.isEmpty)
    }

    @Test("a realm is shown without what steers text; it is compared as it came")
    func realms() async throws {
        let site = ProtectedSite { _ in .showResponse }
        site.bench.on(
            url, 401,
            [.wwwAuthenticate: "Basic realm=\"a\u{202E}b\u{200B}\u{85}c\""], body: "no")
        _ = try await site.bench.open(url)
        #expect(site.asked.map(\.realm) == ["abc"])
    }

    // MARK: Content and the cache

    @Test("content is sent again")
    func content() async throws {
        let site = ProtectedSite()
        try site.protect(url)
        let answer = try await site.bench.open("https://u:p@page.test/a", method: .post, body: Array("form".utf8))
        #expect(answer.status == 200 && site.named == ["", "u:p"])
        #expect(try await site.bench.lastContent() == "form")
    }

    @Test("content that was read is not sent again: the page gets the 401")
    func readContent() async throws {
        let site = ProtectedSite { _ in .cancel }
        try site.protect(url)
        var authentication = RequestAuthentication(
            try RedirectFollowing(
                FetchRequest(
                    head: HTTPRequest(method: .post, scheme: "https", authority: "page.test", path: "/a"),
                    origin: nil, mode: .navigate, credentials: .include, isTopLevelNavigation: true)),
            memory: CredentialMemory(), owner: .init(account: "", site: ""), hasAsker: true)
        let head = HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=r"])
        #expect(authentication.received(head, isRepeatable: false) == .deliver)
    }

    @Test("a stored 401 is no answer to a request with a password")
    func storedRefusal() async throws {
        let site = ProtectedSite()
        try site.protect(url, fields: [.cacheControl: "max-age=100"])
        #expect(try await site.bench.open(url).status == 401)
        #expect(try await site.bench.open("https://u:p@page.test/a").status == 200)
        #expect(site.named.last == "u:p")
    }

    @Test("neither name nor password is in a report, a referrer or the store's keys")
    func traces() async throws {
        let site = ProtectedSite()
        try site.protect(url, fields: [.cacheControl: "max-age=100"])
        _ = try await site.bench.open("https://ursula:secret@page.test/a")
        _ = try await site.bench.open("https://u:p@page.test/a", [.referer: "https://ursula:secret@page.test/"])
        let reports = String(reflecting: site.bench.recorder.reports)
        #expect(
            !reports.isEmpty && !reports.contains("ursula") && !reports.contains("secret") && !reports.contains("dTpw"))
        #expect(!site.bench.sent(.referer).contains { $0.contains("secret") })
        #expect(!site.bench.asked.contains { $0.contains("@") })
    }
}
