import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Fetch §4.9 CORS check")
struct CORSCheckTests {
    struct Given: Sendable {
        var fields: HTTPFields
        var origin: String? = "https://page.test"
        var isTainted = false
        var credentials = FetchRequest.Credentials.sameOrigin
    }

    static let origin = "https://page.test"
    static func allow(_ value: String) -> HTTPFields { allowing(value) }

    static let rows: [FetchRow<Given, CORSCheck.Reason?>] = [
        .init(Given(fields: allow(origin)), nil, "step 4"), .init(Given(fields: allow("*")), nil, "step 3"),
        .init(Given(fields: HTTPFields()), .noAllowOrigin, "step 2"),
        .init(Given(fields: allow("")), .otherOrigin, "step 4"),
        .init(Given(fields: allow("https://page.test ")), nil, "RFC 9110 §5.5: spaces around are no part of a value"),
        .init(Given(fields: allow("https://PAGE.test")), .otherOrigin, "step 4: byte-serializing"),
        .init(Given(fields: allow("HTTPS://page.test")), .otherOrigin, "step 4: byte-serializing"),
        .init(Given(fields: allow("https://page.test/")), .otherOrigin, "step 4"),
        .init(Given(fields: allow("https://page.test:443")), .otherOrigin, "step 4"),
        .init(Given(fields: allow("http://page.test")), .otherOrigin, "step 4: the scheme counts"),
        .init(Given(fields: allow("https://page.test.evil.test")), .otherOrigin, "step 4"),
        .init(Given(fields: allow("https://page.test, https://page.test")), .otherOrigin, "one value only"),
        .init(Given(fields: allow("https://page.test https://b.test")), .otherOrigin, "one value only"),
        .init(Given(fields: allow("*, *")), .otherOrigin, "step 3: `*` and nothing else"),
        .init(
            Given(fields: fields(("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Origin", origin))),
            .otherOrigin, "`get` joins two lines"),
        .init(
            Given(fields: fields(("Access-Control-Allow-Origin", origin), ("access-control-allow-origin", origin))),
            .otherOrigin, "`get` joins two lines"),
        .init(Given(fields: allow("null")), .otherOrigin, "the page has an origin"),
        .init(Given(fields: allow("null"), origin: "null"), nil, "an opaque origin is serialized as null"),
        .init(Given(fields: allow("Null"), origin: "null"), .otherOrigin, "byte-serializing"),
        .init(Given(fields: allow("null"), isTainted: true), nil, "§2.2.5: redirect-tainted"),
        .init(Given(fields: allow(origin), isTainted: true), .otherOrigin, "§2.2.5: redirect-tainted"),
        .init(Given(fields: allow("null"), origin: nil), .unknownOrigin, "an unknown origin is not null"),
        .init(Given(fields: allow("*"), origin: nil), nil, "step 3"),
        .init(Given(fields: allow("*"), credentials: .include), .wildcardWithCredentials, "step 3"),
        .init(Given(fields: allow(origin), credentials: .include), .credentialsNotAllowed, "step 7"),
        .init(Given(fields: credentialed("true"), credentials: .include), nil, "step 7"),
        .init(Given(fields: credentialed("True"), credentials: .include), .credentialsNotAllowed, "step 7"),
        .init(
            Given(fields: credentialed("true, true"), credentials: .include), .credentialsNotAllowed, "step 7"),
        .init(Given(fields: credentialed("1"), credentials: .include), .credentialsNotAllowed, "step 7"),
        .init(
            Given(fields: allow(String(repeating: origin, count: 60_000))), .otherOrigin, "a million octets"),
    ]

    static func credentialed(_ value: String) -> HTTPFields {
        fields(("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", value))
    }

    @Test("who may read", arguments: rows)
    func check(_ row: FetchRow<Given, CORSCheck.Reason?>) {
        let origin = row.given.origin.flatMap { WebOrigin(serialized: $0) }
        let refusal = CORSCheck.refusal(
            row.given.fields, origin: origin, isTainted: row.given.isTainted, credentials: row.given.credentials)
        #expect(refusal == row.expected)
    }
}

private func allowing(_ value: String) -> HTTPFields { fields(("Access-Control-Allow-Origin", value)) }

@Suite("Fetch §2.2.2 CORS-unsafe request-header names")
struct CORSSafelistTests {
    static let rows: [FetchRow<HTTPFields, [String]>] = [
        .init(fields(("Accept", "text/html, */*;q=0.1")), [], "safelisted"),
        .init(fields(("Accept", "text/html(x)")), ["accept"], "a CORS-unsafe request-header byte"),
        .init(fields(("Accept", String(repeating: "a", count: 128))), [], "128 octets"),
        .init(fields(("Accept", String(repeating: "a", count: 129))), ["accept"], "more than 128 octets"),
        .init(fields(("Accept-Language", "de-DE, en;q=0.5")), [], "safelisted"),
        .init(fields(("Accept-Language", "de_DE")), ["accept-language"], "an octet that no language has"),
        .init(fields(("Content-Type", "text/plain;charset=UTF-8")), [], "safelisted"),
        .init(fields(("Content-Type", "TEXT/plain")), [], "types have no case"),
        .init(fields(("Content-Type", "application/json")), ["content-type"], "another type"),
        .init(fields(("Content-Type", "text/plain, application/json")), ["content-type"], "no media type"),
        .init(fields(("Content-Type", "multipart/form-data; boundary=\"x\"")), ["content-type"], "an unsafe byte"),
        .init(fields(("Range", "bytes=0-")), [], "a simple range"), .init(fields(("Range", "bytes=1-2")), [], "simple"),
        .init(fields(("Range", "bytes=-5")), ["range"], "no first position"),
        .init(fields(("Range", "bytes=9-10")), [], "numbers, not texts"),
        .init(fields(("Range", "bytes=5-2")), ["range"], "the end before the start"),
        .init(fields(("Range", "bytes=0-1,3-4")), ["range"], "two ranges"),
        .init(fields(("Range", "bytes= 0-1")), ["range"], "white space"),
        .init(fields(("X-Token", "1"), ("Authorization", "x")), ["authorization", "x-token"], "not safelisted"),
        .init(fields(("If-None-Match", "\"x\"")), ["if-none-match"], "not safelisted"),
        .init(
            fields(
                ("User-Agent", "Mozilla/5.0 (iPhone)"), ("Sec-Fetch-Site", "none"), ("Origin", "null"),
                ("Accept-Encoding", "gzip"), ("Cache-Control", "no-cache"), ("Pragma", "no-cache")), [],
            "the engine's own"),
        .init(fields(("Cache-Control", "max-age=31536000")), ["cache-control"], "not the engine's"),
        .init(fields(("X-Method-Override", "TRACE")), ["x-method-override"], "not the engine's"),
        .init(
            HTTPFields((0..<9).map { _ in HTTPField(name: .accept, value: String(repeating: "a", count: 120)) }),
            ["accept"], "safelistValueSize above 1,024"),
        .init(fields(("X-Long", String(repeating: "a", count: 1_000_000))), ["x-long"], "a million octets"),
    ]

    @Test("what needs to be allowed", arguments: rows)
    func names(_ row: FetchRow<HTTPFields, [String]>) {
        #expect(CORSSafelist.unsafeNames(in: row.given) == row.expected)
    }

    @Test(
        "methods are case-sensitive",
        arguments: [
            FetchRow("GET", true, "§2.2.1"), FetchRow("POST", true, "§2.2.1"), FetchRow("HEAD", true, "§2.2.1"),
            FetchRow("PUT", false, "§2.2.1"), FetchRow("get", false, "§2.2.1"), FetchRow("PATCH", false, "§2.2.1"),
        ])
    func methods(_ row: FetchRow<String, Bool>) throws {
        #expect(CORSSafelist.isSafelisted(try #require(HTTPRequest.Method(row.given))) == row.expected)
    }
}
