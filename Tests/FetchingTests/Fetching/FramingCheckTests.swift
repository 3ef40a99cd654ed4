import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Documents that do not want to be in a frame")
struct FramingCheckTests {
    struct Given: Sendable {
        var fields: HTTPFields
        var ancestor: String? = "https://a.test"
        var target = "https://a.test"
    }

    private static func options(_ values: String..., from ancestor: String? = "https://a.test") -> Given {
        var given = HTTPFields()
        for value in values { given.append(HTTPField(name: FetchField.xFrameOptions, value: value)) }
        return Given(fields: given, ancestor: ancestor)
    }

    private static func policy(
        _ value: String, from ancestor: String? = "https://a.test", to target: String = "https://a.test"
    ) -> Given {
        Given(fields: fields(("Content-Security-Policy", value)), ancestor: ancestor, target: target)
    }

    static let rows: [FetchRow<Given, FramingCheck>] = [
        .init(options(), .allowed, "HTML §7.6: no field"),
        .init(options("DENY"), .refused, "HTML §7.6"),
        .init(options(" deny "), .refused, "ASCII case-insensitive, trimmed"),
        .init(options("SAMEORIGIN"), .allowed, "HTML §7.6"),
        .init(options("SAMEORIGIN", from: "https://b.test"), .refused, "HTML §7.6"),
        .init(options("SAMEORIGIN", from: "https://a.test:8443"), .refused, "another port, another origin"),
        .init(options("SAMEORIGIN", from: nil), .refused, "an unknown ancestor is a stranger"),
        .init(
            options("SAMEORIGIN", from: "app-cache-https://a.test"), .allowed, "the app-cache scheme stands for https"),
        .init(options("ALLOWALL", from: "https://b.test"), .allowed, "HTML §7.6: alone it does nothing"),
        .init(options("ALLOW-FROM https://b.test", from: "https://c.test"), .allowed, "no value of the standard"),
        .init(options("SAMEORIGIN", "ALLOWALL"), .refused, "HTML §7.6: a contradiction"),
        .init(options("SAMEORIGIN, SAMEORIGIN"), .allowed, "HTML §7.6: a set"),
        .init(options("x, y"), .allowed, "HTML §7.6"),
        .init(policy("frame-ancestors 'none'"), .refused, "CSP §6.4.2.1"),
        .init(policy("frame-ancestors"), .refused, "an empty list is 'none'"),
        .init(policy("default-src 'none'"), .allowed, "CSP §6.4.2: no fallback to default-src"),
        .init(policy("FRAME-ANCESTORS 'SELF'"), .allowed, "names and keywords in any case"),
        .init(policy("frame-ancestors 'self'", from: "https://b.test"), .refused, "CSP §6.7.2"),
        .init(policy("frame-ancestors 'self'", to: "http://a.test"), .allowed, "'self' may be more secure"),
        .init(policy("frame-ancestors 'self'", from: "http://a.test"), .refused, "and not less"),
        .init(policy("frame-ancestors *", from: "https://b.test"), .allowed, "any network scheme"),
        .init(policy("frame-ancestors *", from: nil), .refused, "an opaque origin is on no network"),
        .init(policy("frame-ancestors *", from: "other-scheme://b"), .refused, "no network scheme"),
        .init(policy("frame-ancestors https:", from: "https://b.test"), .allowed, "scheme-source"),
        .init(policy("frame-ancestors https:", from: "http://b.test"), .refused, "scheme-source"),
        .init(policy("frame-ancestors http:", from: "https://b.test"), .allowed, "CSP §6.7.2: http allows https"),
        .init(policy("frame-ancestors b.test", from: "https://b.test"), .allowed, "host-source of the same scheme"),
        .init(policy("frame-ancestors b.test", from: "http://b.test"), .refused, "host-source of the same scheme"),
        .init(policy("frame-ancestors https://b.test/", from: "https://b.test"), .allowed, "host-source"),
        .init(policy("frame-ancestors https://b.test/x", from: "https://b.test"), .refused, "an origin has no path"),
        .init(policy("frame-ancestors https://b.test:8443", from: "https://b.test"), .refused, "port-part"),
        .init(policy("frame-ancestors https://b.test:8443", from: "https://b.test:8443"), .allowed, "port-part"),
        .init(policy("frame-ancestors b.test:*", from: "https://b.test:8443"), .allowed, "port-part"),
        .init(policy("frame-ancestors b.test:443", from: "https://b.test"), .allowed, "the default port"),
        .init(policy("frame-ancestors *.b.test", from: "https://x.y.b.test"), .allowed, "host-part"),
        .init(policy("frame-ancestors *.b.test", from: "https://b.test"), .refused, "host-part: not the host itself"),
        .init(policy("frame-ancestors *.b.test", from: "https://evilb.test"), .refused, "host-part: at a dot"),
        .init(policy("frame-ancestors b.test", from: "https://b.test.evil.test"), .refused, "the whole host"),
        .init(policy("frame-ancestors *; , frame-ancestors 'none'"), .refused, "every policy has to allow it"),
        .init(
            policy("frame-ancestors 'none'; frame-ancestors *"), .refused, "CSP §2.2.1: the first of a name counts"),
        .init(
            Given(
                fields: fields(("X-Frame-Options", "DENY"), ("Content-Security-Policy", "frame-ancestors 'self'"))),
            .allowed, "CSP §6.4.2.2: frame-ancestors takes the place of X-Frame-Options"),
        .init(
            Given(fields: fields(("Content-Security-Policy-Report-Only", "frame-ancestors 'none'"))), .allowed,
            "reports refuse nothing"),
    ]

    @Test("X-Frame-Options and frame-ancestors", arguments: rows)
    func decide(_ row: FetchRow<Given, FramingCheck>) throws {
        let target = try #require(WebOrigin(serialized: row.given.target))
        let ancestor = row.given.ancestor.flatMap { WebOrigin(serialized: $0) }
        #expect(FramingCheck.decide(row.given.fields, target: target, ancestor: ancestor) == row.expected)
    }
}
