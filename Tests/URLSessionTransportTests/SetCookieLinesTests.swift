import Testing

@testable import URLSessionTransport

@Suite("RFC 6265 §3: cookies that a session has joined")
struct SetCookieLinesTests {
    @Test(
        "each cookie is a line of its own",
        arguments: [
            ("a=1", ["a=1"]),
            ("a=1, b=2", ["a=1", "b=2"]),
            ("a=1,b=2", ["a=1", "b=2"]),
            (
                "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=2; HttpOnly",
                ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=2; HttpOnly"]
            ),
            (
                "a=1; expires=Wednesday, 21-Oct-26 07:28:00 GMT, b=2",
                ["a=1; expires=Wednesday, 21-Oct-26 07:28:00 GMT", "b=2"]
            ),
            ("a=x,y; Path=/", ["a=x,y; Path=/"]),
            ("__Host-a=1; Secure, =nameless", ["__Host-a=1; Secure, =nameless"]),
            ("", []),
        ] as [(String, [String])])
    func split(joined: String, lines: [String]) {
        #expect(SetCookieLines.split(joined) == lines)
    }
}
