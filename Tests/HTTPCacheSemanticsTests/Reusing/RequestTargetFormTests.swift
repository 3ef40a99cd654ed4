import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9112 §3.2 Request Target")
struct RequestTargetFormTests {
    struct Line: Sendable, CustomStringConvertible {
        var method: HTTPRequest.Method
        var target: String

        init(_ method: HTTPRequest.Method, _ target: String) {
            self.method = method
            self.target = target
        }

        var description: String { "\(method.rawValue) \(target)" }
    }

    @Test(
        "each form is told from the others",
        arguments: [
            Row(Line(.get, "/where?q=now"), .origin(path: "/where?q=now"), "§3.2.1"),
            Row(Line(.options, "/"), .origin(path: "/"), "§3.2.1"),
            Row(Line(.get, "//x"), .origin(path: "//x"), "§3.2.1: segments may be empty"),
            Row(Line(.get, "/a#b"), .origin(path: "/a"), "§3.2.1: a form without fragment"),
            Row(Line(.get, "/#\u{301}b"), .origin(path: "/"), "§3.2.1: octets, not characters"),
            Row(
                Line(.get, "HTTP://www.example.org/pub/x?y"),
                .absolute(scheme: "http", authority: "www.example.org", path: "/pub/x?y"), "§3.2.2"),
            Row(
                Line(.get, "http://www.example.org:"),
                .absolute(scheme: "http", authority: "www.example.org:", path: "/"), "§3.2.2, RFC 3986 §3.2.3"),
            Row(
                Line(.options, "http://www.example.org:8001"),
                .absolute(scheme: "http", authority: "www.example.org:8001", path: "/"), "§3.2.2"),
            Row(
                Line(.connect, "www.example.com:80"), .authority(Authority(host: "www.example.com", port: 80)),
                "§3.2.3"),
            Row(Line(.options, "*"), .asterisk, "§3.2.4"),
        ] as [Row<Line, RequestTargetForm?>])
    func forms(_ row: Row<Line, RequestTargetForm?>) {
        #expect(RequestTargetForm(row.given.target, method: row.given.method) == row.expected)
    }

    @Test(
        "what has no form of its method is refused",
        arguments: [
            Row(Line(.get, ""), nil, "§3.2"), Row(Line(.get, "*"), nil, "§3.2.4: only OPTIONS"),
            Row(Line(.get, "www.example.com:80"), nil, "§3.2.3: only CONNECT"),
            Row(Line(.get, "where"), nil, "§3.2.1: begins with a slash"),
            Row(Line(.get, "http:///x"), nil, "RFC 9110 §4.2.1: an empty host"),
            Row(Line(.get, "http://a:b/"), nil, "RFC 3986 §3.2.3: the port"),
            Row(Line(.get, "/a b"), nil, "§3.2: no white space"),
            Row(Line(.get, "/a\rb"), nil, "RFC 3986 appendix A: no control character"),
            Row(Line(.connect, "/"), nil, "§3.2.3"), Row(Line(.connect, "http://a/"), nil, "§3.2.3"),
            Row(Line(.connect, "www.example.com"), nil, "RFC 9110 §9.3.6: no port"),
            Row(Line(.connect, "www.example.com:"), nil, "RFC 9110 §9.3.6: an empty port"),
            Row(Line(.connect, "www.example.com:0"), nil, "RFC 9110 §9.3.6: an invalid port"),
        ] as [Row<Line, RequestTargetForm?>])
    func refused(_ row: Row<Line, RequestTargetForm?>) {
        #expect(RequestTargetForm(row.given.target, method: row.given.method) == row.expected)
    }
}
