import CacheRules
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Fetch §2.2.6 filtered responses, §3.6 nosniff, §3.7 Cross-Origin-Resource-Policy")
struct ResponseRulesTests {
    private static let given = fields(
        ("Content-Type", "text/plain"), ("X-Secret", "1"), ("X-Open", "2"), ("Set-Cookie", "a=b"),
        ("Content-Range", "bytes 0-1/2"), ("Location", "/x"), ("Access-Control-Allow-Origin", "*"))

    private func names(_ fields: HTTPFields) -> [String] { fields.map(\.name.canonicalName).sorted() }

    @Test("basic hides Set-Cookie, cors what is not exposed, opaque everything")
    func readable() {
        let basic = ResponseTainting.basic.readableFields(of: Self.given, credentials: .include)
        #expect(basic.count == Self.given.count - 1)
        #expect(basic[.setCookie] == nil)
        #expect(names(ResponseTainting.cors.readableFields(of: Self.given, credentials: .omit)) == ["content-type"])
        #expect(ResponseTainting.opaque.readableFields(of: Self.given, credentials: .omit).isEmpty)
    }

    @Test(
        "what a server exposes",
        arguments: [
            FetchRow("X-Open", ["content-type", "x-open"], "§2.2.2"),
            FetchRow("x-open , X-SECRET", ["content-type", "x-open", "x-secret"], "names have no case"),
            FetchRow("Set-Cookie", ["content-type"], "a forbidden response-header name"),
            FetchRow("X-Open, \"", ["content-type"], "a malformed list"),
        ])
    func exposed(_ row: FetchRow<String, [String]>) {
        var given = Self.given
        given[.accessControlExposeHeaders] = row.given
        #expect(names(ResponseTainting.cors.readableFields(of: given, credentials: .include)) == row.expected)
    }

    @Test("* exposes all without credentials, and nothing with them")
    func exposesAll() {
        var given = Self.given
        given[.accessControlExposeHeaders] = "*"
        let open = ResponseTainting.cors.readableFields(of: given, credentials: .omit)
        #expect(open.count == given.count - 1)
        #expect(open[.setCookie] == nil)
        #expect(names(ResponseTainting.cors.readableFields(of: given, credentials: .include)) == ["content-type"])
    }

    struct Policy: Sendable {
        var origin: String?
        var target = "https://cdn.shop.test/"
        var policy: String?
        var relation = SiteRelation.crossSite
    }

    static let policies: [FetchRow<Policy, ResourcePolicyCheck.Reason?>] = [
        .init(Policy(origin: "https://cdn.shop.test", policy: "same-origin"), nil, "same origin"),
        .init(Policy(origin: "https://shop.test", policy: "same-origin"), .notSameOrigin, "step 4"),
        .init(Policy(origin: nil, policy: "same-origin"), .notSameOrigin, "an unknown origin is no other"),
        .init(Policy(origin: "null", policy: "same-site"), .notSameSite, "an opaque origin"),
        .init(Policy(origin: "https://shop.test", policy: "same-site"), nil, "schemelessly same site"),
        .init(
            Policy(origin: "http://shop.test", policy: "same-site"), .notSameSite, "http may not use https"),
        .init(
            Policy(origin: "http://shop.test", target: "http://cdn.shop.test/", policy: "same-site"), nil,
            "http may use http"),
        .init(Policy(origin: "https://evil.test", policy: "same-site"), .notSameSite, "another site"),
        .init(Policy(origin: nil, policy: "same-site", relation: .sameSite), nil, "the engine says so"),
        .init(Policy(origin: "https://evil.test", policy: "cross-origin"), nil, "step 4"),
        .init(Policy(origin: "https://evil.test", policy: "Same-Origin"), nil, "values are case-sensitive"),
        .init(Policy(origin: "https://evil.test", policy: "same-origin, same-origin"), nil, "one value only"),
        .init(Policy(origin: "https://evil.test", policy: nil), nil, "no policy"),
    ]

    @Test("who may use a response without reading it", arguments: policies)
    func resourcePolicy(_ row: FetchRow<Policy, ResourcePolicyCheck.Reason?>) {
        var given = HTTPFields()
        given[.crossOriginResourcePolicy] = row.given.policy
        let refusal = ResourcePolicyCheck.refusal(
            given, origin: row.given.origin.flatMap { WebOrigin(serialized: $0) },
            target: WebOrigin(url: row.given.target), relation: row.given.relation,
            registrableDomain: { $0.split(separator: ".").suffix(2).joined(separator: ".") })
        #expect(refusal == row.expected)
    }

    struct Sniffing: Sendable {
        var option: String? = "nosniff"
        var type: String?
        var destination = Destination.script
    }

    static let sniffing: [FetchRow<Sniffing, Bool>] = [
        .init(Sniffing(type: "text/javascript; charset=utf-8"), true, "a JavaScript MIME type"),
        .init(Sniffing(type: "Application/X-JavaScript"), true, "types have no case"),
        .init(Sniffing(type: "text/html"), false, "§3.6"),
        .init(Sniffing(type: "application/json"), false, "§3.6"),
        .init(Sniffing(type: nil), false, "no type"),
        .init(Sniffing(type: "text/html", destination: .worker), false, "script-like"),
        .init(Sniffing(type: "text/css", destination: .style), true, "§3.6"),
        .init(Sniffing(type: "text/plain", destination: .style), false, "§3.6"),
        .init(Sniffing(type: "text/html", destination: .image), true, "only scripts and style sheets"),
        .init(Sniffing(option: "NoSniff , x", type: "text/html"), false, "the first value"),
        .init(Sniffing(option: "x, nosniff", type: "text/html"), true, "the first value"),
        .init(Sniffing(option: nil, type: "text/html"), true, "no field"),
        .init(Sniffing(type: "text/html, text/javascript"), true, "§2.2.2: the last type"),
        .init(Sniffing(type: "text/javascript, text/html"), false, "§2.2.2: the last type"),
    ]

    @Test("nosniff", arguments: sniffing)
    func nosniff(_ row: FetchRow<Sniffing, Bool>) {
        var given = HTTPFields()
        given[.xContentTypeOptions] = row.given.option
        given[.contentType] = row.given.type
        #expect(SniffingCheck.allows(given, for: row.given.destination) == row.expected)
    }

    struct Referring: Sendable {
        var policy: String
        var to: String
    }

    static let referrers: [FetchRow<Referring, String?>] = [
        .init(Referring(policy: "no-referrer", to: "https://a.test/"), nil, "§8.3"),
        .init(
            Referring(policy: "strict-origin-when-cross-origin", to: "https://a.test/"), "https://a.test/p?q", "§8.3"),
        .init(Referring(policy: "strict-origin-when-cross-origin", to: "https://b.test/"), "https://a.test/", "§8.3"),
        .init(Referring(policy: "strict-origin-when-cross-origin", to: "http://a.test/"), nil, "§8.3: a downgrade"),
        .init(Referring(policy: "same-origin", to: "https://b.test/"), nil, "§8.3"),
        .init(Referring(policy: "origin", to: "http://b.test/"), "https://a.test/", "§8.3"),
        .init(Referring(policy: "unsafe-url", to: "http://b.test/"), "https://a.test/p?q", "§8.3"),
        .init(Referring(policy: "no-referrer-when-downgrade", to: "https://b.test/"), "https://a.test/p?q", "§8.3"),
        .init(Referring(policy: "no-referrer-when-downgrade", to: "http://b.test/"), nil, "§8.3"),
        .init(Referring(policy: "origin, UNSAFE-URL, made-up", to: "https://b.test/"), "https://a.test/p?q", "§8.1"),
    ]

    @Test("Referrer Policy: what Referer tells", arguments: referrers)
    func referer(_ row: FetchRow<Referring, String?>) throws {
        let policy = try #require(ReferrerPolicy(fields(("Referrer-Policy", row.given.policy))))
        let target = try #require(WebURL(row.given.to))
        #expect(policy.referer(from: "https://u:p@a.test/p?q#f", to: target) == row.expected)
        let long = "https://a.test/" + String(repeating: "x", count: 5_000)
        #expect((policy.referer(from: long, to: target)?.count ?? 0) < 100)
        #expect(policy.referer(from: "data:,x", to: target) == nil)
        #expect(policy.referer(from: nil, to: target) == nil)
        #expect(ReferrerPolicy(fields(("Referrer-Policy", "made-up, "))) == nil)
    }
}
