import CacheRules
import HTTPTypes
import Testing

@Suite("Conditions on the request")
struct ConditionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var condition: When
        var url: String
        var holds: Bool
        var why: String

        init(_ condition: When, _ url: String, _ holds: Bool, _ why: String) {
            (self.condition, self.url, self.holds, self.why) = (condition, url, holds, why)
        }

        var testDescription: String { "\(url): \(why)" }
    }

    static let hosts = [
        Row(.host("example.com"), "https://example.com/", true, "the same host"),
        Row(.host("example.com"), "https://EXAMPLE.com/", true, "hosts do not tell A from a (RFC 9110 §4.2.3)"),
        Row(.host("Example.COM"), "https://example.com/", true, "neither in the pattern"),
        Row(.host("example.com"), "https://www.example.com/", false, "a host below is another"),
        Row(.host("example.com"), "https://notexample.com/", false, "a longer name"),
        Row(.host("example.com"), "https://example.com:8443/", true, "any port"),
        Row(.host("example.com"), "https://example.com./", true, "the root's dot (RFC 1034 §3.1) names the same host"),
        Row(.host("example.com:8443"), "https://example.com:8443/", true, "that port"),
        Row(.host("example.com:8443"), "https://example.com/", false, "another port"),
        Row(.host("example.com:443"), "https://example.com/", true, "RFC 9110 §4.2.2: 443 unless given"),
        Row(.host("example.com:443"), "http://example.com/", false, "RFC 9110 §4.2.1: 80 unless given"),
        Row(.host("*.example.com"), "https://a.example.com/", true, "one label more"),
        Row(.host("*.example.com"), "https://a.b.example.com/", true, "two labels more"),
        Row(.host("*.example.com"), "https://example.com/", false, "not the domain itself"),
        Row(.host("*.example.com"), "https://.example.com/", false, "an empty label is none"),
        Row(.host("*.example.com"), "https://badexample.com/", false, "no dot between"),
        Row(.host("*.example.com"), "https://example.com.evil.test/", false, "the domain stands at the end"),
        Row(.host("*"), "https://anything.test/", true, "any"),
        Row(.host("*:3000"), "http://localhost:3000/", true, "any with that port"),
        Row(.host("*:3000"), "http://localhost/", false, "any with that port"),
        Row(
            .host("a.test:0443"), "https://a.test/", true, "RFC 3986 §3.2.3: a number in decimal, with zeros or without"
        ),
        Row(.host("a.test:443"), "https://a.test:0443/", true, "and so in the request"),
        Row(.host("a.test", "b.test"), "https://b.test/", true, "alternatives"),
        Row(.host([]), "https://b.test/", false, "none of nothing"),
        Row(.host("[::1]"), "http://[::1]:8080/", true, "RFC 3986 §3.2.2: an address in brackets"),
        Row(.host("[::1]:8080"), "http://[::1]:8080/", true, "with its port"),
        Row(.host("[::1]"), "http://[::1]/", true, "without"),
        Row(.host("127.0.0.1"), "http://127.0.0.1/", true, "digits at the end are no port"),
        Row(.host("ban\u{212A}.test"), "https://bank.test/", false, "the Kelvin sign is no k"),
    ]

    static let paths = [
        Row(.pathPrefix("/api/"), "https://a.test/api/x", true, "begins so"),
        Row(.pathPrefix("/api/"), "https://a.test/api/", true, "all of it"),
        Row(.pathPrefix("/api/"), "https://a.test/apiary", false, "another segment"),
        Row(.pathPrefix("/api"), "https://a.test/apiary", true, "a prefix may end inside a segment"),
        Row(.pathPrefix("/api/"), "https://a.test/API/x", false, "paths tell A from a (RFC 9110 §4.2.3)"),
        Row(.pathPrefix("/api/"), "https://a.test/?/api/", false, "a query is no path"),
        Row(.pathPrefix("/~a/"), "https://a.test/%7Ea/", false, "octet by octet: no decoding"),
        Row(.pathPrefix("/v1/", "/v2/"), "https://a.test/v2/x", true, "alternatives"),
        Row(.pathPrefix("/v1/x/"), "https://a.test/v1/x", false, "longer than the path"),
        Row(.path("/news/*"), "https://a.test/news/today", true, "one segment"),
        Row(.path("/news/*"), "https://a.test/news/", true, "an empty segment"),
        Row(.path("/news/*"), "https://a.test/news/a/b", false, "* crosses no slash"),
        Row(.path("/news/**"), "https://a.test/news/a/b", true, "** does"),
        Row(.path("/news/**"), "https://a.test/news", true, "the folder itself, too"),
        Row(.path("/news/*"), "https://a.test/news", false, "the slash is literal"),
        Row(.path("/news"), "https://a.test/news?x=1", true, "the query does not count"),
        Row(.path("/news"), "https://a.test/news#x", true, "nor does a fragment"),
        Row(.path("/news"), "https://a.test/news/", false, "no wildcard: the whole path"),
        Row(.path("/a/*/c.js"), "https://a.test/a/b/c.js", true, "* between"),
        Row(.path("/a/*/c.js"), "https://a.test/a/b/x/c.js", false, "* between crosses no slash"),
        Row(.path("/a/*.js"), "https://a.test/a/.js", true, "* may be nothing"),
        Row(.path("/a*a"), "https://a.test/a", false, "prefix and suffix do not share octets"),
        Row(.path("/**/c.js"), "https://a.test/a/b/c.js", true, "** between"),
        Row(.path("/**/c.js"), "https://a.test/c.js", false, "both slashes are literal"),
        Row(.path("**/c.js"), "https://a.test/c.js", true, "one slash"),
        Row(.path("**/acs/**"), "https://a.test/x/acs/y", true, "a text between two"),
        Row(.path("**/acs/**"), "https://a.test/x/acsx/y", false, "not that text"),
        Row(.path("/v?/x"), "https://a.test/v2/x", true, "? is one octet"),
        Row(.path("/v?/x"), "https://a.test/v/x", false, "not none"),
        Row(.path("/v?x"), "https://a.test/v/x", false, "and no slash"),
        Row(.path("/a/**/b/*/c"), "https://a.test/a/1/2/b/3/c", true, "several wildcards"),
        Row(.path("/a/**/b/*/c"), "https://a.test/a/1/b/2/b/3/c", true, "the second b"),
        Row(.path("/a/**/b/*/c"), "https://a.test/a/1/b/2/3/c", false, "two segments for one star"),
        Row(.path(#"/a\*b"#), "https://a.test/a*b", true, "an escaped star is a star"),
        Row(.path(#"/a\*b"#), "https://a.test/axb", false, "and nothing else"),
        Row(.path("/b/*", "/c/*"), "https://a.test/c/d", true, "alternatives"),
        Row(.fileExtension("js", "css"), "https://a.test/x/app.min.CSS?v=1", true, "in either case"),
        Row(.fileExtension("JS"), "https://a.test/app.js", true, "also in the pattern"),
        Row(.fileExtension("js"), "https://a.test/app.js/x", false, "of the last segment"),
        Row(.fileExtension("js"), "https://a.test/x?y=app.js", false, "not of the query"),
        Row(.fileExtension("htaccess"), "https://a.test/.htaccess", false, "a hidden file has none"),
        Row(.fileExtension("js"), "https://a.test/appjs", false, "no dot"),
    ]

    static let queries = [
        Row(.query("v"), "https://a.test/?v=1", true, "is there"),
        Row(.query("v"), "https://a.test/?v", true, "without a value"),
        Row(.query("v"), "https://a.test/?a=1&v=", true, "the last one"),
        Row(.query("v"), "https://a.test/?vv=1&av=2", false, "other names"),
        Row(.query("v"), "https://a.test/?a=v", false, "a value is no name"),
        Row(.query("v"), "https://a.test/v=1", false, "a path is no query"),
        Row(.query("v"), "https://a.test/?V=1", false, "octet by octet"),
        Row(.query("v", "1"), "https://a.test/?v=1", true, "equal"),
        Row(.query("v", "1"), "https://a.test/?v=12", false, "not equal"),
        Row(.query("v", "1"), "https://a.test/?v=2&v=1", true, "the second item of the name"),
        Row(.query("v", "1.*"), "https://a.test/?v=1.2/3", true, "a glob, and a slash is nothing special"),
        Row(.query("v", "?"), "https://a.test/?v=/", true, "one octet, also a slash"),
        Row(.query("v", "?"), "https://a.test/?v=", false, "not none"),
        Row(.query("v", "*"), "https://a.test/?v", true, "any value, also none"),
        Row(.query("v", "a", "b"), "https://a.test/?v=b", true, "alternatives"),
        Row(.query("v", "a=b"), "https://a.test/?v=a=b", true, "only the first = ends a name"),
        Row(.query("v"), "https://a.test/??v=1", false, "the name is ?v"),
        Row(.query("v"), "https://a.test/#?v=1", false, "a fragment is not sent"),
    ]

    static let joined = [
        Row(.all(.host("a.test"), .path("/x")), "https://a.test/x", true, "both"),
        Row(.all(.host("a.test"), .path("/y")), "https://a.test/x", false, "one"),
        Row(.any(.host("b.test"), .path("/x")), "https://a.test/x", true, "one"),
        Row(.any(.host("b.test"), .path("/y")), "https://a.test/x", false, "none"),
        Row(.any([]), "https://a.test/x", false, "none of nothing"),
        Row(.all([]), "https://a.test/x", true, "all of nothing"),
        Row(.not(.host("b.test")), "https://a.test/x", true, "not that"),
        Row(.not(.host("a.test"), .path("/x")), "https://a.test/x", false, "not both"),
        Row(.not(.host("a.test"), .path("/y")), "https://a.test/x", true, "only one of both"),
        Row(.all(.host("*.a.test"), .host("b.a.test")), "https://b.a.test/x", true, "two of a kind"),
        Row(.all(.query("a"), .query("b")), "https://a.test/?b&a", true, "two items"),
        Row(.any(.all(.query("a"), .query("b")), .query("c")), "https://a.test/?b", false, "half of one"),
    ]

    @Test("hosts, paths, queries and what joins them", arguments: hosts + paths + queries + joined)
    func row(_ row: Row) {
        #expect(holds(row.condition, for: exchange(row.url)) == row.holds)
        #expect(holds(.not(row.condition), for: exchange(row.url)) != row.holds)
    }

    @Test("an exchange without path or host fits no pattern of one, and harms nothing")
    func bare() {
        let bare = Exchange(
            request: HTTPRequest(method: .options, scheme: nil, authority: nil, path: nil), destination: .unknown,
            connectivity: .connected)
        #expect(!holds(.host("a.test"), for: bare))
        #expect(!holds(.pathPrefix("/"), for: bare))
        #expect(!holds(.query("a"), for: bare))
        #expect(holds(.not(.fileExtension("js")), for: bare))
    }

    @Test("methods tell A from a (RFC 9110 §9.1)")
    func methods() throws {
        let lowercase = try #require(HTTPRequest.Method("post"))
        #expect(holds(.method(.post, .put), for: exchange("https://a.test/", method: .post)))
        #expect(!holds(.method(.post, .put), for: exchange("https://a.test/", method: .get)))
        #expect(!holds(.method(.post), for: exchange("https://a.test/", method: lowercase)))
    }

    @Test("destination and connectivity")
    func context() {
        #expect(holds(.destination(.image, .font), for: exchange("https://a.test/", destination: .font)))
        #expect(!holds(.destination(.image), for: exchange("https://a.test/", destination: .unknown)))
        #expect(holds(.connectivity(.disconnected), for: exchange("https://a.test/", connectivity: .disconnected)))
        #expect(!holds(.connectivity(.disconnected), for: exchange("https://a.test/")))
    }

    @Test("the traits of a network need one, that of the device does not; several are alternatives")
    func traits() {
        let all = Connectivity(isExpensive: true, isConstrained: true, isLowPower: true)
        let rows: [(Connectivity, holding: Set<Connectivity.Trait>)] = [
            (.connected, [.connected]), (.disconnected, [.disconnected]),
            (Connectivity(isExpensive: true), [.connected, .expensive]),
            (Connectivity(isConstrained: true), [.connected, .constrained]),
            (Connectivity(isLowPower: true), [.connected, .lowPower]),
            (all, [.connected, .expensive, .constrained, .lowPower]),
            (all.withoutNetwork, [.disconnected, .lowPower]),
        ]
        for (connectivity, holding) in rows {
            let exchange = exchange("https://a.test/", connectivity: connectivity)
            for trait in Connectivity.Trait.allCases {
                #expect(
                    holds(.connectivity(trait), for: exchange) == holding.contains(trait), "\(connectivity): \(trait)")
            }
            #expect(
                holds(.connectivity(.expensive, .lowPower), for: exchange)
                    != holding.isDisjoint(with: [.expensive, .lowPower]))
            #expect(!holds(.connectivity([]), for: exchange))
        }
    }

    @Test("request fields: there, equal, glob; each line by itself")
    func requestFields() throws {
        var fields: HTTPFields = [.accept: "text/html", .userAgent: "Tool/1.0 (test)"]
        fields.append(HTTPField(name: .accept, value: "*/*"))
        let exchange = exchange("https://a.test/", fields: fields)
        #expect(holds(.requestHeader(.accept), for: exchange))
        #expect(!holds(.requestHeader(.authorization), for: exchange))
        #expect(holds(.requestHeader(.accept, "text/html"), for: exchange))
        #expect(holds(.requestHeader(.accept, #"\*/\*"#), for: exchange))
        #expect(!holds(.requestHeader(.accept, "text"), for: exchange))
        #expect(holds(.requestHeader(.userAgent, "Tool/*"), for: exchange))
        #expect(holds(.requestHeader(try #require(HTTPField.Name("ACCEPT")), "x", "text/*"), for: exchange))
    }
}
