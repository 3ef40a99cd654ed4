import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9211 §2 Cache-Status, read")
struct CacheStatusReadingTests {
    static func status(_ cache: String = "A", _ change: (inout CacheStatus) -> Void = { _ in }) -> CacheStatus {
        CacheStatusTests.status(cache: cache, change)
    }

    static let fields: [Row<[String], [CacheStatus]>] = [
        Row([], [], "absent"),
        Row([""], [], "RFC 9651 §4.2.1: a List may be empty"),
        Row(["ExampleCache; hit"], [status("ExampleCache") { $0.isHit = true }], "§3, first example"),
        Row(
            ["ExampleCache; hit; ttl=-412"],
            [status("ExampleCache") { ($0.isHit, $0.timeToLive) = (true, -412) }], "§3, third example"),
        Row(
            ["ExampleCache; fwd=stale; fwd-status=304"],
            [status("ExampleCache") { ($0.forward, $0.forwardStatus) = (.stale, 304) }], "§3, fifth example"),
        Row(
            ["ExampleCache; fwd=uri-miss; collapsed"],
            [status("ExampleCache") { ($0.forward, $0.isCollapsed) = (.uriMiss, true) }], "§3, sixth example"),
        Row(
            ["ExampleCache; fwd=uri-miss; collapsed=?0"],
            [status("ExampleCache") { $0.forward = .uriMiss }], "§3, seventh example"),
        Row(
            ["OriginCache; hit; ttl=1100,\t\"CDN Company Here\"; hit; ttl=545"],
            [
                status("OriginCache") { ($0.isHit, $0.timeToLive) = (true, 1_100) },
                status("CDN Company Here") { ($0.isHit, $0.timeToLive) = (true, 545) },
            ], "§3, eighth example"),
        Row(
            [
                "ReverseProxyCache; hit", "ForwardProxyCache; fwd=uri-miss; collapsed; stored",
                "BrowserCache; fwd=uri-miss",
            ],
            [
                status("ReverseProxyCache") { $0.isHit = true },
                status("ForwardProxyCache") { ($0.forward, $0.isCollapsed, $0.isStored) = (.uriMiss, true, true) },
                status("BrowserCache") { $0.forward = .uriMiss },
            ], "§3, ninth example: lines in order"),
        Row(["A; detail=MEMORY"], [status { $0.detail = "MEMORY" }], "§2.8 a Token"),
        Row(["A; detail=\"in \\\"memory\\\"\""], [status { $0.detail = "in \"memory\"" }], "§2.8 a String"),
        Row(["A; key=\"/a?b\""], [status { $0.key = "/a?b" }], "§2.7 a String"),
        Row(["A; key=token"], [status()], "§2.7 a String, no Token"),
        Row(["A; hit=1; stored=\"yes\"; collapsed=true"], [status()], "§2.1, §2.5, §2.6 Booleans only"),
        Row(["A; fwd"], [status()], "§2.2 a Token, no Boolean"),
        Row(["A; fwd=\"miss\""], [status()], "§2.2 a Token, no String"),
        Row(["A; fwd=unheard-of"], [status()], "§2.2: a reason that is not in the list"),
        Row(["A; fwd=Stale"], [status()], "RFC 9651 §3.3.4: a Token has its case"),
        Row(["A; fwd-status=\"304\""], [status()], "§2.3 an Integer"),
        Row(["A; fwd-status=3040"], [status()], "§2.3 a status code"),
        Row(["A; ttl=1.5"], [status()], "§2.4 an Integer, no Decimal"),
        Row(["A; ttl=@5"], [status()], "§2.4 an Integer, no Date"),
        Row(["A; x=5; hit; y=:YQ==:"], [status { $0.isHit = true }], "§4: parameters of others are left alone"),
        Row(["A; hit; hit=?0"], [status()], "RFC 9651 §4.2.3.2: of equal keys the last counts"),
        Row(["5; hit, A"], [status()], "§2: a name is a String or a Token, no Integer"),
        Row(["(A B); hit, A"], [status()], "§2: a member is no Inner List"),
        Row(["A; hit,"], [], "RFC 9651 §4.2.1: a trailing comma breaks the field"),
        Row(["A; hit", ""], [], "RFC 9651 §4.2.1: an empty line among others is a trailing comma"),
        Row(["A; Hit"], [], "RFC 9651 §4.2.3.3: keys are in lower case"),
        Row(["\tA"], [], "RFC 9651 §4.2: only SP is discarded in front"),
        Row(["A; x=\"\u{7F}\""], [], "RFC 9651 §4.2.5: DEL is no VCHAR"),
        Row(["A hit"], [], "RFC 9651 §4.2.1: a comma"),
        Row(["A; hit; é"], [], "RFC 9651 §4.2: ASCII"),
        Row(["A", "B; x=\""], [], "RFC 9651 §4.2 \"the entire field value MUST be ignored\""),
    ]

    @Test("a List of caches with their parameters is read, a broken one is none", arguments: fields)
    func reads(_ row: Row<[String], [CacheStatus]>) {
        #expect(CacheStatus.list(lines: row.given) == row.expected)
    }

    @Test("every line of the field counts, and other fields do not")
    func otherFields() {
        let fields = HTTPFields(lines: ["Cache-Status: A; hit", "X-Cache: B", "cache-status: C"])
        #expect(CacheStatus.list(fields).map(\.cache) == ["A", "C"])
    }

    /// A value in which nothing contradicts, and which RFC 9651 can carry.
    private static func random(_ generator: inout SplitMix64) -> CacheStatus {
        var status = CacheStatus(cache: generator.text(of: Alphabets.printable, count: 0...12))
        if Bool.random(using: &generator) {
            status.isHit = Bool.random(using: &generator)
        } else {
            status.forward = ForwardReason.allCases.randomElement(using: &generator)
            status.forwardStatus = generator.optional { Int.random(in: 100...999, using: &$0) }
            status.isStored = Bool.random(using: &generator)
            status.isCollapsed = Bool.random(using: &generator)
        }
        status.timeToLive = generator.optional {
            Int64.random(in: -999_999_999_999_999...999_999_999_999_999, using: &$0)
        }
        status.key = generator.optional { $0.text(of: Alphabets.printable, count: 0...30) }
        status.detail = generator.optional {
            $0.text(of: Bool.random(using: &$0) ? Alphabets.token : Alphabets.printable, count: 1...12)
        }
        return status
    }

    @Test("what is printed is read back, one by one and as a list", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            let list = generator.values(1...4, Self.random)
            let lines = list.map(\.description)
            #expect(CacheStatus.list(lines: lines) == list, "\(lines)")
            #expect(CacheStatus.list(lines: [lines.joined(separator: ", ")]) == list, "\(lines)")
        }
    }
}
