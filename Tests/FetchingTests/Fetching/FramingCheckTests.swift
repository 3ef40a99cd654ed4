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

    static let rows: [FetchRow<Given, Bool>] = [
        .init(options(), true, "HTML §7.6: no field"),
        .init(options("DENY"), false, "HTML §7.6"),
        .init(options(" deny "), false, "ASCII case-insensitive, trimmed"),
        .init(options("SAMEORIGIN"), true, "HTML §7.6"),
        .init(options("SAMEORIGIN", from: "https://b.test"), false, "HTML §7.6"),
        .init(options("SAMEORIGIN", from: "https://a.test:8443"), false, "another port, another origin"),
        .init(options("SAMEORIGIN", from: nil), false, "an unknown ancestor is a stranger"),
        .init(
            options("SAMEORIGIN", from: "app-cache-https://a.test"), true, "the app-cache scheme stands for https"),
        .init(options("ALLOWALL", from: "https://b.test"), true, "HTML §7.6: alone it does nothing"),
        .init(options("ALLOW-FROM https://b.test", from: "https://c.test"), true, "no value of the standard"),
        .init(options("SAMEORIGIN", "ALLOWALL"), false, "HTML §7.6: a contradiction"),
        .init(options("SAMEORIGIN, SAMEORIGIN"), true, "HTML §7.6: a set"),
        .init(options("x, y"), true, "HTML §7.6"),
        .init(policy("frame-ancestors 'none'"), false, "CSP §6.4.2.1"),
        .init(policy("frame-ancestors"), false, "an empty list is 'none'"),
        .init(policy("default-src 'none'"), true, "CSP §6.4.2: no fallback to default-src"),
        .init(policy("FRAME-ANCESTORS 'SELF'"), true, "names and keywords in any case"),
        .init(policy("frame-ancestors 'self'", from: "https://b.test"), false, "CSP §6.7.2"),
        .init(policy("frame-ancestors 'self'", to: "http://a.test"), true, "'self' may be more secure"),
        .init(policy("frame-ancestors 'self'", from: "http://a.test"), false, "and not less"),
        .init(policy("frame-ancestors *", from: "https://b.test"), true, "any network scheme"),
        .init(policy("frame-ancestors *", from: nil), false, "an opaque origin is on no network"),
        .init(policy("frame-ancestors *", from: "other-scheme://b"), false, "no network scheme"),
        .init(policy("frame-ancestors https:", from: "https://b.test"), true, "scheme-source"),
        .init(policy("frame-ancestors https:", from: "http://b.test"), false, "scheme-source"),
        .init(policy("frame-ancestors http:", from: "https://b.test"), true, "CSP §6.7.2: http allows https"),
        .init(policy("frame-ancestors b.test", from: "https://b.test"), true, "host-source of the same scheme"),
        .init(policy("frame-ancestors b.test", from: "http://b.test"), false, "host-source of the same scheme"),
        .init(policy("frame-ancestors https://b.test/", from: "https://b.test"), true, "host-source"),
        .init(policy("frame-ancestors https://b.test/x", from: "https://b.test"), false, "an origin has no path"),
        .init(policy("frame-ancestors https://b.test:8443", from: "https://b.test"), false, "port-part"),
        .init(policy("frame-ancestors https://b.test:8443", from: "https://b.test:8443"), true, "port-part"),
        .init(policy("frame-ancestors b.test:*", from: "https://b.test:8443"), true, "port-part"),
        .init(policy("frame-ancestors b.test:443", from: "https://b.test"), true, "the default port"),
        .init(policy("frame-ancestors *.b.test", from: "https://x.y.b.test"), true, "host-part"),
        .init(policy("frame-ancestors *.b.test", from: "https://b.test"), false, "host-part: not the host itself"),
        .init(policy("frame-ancestors *.b.test", from: "https://evilb.test"), false, "host-part: at a dot"),
        .init(policy("frame-ancestors b.test", from: "https://b.test.evil.test"), false, "the whole host"),
        .init(policy("frame-ancestors *; , frame-ancestors 'none'"), false, "every policy has to allow it"),
        .init(
            policy("frame-ancestors 'none'; frame-ancestors *"), false, "CSP §2.2.1: the first of a name counts"),
        .init(
            Given(
                fields: fields(("X-Frame-Options", "DENY"), ("Content-Security-Policy", "frame-ancestors 'self'"))),
            true, "CSP §6.4.2.2: frame-ancestors takes the place of X-Frame-Options"),
        .init(
            Given(fields: fields(("Content-Security-Policy-Report-Only", "frame-ancestors 'none'"))), true,
            "reports refuse nothing"),
    ]

    @Test("X-Frame-Options and frame-ancestors", arguments: rows)
    func allows(_ row: FetchRow<Given, Bool>) throws {
        let target = try #require(WebOrigin(serialized: row.given.target))
        let ancestor = row.given.ancestor.flatMap { WebOrigin(serialized: $0) }
        #expect(FramingCheck.allows(row.given.fields, target: target, ancestor: ancestor) == row.expected)
    }
}
