import HTTPCacheSemantics
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("HTML §7.1.1 Origins")
struct WebOriginTests {
    static let urls: [FetchRow<String, String>] = [
        .init("https://shop.test/a?b#c", "https://shop.test", "URL §4.7: a tuple origin"),
        .init("HTTPS://Shop.Test:443/", "https://shop.test", "URL §4.4: the default port is null"),
        .init("http://shop.test:8080/", "http://shop.test:8080", "URL §4.7"),
        .init("http://shop.test:443/", "http://shop.test:443", "another scheme's default"),
        .init("https://[::1]:8443/", "https://[::1]:8443", "URL §3.5"),
        .init("https://user:secret@shop.test/", "https://shop.test", "userinfo is no part of an origin"),
        .init("https://evil.test\\@shop.test/", "https://evil.test", "URL §4.4: a backslash ends the host"),
        .init("https:\\\\shop.test\\a", "https://shop.test", "URL §4.4: special authority slashes"),
        .init("https://shop.test@evil.test/", "https://evil.test", "the host stands after the last @"),
        .init("https:///shop.test/", "https://shop.test", "URL §4.4: ignore slashes"),
        .init("ht\ttps://sh\nop.test/", "https://shop.test", "URL §4.4: tabs and line ends are removed"),
        .init("blob:https://shop.test/1-2-3", "https://shop.test", "URL §4.7: blob"),
        .init("blob:blob:https://shop.test/1", "null", "URL §4.7: pathURL's scheme is not http(s) or file"),
        .init("blob:null/1", "null", "URL §4.7"),
        .init("data:text/html,x", "null", "URL §4.7"),
        .init("file://shop.test/etc/passwd", "null", "URL §4.7: \"when in doubt, return a new opaque origin\""),
        .init("javascript:1", "null", "URL §4.7"), .init("about:blank", "null", "URL §4.7"),
        .init("/relative", "null", "no absolute URL"), .init("https://", "null", "no host"),
        .init("https://shop.test:99999/", "null", "no port"),
        .init("https://sh%6fp.test/", "null", "a host that the web view would rewrite"),
        .init("https://127.1/", "null", "URL §3.5: an IPv4 address in another spelling"),
        .init("https://0x7f000001/", "null", "URL §3.5"), .init("https://127.0.0.1/", "https://127.0.0.1", "URL §3.5"),
        .init("my-app://local/x", "my-app://local", "a scheme of an app's own"),
        .init("app-cache-https://shop.test/x", "app-cache-https://shop.test", "the page's own origin there"),
    ]

    @Test("the origin of a URL", arguments: urls)
    func origin(_ row: FetchRow<String, String>) {
        #expect(WebOrigin(url: row.given).description == row.expected)
    }

    static let values: [FetchRow<String, String?>] = [
        .init("https://shop.test", "https://shop.test", "RFC 6454 §7.1"), .init("null", "null", "RFC 6454 §7.1"),
        .init("https://shop.test:443", "https://shop.test", "the same origin"),
        .init("https://shop.test/", nil, "a path"), .init("https://shop.test ", nil, "white space"),
        .init("https://a.test https://b.test", nil, "RFC 6454 allows a list; Fetch does not"),
        .init("https://a.test, https://b.test", nil, "two lines"), .init("https://u@a.test", nil, "userinfo"),
        .init("NULL", nil, "case-sensitive"), .init("", nil, "empty"), .init("https://a.test#x", nil, "a fragment"),
    ]

    @Test("the value of Origin", arguments: values)
    func serialized(_ row: FetchRow<String, String?>) {
        #expect(WebOrigin(serialized: row.given)?.description == row.expected)
    }

    @Test("an opaque origin is not the same origin as itself")
    func opaque() {
        #expect(!WebOrigin.opaque.isSameOrigin(as: .opaque))
        #expect(!WebOrigin(url: "data:,").isSameOrigin(as: WebOrigin(url: "data:,")))
        let shop = WebOrigin(url: "https://shop.test/")
        #expect(shop.isSameOrigin(as: WebOrigin(url: "https://SHOP.test:443/x")))
        #expect(!shop.isSameOrigin(as: WebOrigin(url: "http://shop.test/")))
        #expect(!shop.isSameOrigin(as: WebOrigin(url: "https://shop.test.:443/")))
        #expect(!WebOrigin(url: "https://\u{212A}.test/").isSameOrigin(as: WebOrigin(url: "https://k.test/")))
    }

    @Test("the app-cache scheme stands for https")
    func appCache() {
        let page = WebOrigin(url: "app-cache-https://shop.test/")
        let shop = WebOrigin(url: "https://shop.test/")
        #expect(page.onNetwork == shop)
        #expect(!page.isSameOrigin(as: shop))
        #expect(page.isPotentiallyTrustworthy)
    }

    static let cached: [FetchRow<String, String?>] = [
        .init("app-cache-https://shop.test/a/../b?c#d", "https://shop.test/b?c#d", "only the scheme differs"),
        .init("app-cache-https://shop.test", "https://shop.test/", "an empty path"),
        .init("app-cache-https://evil.test\\@shop.test/", nil, "\\ is a slash in https, and none here"),
        .init("app-cache-https://evil.test\\.shop.test/", nil, "the same"),
        .init("app-cache-https://user@shop.test/", nil, "userinfo"),
        .init("app-cache-https:///evil.test/", nil, "an empty host here, a host in https"),
        .init("app-cache-https:evil.test/", nil, "no host here, a host in https"),
        .init("app-cache-https://sh%6fp.test/", nil, "percent-encoded hosts are decoded in https only"),
        .init("app-cache-https://b\u{FC}cher.test/", nil, "IDNA holds in https only"),
        .init("app-cache-https://127.1/", nil, "IPv4 spellings hold in https only"),
        .init("https://shop.test/", nil, "another scheme"), .init("app-cache-http://shop.test/", nil, "another scheme"),
    ]

    @Test("no page at the app-cache scheme gets one host's origin and another host's bytes", arguments: cached)
    func networkURL(_ row: FetchRow<String, String?>) {
        #expect(AppCacheScheme.networkURL(of: row.given) == row.expected)
        if let url = row.expected {
            #expect(AppCacheScheme.pageURL(of: url)?.hasPrefix("app-cache-https://shop.test/") == true)
        }
    }

    @Test(
        "HTML §7.1.1.1: sites",
        arguments: [
            FetchRow(["https://a.shop.test/", "https://b.shop.test/"], [true, true], "one registrable domain"),
            FetchRow(["https://a.shop.test/", "http://b.shop.test/"], [true, false], "schemelessly only"),
            FetchRow(["https://shop.test/", "https://evilshop.test/"], [false, false], "no suffix at a dot"),
            FetchRow(["https://10.0.0.1/", "https://9.0.0.1/"], [false, false], "addresses have no domain"),
            FetchRow(["https://[::1]/", "https://[::1]:8443/"], [true, true], "ports do not count"),
            FetchRow(["data:,", "data:,"], [false, false], "opaque origins"),
            FetchRow(["app-cache-https://a.shop.test/", "https://b.shop.test/"], [true, true], "one server"),
        ])
    func sites(_ row: FetchRow<[String], [Bool]>) {
        // As a list that knows `test` would answer, and carelessly so for addresses.
        let domain: Site.RegistrableDomain = { host in
            host.split(separator: ".").suffix(2).joined(separator: ".")
        }
        let sites = row.given.map { Site(WebOrigin(url: $0), registrableDomain: domain) }
        #expect([sites[0].isSchemelesslySameSite(as: sites[1]), sites[0].isSameSite(as: sites[1])] == row.expected)
    }

    @Test("without a list the whole host is the site, and a wrong answer of a list is ignored")
    func strictSites() {
        let one = WebOrigin(url: "https://a.shop.test/")
        let other = WebOrigin(url: "https://b.shop.test/")
        #expect(!Site(one).isSameSite(as: Site(other)))
        #expect(Site(one).isSameSite(as: Site(one)))
        #expect(Site(one, registrableDomain: { _ in "evil.test" }).host == "a.shop.test")
        #expect(Site(one, registrableDomain: { _ in "op.test" }).host == "a.shop.test")
        #expect(Site(one, registrableDomain: { _ in "" }).host == "a.shop.test")
    }
}
