import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §4.4 Invalidating Stored Responses")
struct InvalidationTests {
    struct Answer: Sendable, CustomStringConvertible {
        var method: HTTPRequest.Method = .post
        var uri = "https://example.org/a/b?c"
        var status = 200
        var fields: [String] = []

        var description: String { "\(method) \(uri) answered \(status) \(fields)" }
    }

    private static let target = "https://example.org/a/b?c"

    static let answers: [Row<Answer, [String]>] = [
        Row(Answer(), [target], "\"MUST invalidate the target URI\""),
        Row(Answer(method: .put, status: 204), [target], "an unsafe method"),
        Row(Answer(method: .delete, status: 303), [target], "\"a 2xx (Successful) or 3xx (Redirection) status code\""),
        Row(Answer(method: .patch), [target], "an unsafe method"),
        Row(
            Answer(method: HTTPRequest.Method("BREW") ?? .post), [target],
            "\"including methods whose safety is unknown\""),
        Row(Answer(method: HTTPRequest.Method("get") ?? .post), [target], "RFC 9110 §9.1: methods are case-sensitive"),
        Row(Answer(method: .get), [], "RFC 9110 §9.2.1: GET is safe"),
        Row(Answer(method: .head), [], "RFC 9110 §9.2.1: HEAD is safe"),
        Row(Answer(method: .options), [], "RFC 9110 §9.2.1: OPTIONS is safe"),
        Row(Answer(method: .trace), [], "RFC 9110 §9.2.1: TRACE is safe"),
        Row(Answer(status: 400), [], "\"a non-error status code\""),
        Row(Answer(status: 404, fields: ["Location: /x"]), [], "\"a non-error status code\""),
        Row(Answer(status: 500), [], "\"a non-error status code\""),
        Row(Answer(status: 103), [], "\"a 2xx … or 3xx … status code\""),
        Row(Answer(status: 399), [target], "RFC 9110 §15: an unknown 3xx is a 300"),
        Row(Answer(fields: ["Location: /x"]), [target, "https://example.org/x"], "\"URIs in the Location\""),
        Row(
            Answer(fields: ["Content-Location: x#y"]), [target, "https://example.org/a/x"],
            "\"and Content-Location\", resolved against the target"),
        Row(
            Answer(fields: ["Location: /x", "Content-Location: /y"]),
            [target, "https://example.org/x", "https://example.org/y"], "both"),
        Row(
            Answer(fields: ["Location: HTTPS://EXAMPLE.org:443/x"]), [target, "https://example.org/x"],
            "RFC 9110 §4.2.3: the same origin in another spelling"),
        Row(
            Answer(fields: ["Location: https://other.example/x"]), [target],
            "\"MUST NOT … if the origin … differs … denial-of-service\""),
        Row(Answer(fields: ["Location: http://example.org/x"]), [target], "RFC 9110 §4.3.2: another origin"),
        Row(Answer(fields: ["Location: https://example.org:444/x"]), [target], "RFC 9110 §4.3.1: another origin"),
        Row(Answer(fields: ["Location: //example.org@other.example/x"]), [target], "userinfo is no host"),
        Row(Answer(fields: ["Location: ", "Content-Location: ?c"]), [target], "the target, once"),
        Row(Answer(fields: ["Location: mailto:a@example.org"]), [target], "no http or https URI"),
        Row(
            Answer(uri: "HTTPS://Example.ORG:443/a/../b#c"), ["https://example.org/a/../b"],
            "the target URI as it keys the store"),
    ]

    @Test(
        "an unsafe request that succeeds invalidates its target, and what it names on the same origin",
        arguments: answers)
    func targets(_ row: Row<Answer, [String]>) {
        let targets = Invalidation.targets(
            method: row.given.method, uri: row.given.uri, status: .init(code: row.given.status),
            fields: HTTPFields(lines: row.given.fields))
        #expect(targets == row.expected)
    }
}
