import DemoLogic
import Foundation
import Testing

@Suite("What people type where a URL is wanted")
struct PageAddressTests {
    @Test(
        "https where no scheme was typed, and no other schemes than http and https",
        arguments: [
            ("shop.example", "https://shop.example"), ("  shop.example/a?b#c ", "https://shop.example/a?b#c"),
            ("http://shop.example", "http://shop.example"), ("HTTPS://shop.example/", "https://shop.example/"),
            ("shop.example:8443/x", "https://shop.example:8443/x"), ("ftp://shop.example", nil), ("", nil),
            ("https://", nil), ("mailto:a@shop.example", nil), ("file:///etc/passwd", nil),
        ] as [(String, String?)])
    func typed(_ text: String, _ url: String?) {
        #expect(PageAddress.url(typed: text)?.absoluteString == url)
    }

    @Test(
        "a port stands beside the host unless it is 443",
        arguments: [
            ("https://shop.example/x", "shop.example"), ("https://shop.example:443/", "shop.example"),
            ("https://shop.example:8443/", "shop.example:8443"), ("about:blank", nil),
        ] as [(String, String?)])
    func hosts(_ url: String, _ host: String?) throws {
        #expect(PageAddress.host(of: try #require(URL(string: url))) == host)
    }
}
