import CacheRules
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Reading requests of a scheme task")
struct FetchRequestReadingTests {
    private func read(
        _ method: HTTPRequest.Method = .get, _ url: String = "https://shop.test/x", _ fields: HTTPFields = HTTPFields(),
        top: String? = "https://shop.test/", navigation: RequestEvidence.Navigation? = nil
    ) throws -> FetchRequest {
        try #require(
            FetchRequest(
                RequestEvidence(
                    method: method, url: url, fields: fields, topLevelURL: top, navigation: navigation)))
    }

    static let origins: [FetchRow<HTTPFields, String?>] = [
        .init(fields(("Origin", "https://a.test"), ("Sec-Fetch-Mode", "cors")), "https://a.test", "Fetch §3.2"),
        .init(fields(("Origin", "app-cache-https://a.test")), "https://a.test", "the app-cache scheme"),
        .init(fields(("Origin", "null"), ("Sec-Fetch-Mode", "cors")), "null", "a sandboxed frame"),
        .init(
            fields(("Origin", "null"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Site", "same-origin")),
            "https://shop.test", "Fetch §3.2: a referrer policy hides the origin of a beacon"),
        .init(
            fields(("Origin", "null"), ("Sec-Fetch-Mode", "cors"), ("Sec-Fetch-Site", "same-origin")),
            "https://shop.test", "XMLHttpRequest of a blank frame in WebKit"),
        .init(
            fields(("Origin", "null"), ("Sec-Fetch-Mode", "cors"), ("Sec-Fetch-Site", "cross-site")), "null",
            "a sandboxed frame"),
        .init(
            fields(
                ("Origin", "null"), ("Origin", "null"), ("Sec-Fetch-Mode", "cors"), ("Sec-Fetch-Site", "same-origin")),
            "null", "two lines are no engine's"),
        .init(
            fields(("Origin", "https://shop.test"), ("Origin", "https://evil.test")), "null",
            "two lines are no engine's"),
        .init(fields(("Sec-Fetch-Site", "same-origin")), "https://shop.test", "Fetch Metadata §2.3"),
        .init(fields(("Referer", "https://a.test/p")), "https://a.test", "a guess"),
        .init(
            fields(("Referer", "https://shop.test/s.css"), ("Sec-Fetch-Site", "cross-site")), nil,
            "a style sheet's URL is not the page's"),
        .init(fields(("Sec-Fetch-Site", "cross-site")), nil, "nothing tells"),
        .init(HTTPFields(), nil, "nothing tells"),
        .init(fields(("Sec-Fetch-Site", "SAME-ORIGIN")), nil, "no engine's spelling"),
    ]

    @Test("the origin", arguments: origins)
    func origin(_ row: FetchRow<HTTPFields, String?>) throws {
        #expect(try read(.get, "https://shop.test/x", row.given).origin?.description == row.expected)
    }

    struct Shown: Sendable {
        var method = HTTPRequest.Method.get
        var scheme = "https"
        var needsCORSElsewhere = false
        var fields = HTTPFields()
        var navigation = RequestEvidence.Navigation.none
    }

    static let shown: [FetchRow<Shown, String?>] = [
        .init(Shown(method: .put), "https://shop.test", "Fetch §4.8: only CORS sends PUT to another origin"),
        .init(
            Shown(needsCORSElsewhere: true), "https://shop.test",
            "Fetch §2.2.2: no request without CORS has a field that is not safelisted"),
        .init(
            Shown(scheme: "app-cache-https", needsCORSElsewhere: true), "https://shop.test",
            "the same at the app-cache scheme"),
        .init(
            Shown(scheme: "app-cache-https", fields: fields(("If-None-Match", "\"1\""))), nil,
            "RFC 9111 §4.3.1: the engine's own, with an image of any page"),
        .init(
            Shown(scheme: "app-cache-https", fields: fields(("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"))),
            nil, "RFC 9111 §4.3.1: the engine's own, with an image of any page"),
        .init(
            Shown(method: .post, fields: fields(("Content-Type", "text/ping"), ("Ping-To", "https://evil.test/"))),
            nil, "HTML §4.6.6: hyperlink auditing sends this type to any host"),
        .init(
            Shown(method: .post, fields: fields(("Content-Type", "application/csp-report"))), nil,
            "CSP §5.5: reports have this type"),
        .init(
            Shown(
                scheme: "app-cache-https",
                fields: fields(("Accept", "text/event-stream"), ("Cache-Control", "no-cache"))),
            "https://shop.test", "HTML §9.2.3: an EventSource, which always uses CORS"),
        .init(
            Shown(scheme: "app-cache-https", fields: fields(("Accept", "text/event-stream"))), nil,
            "a script chooses Accept without CORS too"),
        .init(
            Shown(
                scheme: "app-cache-https",
                fields: fields(
                    ("Accept", "text/event-stream"), ("Cache-Control", "no-cache"), ("Pragma", "no-cache"))),
            nil, "both fields are an engine's of a reload"),
        .init(
            Shown(scheme: "app-cache-https", fields: fields(("Referer", "app-cache-https://shop.test/mine"))), nil,
            "HTML §7.1.1: a sandboxed document of the host has this Referer too"),
        .init(Shown(method: .put, fields: fields(("Origin", "https://a.test"))), "https://a.test", "it is shown"),
        .init(Shown(method: .post, fields: fields(("Content-Type", "text/plain"))), nil, "a form could send it"),
        .init(Shown(fields: fields(("Range", "bytes=0-"), ("Icy-Metadata", "1"))), nil, "a media player's field"),
        .init(Shown(fields: fields(("X-Token", "1")), navigation: .frame), nil, "a navigation"),
    ]

    @Test("the engine shows each foreign origin: what only CORS could send is of the URL's own", arguments: shown)
    func ownOrigin(_ row: FetchRow<Shown, String?>) throws {
        var observed = RequestEvidence(
            method: row.given.method, url: "\(row.given.scheme)://shop.test/x", fields: row.given.fields,
            navigation: row.given.navigation)
        observed.needsCORSElsewhere = row.given.needsCORSElsewhere
        let request = try #require(FetchRequest(observed))
        #expect(request.origin?.description == row.expected)
    }

    static let askers: [FetchRow<Shown, FetchRequest.Credentials>] = [
        .init(Shown(), .omit, "an element of whatever document"),
        .init(Shown(method: .post), .omit, "a beacon, a ping, or a fetch without CORS"),
        .init(Shown(navigation: .unannouncedFrame), .omit, "a script chooses Accept"),
        .init(Shown(navigation: .frame), .include, "the web view told of the navigation"),
        .init(Shown(navigation: .topLevel), .include, "the web view told of the navigation"),
        .init(Shown(fields: fields(("Origin", "null"))), .omit, "HTML §7.1.1: an opaque origin is nobody's"),
        .init(Shown(needsCORSElsewhere: true), .include, "proven"),
        .init(Shown(fields: fields(("Origin", "app-cache-https://evil.test"))), .include, "the engine says who asks"),
    ]

    @Test("at the app-cache scheme nobody's requests carry no credentials, whatever a page says", arguments: askers)
    func unknownAsker(_ row: FetchRow<Shown, FetchRequest.Credentials>) throws {
        var observed = RequestEvidence(
            method: row.given.method, url: "app-cache-https://shop.test/x", fields: row.given.fields,
            navigation: row.given.navigation, options: .init(credentials: .include))
        observed.isFetch = true
        observed.needsCORSElsewhere = row.given.needsCORSElsewhere
        #expect(try #require(FetchRequest(observed)).credentials == row.expected)
    }

    struct Sent: Sendable {
        var method = HTTPRequest.Method.post
        var scheme = "app-cache-https"
        var fields = HTTPFields()
        var needsCORSElsewhere = false
        var navigation = RequestEvidence.Navigation.none
    }

    static let sent: [FetchRow<Sent, String?>] = [
        .init(Sent(needsCORSElsewhere: true), "https://shop.test", "Fetch §3.2: neither GET nor HEAD"),
        .init(Sent(method: .delete), "https://shop.test", "Fetch §3.2: neither GET nor HEAD"),
        .init(
            Sent(fields: fields(("Referer", "app-cache-https://shop.test/mine"))), "null",
            "HTML §7.1.1: a sandboxed document's origin is opaque, whatever its URL"),
        .init(
            Sent(fields: fields(("Referer", "https://a.test/"))), "null",
            "a sandboxed document of another host has this Referer too"),
        .init(Sent(), "null", "a form could send it: nothing tells whose"),
        .init(
            Sent(fields: fields(("Origin", "https://a.test"))), "https://a.test", "what the engine says stays"),
        .init(Sent(fields: fields(("Origin", "null"))), "null", "what the engine says stays"),
        .init(Sent(method: .get, needsCORSElsewhere: true), nil, "Fetch §3.2: GET, and not CORS"),
        .init(Sent(method: .head, needsCORSElsewhere: true), nil, "Fetch §3.2: HEAD, and not CORS"),
        .init(
            Sent(fields: fields(("Referer", "app-cache-https://shop.test/")), navigation: .frame), nil,
            "the engine has it with forms"),
        .init(Sent(scheme: "https", needsCORSElsewhere: true), nil, "the engine would have sent it"),
        .init(Sent(fields: fields(("Referer", "data:text/html,secret"))), "null", "Referrer Policy §8.4: nobody's URL"),
    ]

    @Test(
        "pages at the app-cache scheme name their origin with what they send, as the engine does for https",
        arguments: sent)
    func sentOrigin(_ row: FetchRow<Sent, String?>) throws {
        var observed = RequestEvidence(
            method: row.given.method, url: "\(row.given.scheme)://shop.test/x", fields: row.given.fields,
            navigation: row.given.navigation)
        observed.isFetch = true
        observed.needsCORSElsewhere = row.given.needsCORSElsewhere
        let request = try #require(FetchRequest(observed))
        #expect(request.head.headerFields[.origin] == row.expected)
        #expect(request.head.headerFields[.referer]?.hasPrefix("data:") != true)
        if row.expected == "null" { #expect(!request.isSameOrigin) }
    }

    static let modes: [FetchRow<HTTPFields, FetchRequest.Mode>] = [
        .init(fields(("Sec-Fetch-Mode", "navigate")), .navigate, "Fetch Metadata §2.2"),
        .init(fields(("Sec-Fetch-Mode", "no-cors"), ("Origin", "https://a.test")), .noCORS, "Fetch Metadata §2.2"),
        .init(fields(("Origin", "https://a.test")), .cors, "Fetch §3.2: only CORS sends it with GET"),
        .init(fields(("Accept", "text/html,application/xhtml+xml")), .noCORS, "a page chooses Accept"),
        .init(fields(("Sec-Fetch-Dest", "font")), .cors, "CSS Fonts §4.9"),
        .init(fields(("Sec-Fetch-Dest", "worker")), .sameOrigin, "HTML §10.2.6"),
        .init(fields(("Sec-Fetch-Dest", "iframe")), .navigate, "HTML §7.4"),
        .init(HTTPFields(), .noCORS, "the reading that lets a page read least"),
        .init(fields(("Sec-Fetch-Mode", "nested-navigate")), .noCORS, "unknown modes are no mode"),
    ]

    @Test("the mode", arguments: modes)
    func mode(_ row: FetchRow<HTTPFields, FetchRequest.Mode>) throws {
        #expect(try read(.get, "https://shop.test/x", row.given).mode == row.expected)
    }

    @Test("what the adapter knows fills the gaps, and never overrides the engine")
    func adapter() throws {
        #expect(try read(navigation: .frame).mode == .navigate)
        #expect(try read(.put).mode == .cors)
        let lie = try read(.get, "https://shop.test/x", fields(("Sec-Fetch-Mode", "cors")), navigation: .topLevel)
        #expect(lie.mode == .cors)
        #expect(!lie.isTopLevelNavigation)
    }

    @Test("where Sec-Fetch-Dest is missing, an announced navigation says whether it is of a document or a frame")
    func destination() throws {
        #expect(try read(navigation: .topLevel).destination == .document)
        #expect(try read(navigation: .frame).destination == .iframe)
        #expect(try read(navigation: .unannouncedFrame).destination == .iframe)
        #expect(try read(navigation: RequestEvidence.Navigation.none).destination == .unknown)
        #expect(try read().destination == .unknown)
        var seen = RequestEvidence(
            method: .get, url: "https://shop.test/x", fields: HTTPFields(),
            navigation: RequestEvidence.Navigation.none)
        seen.isFetch = true
        #expect(try #require(FetchRequest(seen)).destination == .fetch, "the injected script has seen who asks")
        let named = fields(("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "object"))
        #expect(try read(.get, "https://shop.test/x", named, navigation: .frame).destination == .object)
        // A script that says so shows nobody a page.
        let lie = fields(("Sec-Fetch-Mode", "cors"))
        #expect(try read(.get, "https://shop.test/x", lie, navigation: .topLevel).destination == .unknown)
    }

    @Test("a top-level navigation is announced, or names itself so, or is the main document")
    func topLevel() throws {
        let navigate = ("Sec-Fetch-Mode", "navigate")
        #expect(try read(navigation: .topLevel).isTopLevelNavigation)
        #expect(try !read(navigation: .frame).isTopLevelNavigation)
        #expect(
            try read(.get, "https://shop.test/x", fields(navigate, ("Sec-Fetch-Dest", "document"))).isTopLevelNavigation
        )
        #expect(
            try !read(.get, "https://shop.test/x", fields(navigate, ("Sec-Fetch-Dest", "iframe"))).isTopLevelNavigation)
        let sameURL = try read(.get, "https://shop.test/", fields(navigate))
        #expect(sameURL.isTopLevelNavigation)
        // An image with the main document's URL must not let a frame navigate the main frame.
        #expect(try !read(.get, "https://shop.test/", fields(("Accept", "text/html"))).isTopLevelNavigation)
        #expect(try !read(.get, "https://shop.test/", fields(navigate), navigation: .some(.none)).isTopLevelNavigation)
    }

    @Test("Referer is no proof that the web view holds a response opaque")
    func surelyCrossOrigin() throws {
        #expect(
            try !read(.get, "https://shop.test/x", fields(("Referer", "https://cdn.test/s.css"))).isSurelyCrossOrigin)
        #expect(try read(.get, "https://shop.test/x", fields(("Sec-Fetch-Site", "same-site"))).isSurelyCrossOrigin)
        #expect(try read(.get, "https://shop.test/x", fields(("Origin", "https://a.test"))).isSurelyCrossOrigin)
        #expect(try !read(.get, "https://shop.test/x", fields(("Sec-Fetch-Site", "none"))).isSurelyCrossOrigin)
        let beacon = fields(("Origin", "null"), ("Sec-Fetch-Mode", "no-cors"))
        #expect(try !read(.post, "https://shop.test/x", beacon).isSurelyCrossOrigin)
    }

    @Test("credentials, redirects and synchronous requests are guessed narrowly")
    func guesses() throws {
        let cors = try read(.get, "https://shop.test/x", fields(("Origin", "https://a.test")))
        #expect(cors.credentials == .sameOrigin)
        #expect(cors.isSynchronous)
        #expect(cors.redirect == .follow)
        #expect(try read().credentials == .include)
        #expect(try read(navigation: .frame).redirect == .manual)
        let font = fields(("Origin", "https://a.test"), ("Sec-Fetch-Dest", "font"))
        #expect(try !read(.get, "https://shop.test/x", font).isSynchronous)
    }

    @Test("app-cache requests become https requests, with the page's fields")
    func appCache() throws {
        let request = try read(
            .get, "app-cache-https://shop.test/x#f",
            fields(("Origin", "app-cache-https://a.test"), ("Referer", "app-cache-https://a.test/p")))
        #expect(request.url == "https://shop.test/x")
        #expect(request.fragment == "f")
        #expect(request.head.headerFields[.origin] == "https://a.test")
        // Referrer Policy §8.3: another origin learns no path.
        #expect(request.head.headerFields[.referer] == "https://a.test/")
        let own = try read(
            .get, "app-cache-https://shop.test/x", fields(("Referer", "app-cache-https://shop.test/p")))
        #expect(own.head.headerFields[.referer] == "https://shop.test/p")
        #expect(request.shownOrigin?.description == "app-cache-https://a.test")
        for url in ["app-cache-https://evil.test\\@shop.test/", "file:///x", "data:,x", "x", "https://b%6b.test/"] {
            #expect(FetchRequest(RequestEvidence(method: .get, url: url, fields: HTTPFields())) == nil)
        }
    }

    @Test("what a media player says about its connection stays here, RFC 9110 §7.6.1")
    func connection() throws {
        let request = try read(
            .get, "https://shop.test/film.mov", fields(("Connection", "close, X-Hop"), ("X-Hop", "1"), ("X-End", "1")))
        #expect(request.head.headerFields == fields(("X-End", "1")))
    }

    @Test(
        "Fetch §2.2.2: forbidden request-headers",
        arguments: [
            FetchRow(("Sec-Fetch-Site", "same-origin"), true, "Sec-"), FetchRow(("sec-anything", "x"), true, "Sec-"),
            FetchRow(("Proxy-Authorization", "x"), true, "Proxy-"), FetchRow(("COOKIE", "a=b"), true, "Cookie"),
            FetchRow(("Origin", "https://a.test"), true, "Origin"),
            FetchRow(("Referer", "https://a.test"), true, "Referer"),
            FetchRow(("X-HTTP-Method-Override", "GET , trace"), true, "a forbidden method"),
            FetchRow(("X-HTTP-Method-Override", "PUT"), false, "an allowed method"),
            FetchRow(("X-Sec-Fetch", "x"), false, "another name"), FetchRow(("Authorization", "x"), false, "allowed"),
        ])
    func forbidden(_ row: FetchRow<(String, String), Bool>) {
        #expect(fields(row.given).allSatisfy { ForbiddenRequestFields.contains($0) } == row.expected)
    }
}
