import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

/// A page at `https://page.test` asks.
func asked(
    _ url: String, mode: FetchRequest.Mode = .cors, method: HTTPRequest.Method = .get,
    origin: String? = "https://page.test", credentials: FetchRequest.Credentials = .sameOrigin,
    redirect: FetchRequest.Redirect = .follow, topLevel: Bool = false, surely: Bool = false,
    sync: Bool = false, shown: String? = nil, _ given: HTTPFields = HTTPFields()
) throws -> FetchRequest {
    FetchRequest(
        head: try head(method, url, given), origin: origin.flatMap { WebOrigin(serialized: $0) }, mode: mode,
        credentials: credentials, redirect: redirect, destination: .unknown, isSynchronous: sync,
        isTopLevelNavigation: topLevel, isSurelyCrossOrigin: surely, referrer: given[.referer],
        shownOrigin: shown.flatMap { WebOrigin(serialized: $0) })
}

func redirect(_ location: String, _ status: Int = 302, allowing origin: String? = nil) -> HTTPResponse {
    var given = fields(("Location", location))
    given[.accessControlAllowOrigin] = origin
    return response(status, given)
}

extension RedirectFollowing {
    struct Next {
        var request: FetchRequest
        var keepsBody: Bool
        var url: String
    }

    /// The request behind a redirect; `nil` where none follows.
    mutating func next(_ response: HTTPResponse, isBodyReplayable: Bool = true) -> Next? {
        switch receive(response, isBodyReplayable: isBodyReplayable) {
        case .follow(let keepsBody), .navigate(let keepsBody):
            let url = request.fragment.map { "\(request.url)#\($0)" } ?? request.url
            return Next(request: request, keepsBody: keepsBody, url: url)
        default: return nil
        }
    }
}

extension RedirectAction {
    var error: FetchError.Code? {
        guard case .refuse(let error) = self else { return nil }
        return error.code
    }

    var delivery: Delivery? {
        guard case .deliver(let delivery) = self else { return nil }
        return delivery
    }
}

@Suite("Fetch §4.4 HTTP-redirect fetch")
struct RedirectFollowingTests {
    @Test(
        "a 304 to the engine's own question need not name the origin once more; all else has to",
        arguments: [
            (Destination.script, "If-None-Match", 304, true), (.style, "If-Modified-Since", 304, true),
            (.script, "If-None-Match", 200, false), (.script, "X-Other", 304, false),
            (.fetch, "If-None-Match", 304, false),
            (.unknown, "If-None-Match", 304, false),
        ] as [(Destination, String, Int, Bool)])
    func confirmation(destination: Destination, field: String, status: Int, passes: Bool) throws {
        var request = try asked("https://other.test/a.js", fields((field, "\"a\"")))
        request.destination = destination
        var following = try RedirectFollowing(request)
        let action = following.receive(response(status, fields()), isBodyReplayable: true)
        #expect((action.delivery != nil) == passes && (action.error == .corsFailed) == !passes)
    }

    struct Method: Sendable {
        var method: String
        var status: Int
    }

    static let methods: [FetchRow<Method, [String]>] = [
        .init(Method(method: "POST", status: 301), ["GET", "no body"], "step 12"),
        .init(Method(method: "POST", status: 302), ["GET", "no body"], "step 12"),
        .init(Method(method: "POST", status: 303), ["GET", "no body"], "step 12"),
        .init(Method(method: "POST", status: 307), ["POST", "body"], "step 12"),
        .init(Method(method: "POST", status: 308), ["POST", "body"], "step 12"),
        .init(Method(method: "PUT", status: 302), ["PUT", "body"], "step 12: only POST"),
        .init(Method(method: "PUT", status: 303), ["GET", "no body"], "step 12"),
        .init(Method(method: "HEAD", status: 303), ["HEAD", "no body"], "step 12: not GET or HEAD"),
        .init(Method(method: "GET", status: 307), ["GET", "no body"], "no body to keep"),
    ]

    @Test("methods, and the body with its fields", arguments: methods)
    func method(_ row: FetchRow<Method, [String]>) throws {
        let content = fields(("Content-Type", "text/plain"), ("Content-Length", "3"), ("Content-Language", "de"))
        let method = try #require(HTTPRequest.Method(row.given.method))
        var following = try RedirectFollowing(asked("https://page.test/a", method: method, content))
        let found = following.next(redirect("/b", row.given.status))
        let next = try #require(found)
        #expect([next.request.head.method.rawValue, next.keepsBody ? "body" : "no body"] == row.expected)
        let changes = row.given.method != row.expected[0]
        #expect(next.request.head.headerFields.count == (changes ? 0 : 3))
        #expect(next.url == "https://page.test/b")
    }

    @Test("a body that was a stream can't be sent again, and need not where the method changes")
    func streams() throws {
        var following = try RedirectFollowing(asked("https://page.test/a", method: .post))
        #expect(following.receive(redirect("/b", 307), isBodyReplayable: false).error == .bodyNotReplayable)
        following = try RedirectFollowing(asked("https://page.test/a", method: .post))
        #expect(following.next(redirect("/b", 303), isBodyReplayable: false) != nil)
    }

    @Test("what is no redirect is delivered", arguments: [200, 204, 300, 304, 305, 404, 500])
    func notRedirects(_ status: Int) throws {
        var following = try RedirectFollowing(asked("https://page.test/a"))
        #expect(following.receive(redirect("/b", status), isBodyReplayable: true).delivery?.isRedirected == false)
        #expect(following.receive(response(302), isBodyReplayable: true).delivery?.response.status.code == 302)
    }

    @Test("redirect modes: error refuses, manual shows nothing of the target")
    func modes() throws {
        var following = try RedirectFollowing(asked("https://page.test/a", redirect: .error))
        #expect(following.receive(redirect("/b"), isBodyReplayable: true).error == .redirectNotAllowed)
        following = try RedirectFollowing(asked("https://page.test/a", redirect: .manual))
        let delivery = try #require(following.receive(redirect("/secret"), isBodyReplayable: true).delivery)
        #expect(delivery.response.headerFields.isEmpty)
        #expect(delivery.tainting == .opaque)
    }

    @Test("20 redirects and no more; a circle is called one")
    func count() throws {
        var following = try RedirectFollowing(asked("https://page.test/0"))
        for number in 1...20 {
            #expect(following.next(redirect("/\(number)")) != nil)
        }
        var last = following
        #expect(last.receive(redirect("/21"), isBodyReplayable: true).error == .tooManyRedirects)
        #expect(following.receive(redirect("/3"), isBodyReplayable: true).error == .redirectLoop)
        #expect(following.chain.urls.count == 21)
        // A site that sets a cookie and comes back to the same URL is no circle yet.
        var again = try RedirectFollowing(asked("https://page.test/0"))
        for _ in 1...20 { #expect(again.next(redirect("/0")) != nil) }
        #expect(again.receive(redirect("/0"), isBodyReplayable: true).error == .redirectLoop)
    }

    @Test("Authorization stays within the origin, Cookie with no hop")
    func secrets() throws {
        let secrets = fields(("Authorization", "Basic x"), ("Cookie", "a=b"))
        var following = try RedirectFollowing(asked("https://page.test/a", secrets))
        #expect(following.request.head.headerFields[.cookie] == nil)
        _ = following.receive(redirect("/b"), isBodyReplayable: true)
        #expect(following.request.head.headerFields[.authorization] == "Basic x")
        _ = following.receive(redirect("https://page.test:8443/c"), isBodyReplayable: true)
        #expect(following.request.head.headerFields[.authorization] == nil)
    }

    @Test("Referer follows the policy of the page, then of each response")
    func referer() throws {
        let given = fields(("Referer", "https://page.test/p?q"))
        var following = try RedirectFollowing(asked("https://page.test/a", given))
        _ = following.receive(redirect("/b"), isBodyReplayable: true)
        #expect(following.request.head.headerFields[.referer] == "https://page.test/p?q")
        _ = following.receive(redirect("https://b.test/"), isBodyReplayable: true)
        #expect(following.request.head.headerFields[.referer] == "https://page.test/")
        var answer = redirect("https://c.test/", allowing: "https://page.test")
        answer.headerFields[FetchField.referrerPolicy] = "no-referrer"
        _ = following.receive(answer, isBodyReplayable: true)
        #expect(following.request.head.headerFields[.referer] == nil)
    }

    @Test("the fragment of the request is kept unless Location has one")
    func fragments() throws {
        var request = try asked("https://page.test/a", mode: .navigate, redirect: .manual, topLevel: true)
        request.fragment = "part"
        var following = try RedirectFollowing(request)
        #expect(following.next(redirect("/b"))?.url == "https://page.test/b#part")
        #expect(following.next(redirect("/c#x"))?.url == "https://page.test/c#x")
        #expect(following.request.url == "https://page.test/c")
    }

    @Test("documents are never followed, not even within their origin", arguments: [true, false])
    func documents(isTopLevel: Bool) throws {
        var following = try RedirectFollowing(
            asked("https://page.test/a", mode: .navigate, redirect: .manual, topLevel: isTopLevel))
        for location in ["/b", "https://b.test/", "https://page.test/back"] {
            guard case .navigate = following.receive(redirect(location), isBodyReplayable: true) else {
                Issue.record("not a navigation")
                return
            }
            #expect(following.request.mode == .navigate)
        }
        let final = following.receive(response(200, fields(("Set-Cookie", "a=b"))), isBodyReplayable: true)
        #expect(final.delivery?.tainting == .basic)
        #expect(final.delivery?.response.headerFields.isEmpty == true)
    }

    @Test("Fetch Metadata §2.3: Sec-Fetch-Site and SameSite know of every hop")
    func relation() throws {
        let given = fields(("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "navigate"))
        var following = try RedirectFollowing(
            asked("https://page.test/a", mode: .navigate, redirect: .manual, topLevel: true, given))
        #expect(following.relation == .sameOrigin)
        _ = following.receive(redirect("https://bank.test/transfer"), isBodyReplayable: true)
        #expect(following.request.head.headerFields[FetchField.secFetchSite] == "cross-site")
        _ = following.receive(redirect("https://page.test/"), isBodyReplayable: true)
        #expect(following.request.head.headerFields[FetchField.secFetchSite] == "cross-site")
        #expect(following.relation == .crossSite)
        _ = following.receive(redirect("http://page.test/"), isBodyReplayable: true)
        #expect(following.request.head.headerFields[FetchField.secFetchSite] == nil)
        #expect(following.request.head.headerFields[FetchField.secFetchMode] == nil)
        let typed = fields(("Sec-Fetch-Site", "none"))
        var own = try RedirectFollowing(asked("https://a.test/", mode: .navigate, origin: nil, topLevel: true, typed))
        _ = own.receive(redirect("https://b.test/"), isBodyReplayable: true)
        // RFC 6265bis §5.2, as WebKit has it: what another site led to gets no strict cookie.
        #expect(own.relation == .crossSite)
        #expect(own.request.head.headerFields[FetchField.secFetchSite] == "none")
    }

    @Test("redirect: manual shows that there is a redirect and no more, §2.2.6; the web view's CORS check passes it")
    func manual() throws {
        for (shown, expected) in [
            (nil, "https://page.test"), ("app-cache-https://page.test", "app-cache-https://page.test"),
        ]
            as [(String?, String)]
        {
            var following = try RedirectFollowing(
                asked("https://other.test/a", credentials: .include, redirect: .manual, shown: shown))
            var answer = redirect("/b", allowing: "https://page.test")
            answer.headerFields[.accessControlAllowCredentials] = "true"
            let delivery = try #require(following.receive(answer, isBodyReplayable: true).delivery)
            #expect(delivery.tainting == .opaque)
            #expect(
                delivery.response.headerFields
                    == fields(
                        ("Access-Control-Allow-Origin", expected), ("Access-Control-Allow-Credentials", "true")))
        }
        var refused = try RedirectFollowing(asked("https://other.test/a", redirect: .manual))
        #expect(refused.receive(redirect("/b"), isBodyReplayable: true).error == .corsFailed)
        var own = try RedirectFollowing(asked("https://page.test/a", redirect: .manual))
        #expect(own.receive(redirect("/b"), isBodyReplayable: true).delivery?.response.headerFields.isEmpty == true)
    }
}
