import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("RFC 6265bis §5.7 Storage Model")
struct CookieStoringTests {
    /// The host is `www.site.example`, the connection https. `true` stands for a stored cookie.
    static let refusals: [CookieRow<Bool>] = [
        CookieRow("a=b\r\nSet-Cookie: c=d", false, "§5.6 step 1"),
        CookieRow("a=b\0", false, "§5.6 step 1"), CookieRow("a=b\u{7F}", false, "§5.6 step 1"),
        CookieRow("a\u{1}=b", false, "§5.6 step 1"),
        CookieRow("a=b; X=\n", false, "§5.6 step 1: anywhere in the field"),
        CookieRow("", false, "step 2"), CookieRow("=", false, "step 2"), CookieRow(" ; Secure", false, "step 2"),
        CookieRow("a=" + String(repeating: "b", count: 4_095), true, "§5.6 step 5: 4096 octets"),
        CookieRow("a=" + String(repeating: "b", count: 4_096), false, "§5.6 step 5"),
        CookieRow(String(repeating: "b", count: 4_097), false, "§5.6 step 5: without a name"),
        CookieRow("a=" + String(repeating: "ü", count: 2_048), false, "§5.6 step 5: octets, not characters"),
        CookieRow("a=b; Domain=www.site.example", true, "step 10"),
        CookieRow("a=b; Domain=.site.example", true, "§5.6.3 step 2"),
        CookieRow("a=b; Domain=SITE.Example", true, "§5.6.3 step 3"),
        CookieRow("a=b; Domain=other.example", false, "step 10"),
        CookieRow("a=b; Domain=sub.www.site.example", false, "step 10: below the host"),
        CookieRow("a=b; Domain=ite.example", false, "§5.1.3: a suffix, but of a label"),
        CookieRow("a=b; Domain=..site.example", false, "§5.6.3 step 2: one leading dot"),
        CookieRow("a=b; Domain=site.example.", false, "§5.1.3: a final dot is another name"),
        CookieRow("a=b; Domain=site.example:443", false, "§5.1.3: a port is no part of it"),
        CookieRow("a=b; Domain=\"site.example\"", false, "§5.1.3"),
        CookieRow("a=b; Domain=*.site.example", false, "§5.1.3"),
        CookieRow("a=b; Domain=*", false, "step 9"),
        CookieRow("a=b; Domain=example", false, "step 9"),
        CookieRow("a=b; Domain=com", false, "step 9"),
        CookieRow("a=b; Domain=unlisted", false, "step 9: a single label"),
        CookieRow("a=b; Domain=example.", false, "step 9: a final dot hides no public suffix"),
        CookieRow("a=b; Domain=s\u{131}te.example", false, "step 8"),
        CookieRow("a=b; Domain=site.example; Domain=other.example", false, "step 7: the last"),
        CookieRow("a=b; Domain=other.example; Domain=site.example", true, "step 7: the last"),
        CookieRow("a=b; Domain=other.example; Domain=", true, "step 10: an empty one is none"),
        CookieRow("a=b; Domain=" + String(repeating: "x", count: 1_025), true, "§5.6 step 6: ignored"),
        CookieRow("a=b; SameSite=None", false, "step 19"),
        CookieRow("a=b; SameSite=None; Secure", true, "step 19"),
        CookieRow("__Secure-a=b", false, "step 20"), CookieRow("__SECURE-a=b", false, "§5.4"),
        CookieRow("__Secure-SID=1; Domain=site.example", false, "§5.4"),
        CookieRow("__secure-SID=1; Domain=site.example; Secure", true, "§5.4"),
        CookieRow("__Secure=b", true, "step 20: not the prefix"),
        CookieRow("__Host-SID=1", false, "§5.4"),
        CookieRow("__host-SID=1; Secure", false, "§5.4: without Path"),
        CookieRow("__Host-SID=1; Path=/", false, "step 21.1"),
        CookieRow("__HOST-SID=1; Secure; Domain=site.example; Path=/", false, "step 21.2"),
        CookieRow("__Host-SID=1; Secure; Domain=www.site.example; Path=/", false, "step 21.2"),
        CookieRow("__Host-SID=1; Secure; Path=/dir", false, "step 21.3"),
        CookieRow("__Host-SID=1; Secure; Path=/", true, "§5.4"),
        CookieRow("__hOST-SID=1; Secure; Path=/", true, "§5.4"),
        CookieRow("=__Host-a=b; Secure; Path=/", false, "step 22"),
        CookieRow("= __secure-a=b; Secure", false, "step 22"),
        CookieRow("__Secure-; Secure", false, "step 22: no = at all"),
        CookieRow("a=b; Partitioned", false, "CHIPS"),
        CookieRow("a=b; Partitioned; Secure", true, "CHIPS"),
    ]

    @Test("a cookie is stored, or ignored", arguments: refusals)
    func refuses(_ row: CookieRow<Bool>) {
        #expect((decided(row.given) != nil) == row.expected)
    }

    struct Scope: Sendable, CustomTestStringConvertible {
        var url: String, attributes: String, domain: String, isHostOnly: Bool, section: String
        var testDescription: String { "\(section): \(attributes) from \(url)" }
    }

    @Test(
        "which hosts a cookie is for",
        arguments: [
            Scope(
                url: "https://Site.Example", attributes: "", domain: "site.example", isHostOnly: true,
                section: "step 10"),
            Scope(
                url: "https://u:p@www.site.example:8443/", attributes: "Domain=site.example", domain: "site.example",
                isHostOnly: false, section: "step 10"),
            Scope(
                url: "https://site.example", attributes: "Domain=site.example", domain: "site.example",
                isHostOnly: false,
                section: "step 10"),
            Scope(
                url: "https://github.io", attributes: "Domain=github.io", domain: "github.io", isHostOnly: true,
                section: "step 9.3: a public suffix for itself"),
            Scope(
                url: "http://localhost:80/", attributes: "Domain=localhost", domain: "localhost", isHostOnly: true,
                section: "step 9.3"),
            Scope(
                url: "https://192.0.2.1/", attributes: "Domain=192.0.2.1", domain: "192.0.2.1", isHostOnly: true,
                section: "§5.1.3: an IP address"),
            Scope(
                url: "https://[2001:db8::1]:8443/", attributes: "Domain=[2001:DB8::1]", domain: "2001:db8::1",
                isHostOnly: true, section: "§5.1.3: an IP address"),
            Scope(url: "https://[::1]/", attributes: "", domain: "::1", isHostOnly: true, section: "step 10"),
        ])
    func scope(_ scope: Scope) throws {
        let cookie = try #require(decided("a=b;" + scope.attributes, from: scope.url))
        #expect(cookie.domain == scope.domain && cookie.isHostOnly == scope.isHostOnly)
    }

    @Test(
        "a part of an IP address is no domain (§5.1.3)",
        arguments: [
            CookieRow("https://192.0.2.1/", "0.2.1", ""), CookieRow("https://192.0.2.1/", "2.1", ""),
            CookieRow("https://1.2.0x10/", "2.0x10", ""), CookieRow("https://[::1:2]/", ":2", ""),
        ] as [CookieRow<String>])
    func address(_ row: CookieRow<String>) {
        #expect(decided("a=b; Domain=\(row.expected)", from: row.given) == nil)
    }

    @Test("Secure from an insecure origin is ignored (step 13), also from http://localhost")
    func secureFromInsecureOrigin() {
        #expect(decided("a=b; Secure", from: "http://site.example/") == nil)
        #expect(decided("a=b; Secure", from: "http://localhost/") == nil)
    }

    @Test("__Host- with a Domain is ignored also where that makes a host-only cookie (§4.1.3.2)")
    func hostPrefixWithDomain() {
        let with = decided("__Host-a=b; Secure; Path=/; Domain=localhost", from: "https://localhost/")
        let without = decided("__Host-a=b; Secure; Path=/", from: "https://localhost/")
        #expect(with == nil && without != nil)
        #expect(decided("__Host-a=b; Secure; Path=/", from: "http://site.example/") == nil)
        #expect(decided("__Host-a=b; Path=/", from: "http://site.example/") == nil)
    }

    @Test(
        "an insecure origin can't stand in for a cookie with Secure (step 16)",
        arguments: [
            CookieRow("a=x", false, "the default-path /login is the existing one's"),
            CookieRow("a=x; Path=/login/en", false, "below it"),
            CookieRow("a=x; Path=/login; Domain=site.example", false, "domain-matches, or vice-versa"),
            CookieRow("a=x; Path=/", true, "above it"), CookieRow("a=x; Path=/loginx", true, "no path-match"),
            CookieRow("b=x; Path=/login", true, "another name"), CookieRow("A=x; Path=/login", true, "another name"),
        ] as [CookieRow<Bool>])
    func overlay(_ row: CookieRow<Bool>) {
        func isStored(_ existing: Cookie, _ scheme: String = "http") -> Bool {
            Cookie.accepted(
                row.given, for: .sameSite("\(scheme)://www.site.example/login/page"), among: [existing]) != nil
        }
        var existing = Cookie(name: "a", value: "", domain: "www.site.example", path: "/login", isSecure: true)
        #expect(isStored(existing) == row.expected)
        #expect(isStored(existing, "https"))
        existing = Cookie(name: "a", value: "", domain: ".site.example", path: "/login", isSecure: true)
        #expect(isStored(existing) == row.expected)
        existing.isSecure = false
        #expect(isStored(existing))
        #expect(
            isStored(Cookie(name: "a", value: "", domain: "b.site.example", path: "/", isSecure: true))
                != row.given.contains("Domain"))
    }

    @Test("__Host- needs a Path attribute even where the default-path is / (step 21.3)")
    func hostPrefixPath() {
        #expect(decided("__Host-a=b; Secure", from: "https://site.example/") == nil)
        #expect(decided("__Host-a=b; Secure; Path", from: "https://site.example/") != nil)
    }

    struct Context: Sendable, CustomTestStringConvertible {
        var field: String, hop: CookieHop, thirdParty: CookiePolicy.ThirdParty, isStored: Bool
        var testDescription: String { "\(field), third parties \(thirdParty), same-site: \(hop.isSameSite)" }
    }

    @Test(
        "SameSite and third parties (step 18, §7.1)",
        arguments: [
            Context(field: "a=b", hop: .sameSite(), thirdParty: .blocked, isStored: true),
            Context(field: "a=b; SameSite=Strict", hop: .sameSite(), thirdParty: .blocked, isStored: true),
            Context(field: "a=b", hop: .crossSite(), thirdParty: .allowed, isStored: false),
            Context(field: "a=b; SameSite=Lax", hop: .crossSite(), thirdParty: .allowed, isStored: false),
            Context(field: "a=b; SameSite=Strict", hop: .crossSite(), thirdParty: .blocked, isStored: false),
            Context(field: "a=b; SameSite=None; Secure", hop: .crossSite(), thirdParty: .allowed, isStored: true),
            Context(field: "a=b; SameSite=None; Secure", hop: .crossSite(), thirdParty: .blocked, isStored: false),
            Context(
                field: "a=b; SameSite=None; Secure; Partitioned", hop: .crossSite(), thirdParty: .blocked,
                isStored: true),
            // "Top-level navigations can create a cookie with any SameSite value"
            Context(
                field: "a=b; SameSite=Strict", hop: .crossSite(navigates: true), thirdParty: .blocked, isStored: true),
            Context(field: "a=b", hop: .crossSite(navigates: true, .post), thirdParty: .blocked, isStored: true),
        ])
    func context(_ context: Context) {
        let policy = cookiePolicy(thirdParty: context.thirdParty)
        #expect((Cookie.accepted(context.field, for: context.hop, policy: policy) != nil) == context.isStored)
    }

    @Test("a partitioned cookie belongs to the top-level site of its request, and needs to know it")
    func partition() {
        var hop = CookieHop.crossSite()
        let field = "a=b; SameSite=None; Secure; Partitioned"
        #expect(Cookie.accepted(field, for: hop)?.partition == "https://other.example")
        hop.topLevelSite = nil
        #expect(Cookie.accepted(field, for: hop) == nil)
    }

    @Test("a partitioned cookie of the page's own site is one of the web view's store, which has no partitions")
    func ownPartition() {
        let navigation = CookieHop(
            url: "https://site.example/", method: .get, isSameSite: false, isTopLevelNavigation: true,
            topLevelSite: nil)
        for hop in [CookieHop.sameSite(), navigation] {
            for field in ["a=b; SameSite=None; Secure; Partitioned", "__Host-a=b; Path=/; Secure; Partitioned"] {
                let cookie = Cookie.accepted(field, for: hop)
                #expect(cookie != nil && cookie?.isPartitioned == false)
            }
            #expect(Cookie.accepted("a=b; Partitioned", for: hop) == nil)
        }
    }

    @Test(
        "a request without a usable host sets nothing (§5.1.2)",
        arguments: [
            "", "site.example", "file:///a", "app-cache-https://site.example/", "https://", "https:///a",
            "https://a b/",
            "https://.site.example/", "https://[::1/", "https://s\u{131}te.example/",
            "https://\(String(repeating: "a.", count: 128))example/",
        ])
    func unusableURL(_ url: String) {
        #expect(decided("a=b", from: url) == nil)
    }
}
