import HTTPCacheSemantics
import Testing

@Suite("W3C Secure Contexts §3.1 Is origin potentially trustworthy?")
struct TrustworthyOriginTests {
    static let origins: [Row<String, Bool>] = [
        Row("https://example.com/", true, "step 3: https"),
        Row("HTTPS://EXAMPLE.COM", true, "RFC 3986 §3.1: a scheme has no case"),
        Row("wss://example.com/socket", true, "step 3: wss"),
        Row("http://example.com/", false, "step 9"),
        Row("ws://example.com/", false, "step 9"),
        Row("http://127.0.0.1/", true, "step 4: 127.0.0.0/8"),
        Row("http://127.0.0.1:8080/x", true, "note: \"Neither … domain nor port has any effect\""),
        Row("http://127.255.255.255", true, "step 4: 127.0.0.0/8"),
        Row("http://128.0.0.1/", false, "step 4: not in 127.0.0.0/8"),
        Row("http://127.0.0.1.example.com/", false, "step 4: a name, no address"),
        Row("http://127.0.0.256/", false, "step 4: no address"),
        Row("http://127.0.0/", false, "the URL standard prints four numbers"),
        Row("http://127.0.0.01/", false, "the URL standard prints no leading zeros"),
        Row("http://127.0.0.+1/", false, "no number"),
        Row("http://127.0.0./", false, "no number"),
        Row("http://10.127.0.1/", false, "step 4: not in 127.0.0.0/8"),
        Row("http://[::1]/", true, "step 4: ::1/128"),
        Row("http://[::1]:3000/", true, "step 4: with a port"),
        Row("http://[::1]x/", false, "nothing but a port follows an address"),
        Row("http://[::1", false, "RFC 3986 §3.2.2: brackets"),
        Row("http://[::2]/", false, "step 4: ::1/128"),
        Row("http://[::ffff:127.0.0.1]/", false, "step 4: ::1/128"),
        Row("http://localhost/", true, "step 5: localhost"),
        Row("http://LOCALHOST:5000/", true, "RFC 3986 §3.2.2: a host has no case"),
        Row("http://localhost./", true, "step 5: \"localhost.\""),
        Row("http://app.localhost/", true, "step 5: \".localhost\""),
        Row("http://a.b.localhost.:80/", true, "step 5: \".localhost.\""),
        Row("http://localhost../", false, "step 5: one dot"),
        Row("http://notlocalhost/", false, "step 5: a name of its own"),
        Row("http://localhost.example.com/", false, "step 5: a name of its own"),
        Row("http://localhost@example.com/", false, "RFC 3986 §3.2.1: userinfo is no host"),
        Row("http://example.com@localhost/", true, "RFC 3986 §3.2.1: userinfo is no host"),
        Row("http://example.com/@localhost", false, "a path is no host"),
        Row("file:///etc/hosts", false, "step 6 is left out: nothing is cached from files"),
        Row("app://bundle/", false, "step 7: an app's scheme"),
        Row("localhost", false, "no URI"),
        Row("", false, "no URI"),
        Row("https://", false, "step 1: no host, an opaque origin"),
    ]

    @Test("encrypted schemes and loopback hosts are, all others are not", arguments: origins)
    func origin(_ row: Row<String, Bool>) {
        #expect(TrustworthyOrigin.isPotentiallyTrustworthy(origin: row.given) == row.expected)
    }
}
