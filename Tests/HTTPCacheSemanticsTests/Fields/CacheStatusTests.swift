import HTTPCacheSemantics
import Testing

@Suite("RFC 9211 The Cache-Status HTTP Response Header Field")
struct CacheStatusTests {
    static func status(_ change: (inout CacheStatus) -> Void) -> CacheStatus {
        var status = CacheStatus()
        change(&status)
        return status
    }

    static let members: [Row<CacheStatus, String>] = [
        Row(status { $0.isHit = true }, "Larder; hit", "§3 first example"),
        Row(status { ($0.isHit, $0.timeToLive) = (true, 1_100) }, "Larder; hit; ttl=1100", "§3 \"ttl=1100\""),
        Row(status { $0.forward = .uriMiss }, "Larder; fwd=uri-miss", "§3 \"fwd=uri-miss\""),
        Row(
            status { ($0.forward, $0.isStored) = (.uriMiss, true) }, "Larder; fwd=uri-miss; stored",
            "§3 \"fwd=uri-miss; stored\""),
        Row(
            status { ($0.forward, $0.forwardStatus) = (.stale, 304) }, "Larder; fwd=stale; fwd-status=304",
            "§3 \"fwd=stale; fwd-status=304\""),
        Row(
            status { ($0.forward, $0.isCollapsed) = (.uriMiss, true) }, "Larder; fwd=uri-miss; collapsed",
            "§2.6 collapsed"),
        Row(
            status { ($0.isHit, $0.timeToLive) = (true, -412) }, "Larder; hit; ttl=-412",
            "§2.4: negative once stale"),
        Row(status { _ in }, "Larder", "§2: every parameter is optional"),
        Row(
            status { ($0.isHit, $0.forward) = (true, .stale) }, "Larder; hit",
            "§2.1: hit and fwd exclude each other"),
        Row(
            status { ($0.isHit, $0.isStored, $0.isCollapsed, $0.forwardStatus) = (true, true, true, 200) },
            "Larder; hit", "§2.3, §2.5, §2.6: meaningful only beside fwd"),
        Row(
            status { ($0.isHit, $0.detail) = (true, "api-path") }, "Larder; hit; detail=api-path",
            "§2.8 an sf-token"),
        Row(
            status { $0.detail = "a b\"c;d=é\r\nX: y" }, "Larder; detail=\"a b\\\"c;d=???X: y\"",
            "§2.8 \"either a String or a Token\", RFC 9651 §3.3.3: printable ASCII"),
        Row(status { $0.detail = "5xx" }, "Larder; detail=\"5xx\"", "RFC 9651 §3.3.4: ALPHA or \"*\" first"),
        Row(
            status { ($0.forward, $0.forwardStatus) = (.stale, 1_000) }, "Larder; fwd=stale",
            "RFC 9110 §15: a status code has three digits"),
        Row(
            status { ($0.forward, $0.forwardStatus) = (.stale, -1) }, "Larder; fwd=stale",
            "RFC 9110 §15: a status code has three digits"),
        Row(status { $0.detail = "a:80/x" }, "Larder; detail=a:80/x", "RFC 9651 §3.3.4: \":\" and \"/\""),
        Row(status { $0.detail = "a\\ b" }, "Larder; detail=\"a\\\\ b\"", "RFC 9651 §4.1.6: escapes"),
        Row(status { $0.detail = "*" }, "Larder; detail=*", "RFC 9651 §3.3.4: ALPHA or \"*\" first"),
        Row(status { $0.detail = "" }, "Larder", "§2.8: an empty detail says nothing"),
        Row(
            status { $0.timeToLive = .max }, "Larder; ttl=999999999999999",
            "RFC 9651 §3.3.1: at most fifteen digits"),
        Row(
            status { $0.timeToLive = .min }, "Larder; ttl=-999999999999999",
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
        #expect(Self.status { $0.detail = reason.rawValue }.description == "Larder; detail=\(reason.rawValue)")
    }
}
