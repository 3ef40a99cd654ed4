import Testing

@testable import Fetching
@testable import WebTesting

@Suite("RFC 6265bis §7.2: the user agent's choices")
struct CookiePolicyTests {
    @Test(
        "registrable domains",
        arguments: [
            CookieRow("www.site.co.uk", "site.co.uk", ""), CookieRow("co.uk", "co.uk", ""), CookieRow("uk", "uk", ""),
            CookieRow("a.uk", "a.uk", ""), CookieRow("localhost", "localhost", ""),
            CookieRow("a.b.c.com.", "c.com.", ""),
            CookieRow("x.y.github.io", "y.github.io", ""), CookieRow("192.0.2.1", "192.0.2.1", ""),
            CookieRow("::1", "::1", ""), CookieRow("", "", ""),
        ] as [CookieRow<String>])
    func registrableDomain(_ row: CookieRow<String>) {
        #expect(cookiePolicy().registrableDomain(of: row.given) == row.expected)
    }
}
