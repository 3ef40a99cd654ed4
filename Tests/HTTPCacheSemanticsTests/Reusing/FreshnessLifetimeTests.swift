import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §4.2.1 Calculating Freshness Lifetime")
struct FreshnessLifetimeTests {
    static func lifetime(_ lines: [String], in kind: CacheKind = .private) -> FreshnessLifetime {
        FreshnessLifetime(of: .sample([StoredResponse.sampleDate] + lines), in: kind)
    }

    private static let expires = "Expires: Sun, 06 Nov 1994 09:49:37 GMT"
    private static let stale = FreshnessLifetime(.zero, source: .invalid)

    static let inPrivate: [Row<[String], FreshnessLifetime>] = [
        Row(
            ["Cache-Control: max-age=10"], .init(.seconds(10), source: .maxAge),
            "\"If the max-age response directive is present\""),
        Row(
            ["Cache-Control: s-maxage=60, max-age=10"], .init(.seconds(10), source: .maxAge),
            "\"If the cache is shared and s-maxage\""),
        Row(
            ["Cache-Control: s-maxage=60", expires], .init(.seconds(3_600), source: .expires),
            "\"If the cache is shared and s-maxage\""),
        Row(
            ["Cache-Control: s-maxage=x", expires], .init(.seconds(3_600), source: .expires),
            "\"If the cache is shared and s-maxage\""),
        Row(
            [expires, "Cache-Control: max-age=10"], .init(.seconds(10), source: .maxAge),
            "§5.3: max-age, \"MUST ignore the Expires\""),
        Row(
            ["Expires: 0", "Cache-Control: max-age=10"], .init(.seconds(10), source: .maxAge),
            "§5.3: max-age, \"MUST ignore the Expires\""),
        Row([expires], .init(.seconds(3_600), source: .expires), "\"its value minus the value of the Date\""),
        Row(
            ["Expires: Sun, 06 Nov 1994 08:49:37 GMT"], .init(.zero, source: .expires),
            "\"its value minus the value of the Date\""),
        Row(
            ["Expires: Sun, 06 Nov 1994 07:00:00 GMT"], .init(.zero, source: .expires), "expired when it was generated"),
        Row(
            ["Expires: Sunday, 06-Nov-94 09:49:37 GMT"], .init(.seconds(3_600), source: .expires),
            "RFC 9110 §5.6.7: all three forms"),
        Row(
            ["Expires: sun, 06 nov 1994 09:49:37 gmt"], .init(.seconds(3_600), source: .expires),
            "§4.2 \"SHOULD match … case-insensitively\""),
        Row([], .init(.zero, source: .heuristic), "\"Otherwise, no explicit expiration time is present\""),
        Row(["Cache-Control: max-age=0"], .init(.zero, source: .maxAge), "§5.2.2.1"),
        Row(["Cache-Control: max-age=99999999999"], .init(.seconds(2_147_483_648), source: .maxAge), "§1.2.2 overflow"),
    ]

    @Test("a private cache takes the first match of the list", arguments: inPrivate)
    func firstMatch(_ row: Row<[String], FreshnessLifetime>) {
        #expect(Self.lifetime(row.given) == row.expected)
    }

    static let inShared: [Row<[String], FreshnessLifetime>] = [
        Row(
            ["Cache-Control: max-age=10, s-maxage=60"], .init(.seconds(60), source: .sMaxage),
            "\"If the cache is shared and s-maxage\""),
        Row(
            ["Cache-Control: s-maxage=0, max-age=10", expires], .init(.zero, source: .sMaxage),
            "§5.2.2.10 \"overrides the maximum age\""),
        Row(
            ["Cache-Control: max-age=10"], .init(.seconds(10), source: .maxAge),
            "\"If the max-age response directive is present\""),
        Row(
            ["Cache-Control: s-maxage=x, max-age=10"], stale,
            "\"encouraged to consider … invalid freshness information … stale\""),
        Row([expires], .init(.seconds(3_600), source: .expires), "\"its value minus the value of the Date\""),
        Row(
            ["Last-Modified: Sat, 05 Nov 1994 08:49:37 GMT", "Set-Cookie: a=b"], .init(.zero, source: .heuristic),
            "our choice: nobody said that it is for others (§7.3)"),
    ]

    @Test("a shared cache looks at s-maxage before", arguments: inShared)
    func shared(_ row: Row<[String], FreshnessLifetime>) {
        #expect(Self.lifetime(row.given, in: .shared) == row.expected)
    }

    static let invalid: [Row<[String], FreshnessLifetime>] = [
        Row(
            ["Cache-Control: max-age=ten", expires], stale,
            "\"encouraged to consider … invalid freshness information … stale\""),
        Row(["Cache-Control: max-age"], stale, "\"encouraged to consider … invalid freshness information … stale\""),
        Row(["Cache-Control: max-age=-1"], stale, "\"encouraged to consider … invalid freshness information … stale\""),
        Row(
            ["Cache-Control: max-age =10"], stale, "\"encouraged to consider … invalid freshness information … stale\""),
        Row(
            ["Cache-Control: max-age=\"10"], stale, "\"encouraged to consider … invalid freshness information … stale\""
        ),
        Row(["Expires: 0"], stale, "§5.3 \"MUST interpret invalid date formats, especially the value '0'\""),
        Row(
            ["Expires: -1", "Last-Modified: Sat, 05 Nov 1994 08:49:37 GMT"], stale, "§5.3, and no heuristics beside it"),
        Row(["Expires:"], stale, "§5.3 \"invalid date formats\""),
        Row(["Expires: Sun, 06 Nov 1994 09:49:37 UTC"], stale, "§4.2 \"a zone abbreviation other than GMT … invalid\""),
        Row(["Expires: Sun, 06 Nov 1994 10:49:37 +0100"], stale, "§5.3 \"invalid date formats\""),
    ]

    @Test("information that can't be read makes a response stale, not heuristic", arguments: invalid)
    func checkInvalid(_ row: Row<[String], FreshnessLifetime>) {
        #expect(Self.lifetime(row.given) == row.expected)
    }

    static let repeated: [Row<[String], FreshnessLifetime>] = [
        Row(
            ["Cache-Control: max-age=10, max-age=99"], .init(.seconds(10), source: .maxAge),
            "\"the first occurrence should be used\""),
        Row(
            ["Cache-Control: max-age=99", "Cache-Control: max-age=10"], .init(.seconds(99), source: .maxAge),
            "\"the first occurrence should be used\""),
        Row(
            [expires, "Expires: 0"], .init(.seconds(3_600), source: .expires), "\"the first occurrence should be used\""
        ),
        Row(["Expires: 0", expires], stale, "\"the first occurrence should be used\""),
    ]

    @Test("of several values the first counts", arguments: repeated)
    func checkRepeated(_ row: Row<[String], FreshnessLifetime>) {
        #expect(Self.lifetime(row.given) == row.expected)
    }

    @Test("without a Date, Expires counts from the arrival (RFC 9110 §6.6.1)")
    func withoutDate() {
        let response = StoredResponse.sample([Self.expires], receivedAfter: .seconds(600))
        #expect(FreshnessLifetime(of: response, in: .private) == .init(.seconds(3_000), source: .expires))
    }

    @Test("Expires counts from the origin's Date, not from the cache's clock")
    func clockOffset() {
        let response = StoredResponse.sample(
            [StoredResponse.sampleDate, Self.expires], requestedAfter: .seconds(9_000), receivedAfter: .seconds(9_000))
        #expect(FreshnessLifetime(of: response, in: .private).duration == .seconds(3_600))
    }
}
