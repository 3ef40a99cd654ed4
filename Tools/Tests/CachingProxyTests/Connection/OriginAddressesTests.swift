import HTTPTypes
import Testing

@testable import CachingProxy

@Suite("Cookies of an https origin behind a reverse proxy, which is asked over plain http")
struct OriginAddressesTests {
    @Test(
        "are for plain http: WebKit keeps no Secure one there; Chromium no SameSite=None without it (RFC 6265bis §5.7)",
        arguments: [
            ("https", "a=1; Secure; HttpOnly", "a=1; HttpOnly"), ("https", "a=1;secure ;SameSite=none", "a=1"),
            ("https", "a=1; Domain=shop.test; SameSite=Lax; Secure", "a=1; SameSite=Lax"),
            // A name that wants Secure is refused without it (§4.1.3), and Chromium takes it with it from loopback.
            ("https", "__Host-a=1; Path=/; Secure", "__Host-a=1; Path=/; Secure"),
            ("https", "__secure-a=1; Secure", "__secure-a=1; Secure"),
            // Other names may begin so (Cloudflare's, Firebase's).
            ("https", "__cf_bm=1; Secure", "__cf_bm=1"), ("https", "__session=1; Secure", "__session=1"),
            ("http", "a=1; Secure; SameSite=None", "a=1; Secure; SameSite=None"),
        ])
    func cookies(scheme: String, origin: String, client: String) {
        let addresses = OriginAddresses((scheme, "shop.test"))
        #expect(addresses.translated(HTTPField(name: .setCookie, value: origin)).value == client)
    }
}
