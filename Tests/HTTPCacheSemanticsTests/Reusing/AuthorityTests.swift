import HTTPCacheSemantics
import Testing

@Suite("RFC 9110 §4.2 and RFC 3986 §3.2 Authority")
struct AuthorityTests {
    @Test(
        "host and port are read",
        arguments: [
            Row("shop.test", Authority(host: "shop.test"), "RFC 9110 §4.2.1: the port may be left out"),
            Row("shop.test:8443", Authority(host: "shop.test", port: 8_443), "RFC 3986 §3.2.3"),
            Row("shop.test:", Authority(host: "shop.test"), "RFC 3986 §3.2.3: port = *DIGIT"),
            Row("shop.test:00080", Authority(host: "shop.test", port: 80), "RFC 3986 §3.2.3: port = *DIGIT"),
            Row("SHOP.Test", Authority(host: "shop.test"), "RFC 9110 §4.2.3: the host is case-insensitive"),
            Row("[::1]:80", Authority(host: "::1", port: 80), "RFC 3986 §3.2.2: IP-literal"),
            Row("[2001:DB8::1]", Authority(host: "2001:db8::1"), "RFC 3986 §3.2.2: IP-literal"),
            Row("192.0.2.7:1", Authority(host: "192.0.2.7", port: 1), "RFC 3986 §3.2.2: IPv4address"),
            Row("a_b.x-y~!$&'()*+,;=%41", Authority(host: "a_b.x-y~!$&'()*+,;=%41"), "RFC 3986 §3.2.2: reg-name"),
            Row("h:65535", Authority(host: "h", port: 65_535), "RFC 9293 §3.1: a port has 16 bits"),
        ])
    func read(_ row: Row<String, Authority>) throws {
        let authority = try #require(Authority(row.given))
        #expect(authority == row.expected)
        #expect(Authority(authority.description) == row.expected)
    }

    @Test(
        "what is no authority is refused",
        arguments: [
            Row("", nil, "RFC 9110 §4.2.1: an empty host"), Row(":80", nil, "RFC 9110 §4.2.1: an empty host"),
            Row("[]:80", nil, "RFC 9110 §4.2.1: an empty host"),
            Row("user@shop.test", nil, "RFC 9110 §4.2.4: userinfo"),
            Row("shop.test:+443", nil, "RFC 3986 §3.2.3: port = *DIGIT has no sign"),
            Row("shop.test:-1", nil, "RFC 3986 §3.2.3: port = *DIGIT has no sign"),
            Row("shop.test:٣", nil, "RFC 3986 §3.2.3: digits of ASCII"),
            Row("shop.test:0", nil, "RFC 9293 §3.1: a port that nobody has"),
            Row("shop.test:65536", nil, "RFC 9293 §3.1: a port has 16 bits"),
            Row("shop.test:18446744073709551697", nil, "RFC 9293 §3.1: a port has 16 bits"),
            Row("shop.test:80:80", nil, "RFC 3986 §3.2.2: a reg-name has no colon"),
            Row("::1", nil, "RFC 3986 §3.2.2: IPv6 addresses stand in brackets"),
            Row("[::1", nil, "RFC 3986 §3.2.2: IP-literal"), Row("[::1]80", nil, "RFC 3986 §3.2.2: IP-literal"),
            Row("[shop.test]", nil, "RFC 3986 §3.2.2: brackets are for IPv6 addresses"),
            Row("a]b", nil, "RFC 3986 §3.2.2: a reg-name has no bracket"),
            Row("shop test", nil, "RFC 3986 appendix A: no white space"),
            Row("shop.test\u{0}", nil, "RFC 3986 appendix A: no control character"),
            Row("shop.test/x", nil, "RFC 3986 §3.2: ended by the next slash"),
            Row("shop.test\\x", nil, "RFC 3986 appendix A: no backslash"),
            Row("ban\u{212A}.test", nil, "RFC 3986 §2: ASCII; Unicode would make it bank.test"),
        ] as [Row<String, Authority?>])
    func refused(_ row: Row<String, Authority?>) {
        #expect(Authority(row.given) == row.expected)
    }
}
