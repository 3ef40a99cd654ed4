import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §4 Constructing Responses from Caches")
struct ReuseDecisionTests {
    struct Candidate: Sendable, CustomStringConvertible {
        var stored: [String]
        var presented: [String] = []
        var age: Duration = .zero
        var kind = CacheKind.private

        var description: String {
            "\(stored), \(age) old, for \(presented) in a \(kind.rawValue) cache"
        }

        var basis: ReuseDecision.Basis {
            ReuseDecision.decide(
                FreshnessInfo(of: .sample([StoredResponse.sampleDate] + stored), in: kind),
                request: RequestDirectives(HTTPFields(lines: presented)), at: .sample + age)
        }
    }

    static let freshness: [Row<Candidate, ReuseDecision>] = [
        Row(Candidate(stored: ["Cache-Control: max-age=10"]), .reuse, "§4 \"fresh (see Section 4.2)\""),
        Row(
            Candidate(stored: ["Cache-Control: max-age=10"], age: .seconds(9)), .reuse,
            "§4.2 freshness_lifetime > current_age"),
        Row(
            Candidate(stored: ["Cache-Control: max-age=10"], age: .milliseconds(9_999)), .reuse,
            "§4.2 freshness_lifetime > current_age"),
        Row(
            Candidate(stored: ["Cache-Control: max-age=10"], age: .seconds(10)), .validate(.stale),
            "§4.2: equal is not greater"),
        Row(Candidate(stored: ["Cache-Control: max-age=0"]), .validate(.stale), "§4.2: equal is not greater"),
        Row(Candidate(stored: ["Cache-Control: max-age=x"]), .validate(.stale), "§4.2.1: invalid is stale"),
        Row(Candidate(stored: ["Expires: 0"]), .validate(.stale), "§5.3: invalid is past"),
        Row(Candidate(stored: []), .validate(.stale), "§4.2.2: nothing to estimate from"),
        Row(Candidate(stored: ["Cache-Control: max-age=10", "Age: 10"]), .validate(.stale), "§4.2.3: Age counts"),
        Row(
            Candidate(stored: ["Cache-Control: s-maxage=0, max-age=10"], kind: .shared), .validate(.stale),
            "§5.2.2.10 in a shared cache"),
        Row(Candidate(stored: ["Cache-Control: s-maxage=0, max-age=10"]), .reuse, "§5.2.2.10: not in a private cache"),
        Row(
            Candidate(stored: ["Cache-Control: max-age=10, must-revalidate"], age: .seconds(5)), .reuse,
            "§5.2.2.2 \"once the response has become stale\""),
    ]

    @Test("§4.2 a response is reused while its lifetime exceeds its age", arguments: freshness)
    func fresh(_ row: Row<Candidate, ReuseDecision>) {
        #expect(row.given.basis.decision == row.expected)
    }

    static let noCache: [Row<Candidate, ReuseDecision>] = [
        Row(
            Candidate(stored: ["Cache-Control: no-cache, max-age=10"]), .validate(.noCacheInResponse),
            "§5.2.2.4 \"MUST NOT be used … without forwarding it for validation\""),
        Row(
            Candidate(stored: ["Cache-Control: No-Cache", "Cache-Control: max-age=10"]), .validate(.noCacheInResponse),
            "§5.2.2.4"),
        Row(
            Candidate(stored: ["Cache-Control: no-cache=\"Set-Cookie\", max-age=10"]), .reuse,
            "§5.2.2.4 \"MAY use … if the listed header fields are excluded\""),
        Row(
            Candidate(stored: ["Cache-Control: no-cache=\"\", max-age=10"]), .validate(.noCacheInResponse),
            "§5.2.2.4: a list of nothing lifts no restriction"),
        Row(
            Candidate(stored: ["Cache-Control: no-cache=\"Cache-Control\", max-age=10"]), .validate(.noCacheInResponse),
            "§5.2.2.4: a response without Cache-Control would be another"),
        Row(
            Candidate(stored: ["Cache-Control: max-age=10"], presented: ["Cache-Control: no-cache"]),
            .validate(.noCacheInRequest), "§5.2.1.4 \"without successful validation\""),
        Row(
            Candidate(stored: ["Cache-Control: max-age=10"], presented: ["Pragma: no-cache"]),
            .validate(.noCacheInRequest), "§5.4: as if Cache-Control: no-cache were there"),
        Row(
            Candidate(stored: ["Cache-Control: max-age=10"], presented: ["Pragma: x, No-Cache"]),
            .validate(.noCacheInRequest), "§5.4: a member of a list"),
        Row(
            Candidate(
                stored: ["Cache-Control: max-age=10"], presented: ["Pragma: no-cache", "Cache-Control: max-age=60"]),
            .reuse, "§5.4: only where Cache-Control is missing"),
        Row(
            Candidate(stored: ["Cache-Control: max-age=10"], presented: ["Pragma: x"]), .reuse,
            "§5.4: other pragmas mean nothing"),
        Row(
            Candidate(stored: ["Cache-Control: max-age=10", "Pragma: no-cache"]), .reuse,
            "§5.4: not specified in responses"),
        Row(
            Candidate(stored: ["Cache-Control: max-age=10"], presented: ["Cache-Control: no-store"]), .reuse,
            "§5.2.1.5 is about storing"),
    ]

    @Test("§5.2.1.4, §5.2.2.4 no-cache on either side asks for validation", arguments: noCache)
    func noCacheOnEitherSide(_ row: Row<Candidate, ReuseDecision>) {
        #expect(row.given.basis.decision == row.expected)
    }

    static func minute(_ request: String, age: Int, stored: String = "max-age=60", kind: CacheKind = .private)
        -> Candidate
    {
        Candidate(
            stored: ["Cache-Control: " + stored], presented: ["Cache-Control: " + request], age: .seconds(age),
            kind: kind)
    }

    static let wishes: [Row<Candidate, ReuseDecision>] = [
        Row(minute("max-age=10", age: 10), .reuse, "§5.2.1.1 \"less than or equal to the specified number\""),
        Row(minute("max-age=10", age: 11), .validate(.olderThanMaxAgeInRequest), "§5.2.1.1"),
        Row(minute("max-age=\"10\"", age: 11), .validate(.olderThanMaxAgeInRequest), "§5.2: both forms"),
        Row(minute("max-age=0", age: 1), .validate(.olderThanMaxAgeInRequest), "§5.2.1.1"),
        Row(
            minute("max-age=999", age: 60), .validate(.stale), "§5.2.1.1 \"does not wish to receive a stale response\""),
        Row(minute("max-age=x", age: 30), .reuse, "§5.2.1.1: a wish that can't be read"),
        Row(
            minute("max-age=10, max-stale=99", age: 30), .validate(.olderThanMaxAgeInRequest), "§5.2.1.1: still too old"
        ),
        Row(
            minute("max-age=99, max-stale=99", age: 70), .reuseStale,
            "§5.2.1.1 \"Unless the max-stale … is also present\""),
        Row(
            minute("min-fresh=20", age: 40), .reuse, "§5.2.1.3 \"no less than its current age plus the specified time\""
        ),
        Row(minute("min-fresh=20", age: 41), .validate(.notFreshEnough), "§5.2.1.3"),
        Row(minute("min-fresh=0", age: 60), .validate(.stale), "§4.2: not fresh"),
        Row(minute("min-fresh=5, max-stale", age: 70), .validate(.notFreshEnough), "§5.2.1.3: it shall still be fresh"),
        Row(minute("min-fresh=x", age: 30), .reuse, "§5.2.1.3: a wish that can't be read"),
        Row(
            minute("max-age=99999999999, min-fresh=99999999999", age: 0), .validate(.notFreshEnough), "§1.2.2 overflow"),
        Row(minute("foo=1, only-if-cached", age: 30), .reuse, "§5.2.1.7 is about what follows a miss"),
    ]

    @Test("§5.2.1 the request's wishes about age and freshness", arguments: wishes)
    func requestWishes(_ row: Row<Candidate, ReuseDecision>) {
        #expect(row.given.basis.decision == row.expected)
    }

    static let staleness: [Row<Candidate, ReuseDecision>] = [
        Row(minute("max-stale", age: 99_999), .reuseStale, "§5.2.1.2 \"a stale response of any age\""),
        Row(
            minute("max-stale=10", age: 70), .reuseStale, "§5.2.1.2 \"by no more than the specified number of seconds\""
        ),
        Row(minute("max-stale=10", age: 71), .validate(.stale), "§5.2.1.2 \"by no more than …\""),
        Row(minute("max-stale=10", age: 30), .reuse, "§4.2: fresh is fresh"),
        Row(minute("max-stale=x", age: 61), .validate(.stale), "§5.2.1.2: no number is no permission"),
        Row(minute("max-stale=", age: 61), .validate(.stale), "§5.2.1.2: no number is no permission"),
        Row(
            minute("max-stale =10", age: 9_999), .validate(.stale),
            "§5.2: no space before \"=\"; not the form without a number"),
        Row(minute("max-stale 10", age: 9_999), .validate(.stale), "§5.2: not the form without a number"),
        Row(minute("max-stale", age: 61, stored: "max-age=60, must-revalidate"), .validate(.stale), "§5.2.2.2"),
        Row(minute("max-stale", age: 61, stored: "max-age=60, no-cache"), .validate(.noCacheInResponse), "§5.2.2.4"),
        Row(
            minute("max-stale", age: 61, stored: "max-age=60, proxy-revalidate"), .reuseStale,
            "§5.2.2.8 \"does not apply to private caches\""),
        Row(
            minute("max-stale", age: 61, stored: "max-age=60, proxy-revalidate", kind: .shared), .validate(.stale),
            "§5.2.2.8"),
        Row(
            minute("max-stale", age: 61, stored: "s-maxage=60", kind: .shared), .validate(.stale),
            "§5.2.2.10 \"incorporates … proxy-revalidate\""),
        Row(minute("max-stale", age: 61, stored: "max-age=60", kind: .shared), .reuseStale, "§4.2.4 allows it"),
    ]

    @Test("§4.2.4, §5.2.1.2 stale is served where the request allows it and nothing forbids it", arguments: staleness)
    func servingStale(_ row: Row<Candidate, ReuseDecision>) {
        #expect(row.given.basis.decision == row.expected)
    }

    static let prohibitions: [Row<String, [Bool]>] = [
        Row("max-age=60", [false, false], "§4.2.4: nothing explicit"),
        Row("must-revalidate", [true, true], "§5.2.2.2"),
        Row("no-cache", [true, true], "§4.2.4 \"e.g., by a no-cache response directive\""),
        Row("no-cache=\"Set-Cookie\"", [false, false], "§5.2.2.4: the qualified form"),
        Row("no-cache=\"\"", [true, true], "§5.2.2.4: a list of nothing"),
        Row("proxy-revalidate", [false, true], "§5.2.2.8"),
        Row("s-maxage=60", [false, true], "§5.2.2.10"),
    ]

    @Test("§4.2.4 directives that prohibit stale responses, in private and shared caches", arguments: prohibitions)
    func forbidsStale(_ row: Row<String, [Bool]>) {
        let directives = CacheControl(lines: [row.given])
        #expect([CacheKind.private, .shared].map { ReuseDecision.forbidsStale(directives, in: $0) } == row.expected)
    }

    @Test("the figures behind a decision come with it")
    func figures() {
        let basis = Self.minute("max-stale", age: 75).basis
        #expect(basis.currentAge == .seconds(75))
        #expect(basis.lifetime == FreshnessLifetime(.seconds(60), source: .maxAge))
        #expect(basis.remaining == .seconds(-15))
    }
}
