import HTTPCacheSemantics
import Testing

@Suite("RFC 9211 The Cache-Status HTTP Response Header Field")
struct CacheStatusTests {
    static func status(cache: String = "ExampleCache", _ change: (inout CacheStatus) -> Void) -> CacheStatus {
        var status = CacheStatus(cache: cache)
        change(&status)
        return status
    }

    static let members: [Row<CacheStatus, String>] = [
        Row(status { $0.isHit = true }, "ExampleCache; hit", "§3 first example"),
        Row(status { ($0.isHit, $0.timeToLive) = (true, 1_100) }, "ExampleCache; hit; ttl=1100", "§3 \"ttl=1100\""),
        Row(status { $0.forward = .uriMiss }, "ExampleCache; fwd=uri-miss", "§3 \"fwd=uri-miss\""),
        Row(
            status { ($0.forward, $0.isStored) = (.uriMiss, true) }, "ExampleCache; fwd=uri-miss; stored",
            "§3 \"fwd=uri-miss; stored\""),
        Row(
            status { ($0.forward, $0.forwardStatus) = (.stale, 304) }, "ExampleCache; fwd=stale; fwd-status=304",
            "§3 \"fwd=stale; fwd-status=304\""),
        Row(
            status { ($0.forward, $0.isCollapsed) = (.uriMiss, true) }, "ExampleCache; fwd=uri-miss; collapsed",
            "§2.6 collapsed"),
        Row(
            status { ($0.isHit, $0.timeToLive) = (true, -412) }, "ExampleCache; hit; ttl=-412",
            "§2.4: negative once stale"),
        Row(status { _ in }, "ExampleCache", "§2: every parameter is optional"),
        Row(
            status { ($0.isHit, $0.forward) = (true, .stale) }, "ExampleCache; hit",
            "§2.1: hit and fwd exclude each other"),
        Row(
            status { ($0.isHit, $0.isStored, $0.isCollapsed, $0.forwardStatus) = (true, true, true, 200) },
            "ExampleCache; hit", "§2.3, §2.5, §2.6: meaningful only beside fwd"),
        Row(
            status { ($0.isHit, $0.detail) = (true, "api-path") }, "ExampleCache; hit; detail=api-path",
            "§2.8 an sf-token"),
        Row(
            status { ($0.isHit, $0.timeToLive, $0.key) = (true, 376, "https://example.com/\"x\"") },
            "ExampleCache; hit; ttl=376; key=\"https://example.com/\\\"x\\\"\"", "§2.7 key is a String"),
        Row(status { $0.key = "GET" }, "ExampleCache; key=\"GET\"", "§2.7: never a Token"),
        Row(status { $0.key = "" }, "ExampleCache; key=\"\"", "RFC 9651 §3.3.3: a String may be empty"),
        Row(
            status { $0.detail = "a b\"c;d=é\r\nX: y" }, "ExampleCache; detail=\"a b\\\"c;d=???X: y\"",
            "§2.8 \"either a String or a Token\", RFC 9651 §3.3.3: printable ASCII"),
        Row(status { $0.detail = "5xx" }, "ExampleCache; detail=\"5xx\"", "RFC 9651 §3.3.4: ALPHA or \"*\" first"),
        Row(
            status { ($0.forward, $0.forwardStatus) = (.stale, 1_000) }, "ExampleCache; fwd=stale",
            "RFC 9110 §15: a status code has three digits"),
        Row(
            status { ($0.forward, $0.forwardStatus) = (.stale, -1) }, "ExampleCache; fwd=stale",
            "RFC 9110 §15: a status code has three digits"),
        Row(status { $0.detail = "*" }, "ExampleCache; detail=*", "RFC 9651 §3.3.4: ALPHA or \"*\" first"),
        Row(status { $0.detail = "" }, "ExampleCache", "§2.8: an empty detail says nothing"),
        Row(
            status(cache: "cache.example.net:80/x") { _ in }, "cache.example.net:80/x",
            "RFC 9651 §3.3.4: \":\" and \"/\""),
        Row(status(cache: "My Cache") { _ in }, "\"My Cache\"", "§2 \"a String or Token\""),
        Row(status(cache: "127.0.0.1") { _ in }, "\"127.0.0.1\"", "RFC 9651 §3.3.4: a token starts with a letter"),
        Row(status(cache: "a\"b\\c") { _ in }, "\"a\\\"b\\\\c\"", "RFC 9651 §4.1.6: escapes"),
        Row(status(cache: "é\n") { _ in }, "\"??\"", "RFC 9651 §3.3.3: printable ASCII"),
        Row(status(cache: "") { _ in }, "\"\"", "RFC 9651 §3.3.3: a string may be empty"),
        Row(
            status { $0.timeToLive = .max }, "ExampleCache; ttl=999999999999999",
            "RFC 9651 §3.3.1: at most fifteen digits"),
        Row(
            status { $0.timeToLive = .min }, "ExampleCache; ttl=-999999999999999",
            "RFC 9651 §3.3.1: at most fifteen digits"),
    ]

    @Test("a member carries what happened, and nothing contradictory", arguments: members)
    func prints(_ row: Row<CacheStatus, String>) {
        #expect(row.given.description == row.expected)
    }

    @Test("the reasons to forward are those of §2.2")
    func reasons() {
        let names = ["bypass", "method", "uri-miss", "vary-miss", "miss", "request", "stale", "partial"]
        #expect(ForwardReason.allCases.map(\.rawValue) == names)
    }

    @Test("the reasons not to store are tokens, ready for detail", arguments: StoreDecision.Reason.allCases)
    func details(_ reason: StoreDecision.Reason) {
        #expect(Self.status { $0.detail = reason.rawValue }.description == "ExampleCache; detail=\(reason.rawValue)")
    }
}
