import CacheRules
import HTTPTypes
import Testing

@Suite("never-store and rules about the network")
struct NeverStorePrecedenceTests {
    private static let rules = RuleList {
        RuleList.webViewSafeguards
        Rule("thrifty", .cacheFirst, when: .connectivity(.expensive))
        Rule("help", .fresh(for: .seconds(60)), when: .path("/account/help/**"))
        Rule("account", .neverStore, when: .path("/account/**"))
        RuleList.webViewDefaults
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var path: String
        var connectivity: Connectivity
        var rule: String?
        var testDescription: String { "\(path) \(connectivity): \(rule ?? "none")" }
    }

    @Test(
        "no state of the network overrides never-store, and an exception above it still applies",
        arguments: [
            Row(path: "/account/orders", connectivity: .connected, rule: "account"),
            Row(path: "/account/orders", connectivity: .disconnected, rule: "account"),
            Row(path: "/account/orders", connectivity: Connectivity(isExpensive: true), rule: "account"),
            Row(path: "/account/help/a", connectivity: .disconnected, rule: "disconnected"),
            Row(path: "/account/help/a", connectivity: Connectivity(isExpensive: true), rule: "thrifty"),
            Row(path: "/shop", connectivity: .disconnected, rule: "disconnected"),
        ])
    func precedence(_ row: Row) {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: row.path)
        let decision = Self.rules.decision(
            for: Exchange(request: request, destination: .unknown, connectivity: row.connectivity))
        #expect(decision.rule == row.rule)
    }

    @Test("the defaults store no streams, whatever rule of the app follows the safeguards")
    func streams() {
        let rules = RuleList {
            RuleList.webViewSafeguards
            Rule("all", .fresh(for: .seconds(60)))
        }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: "/live")
        for type in ["text/event-stream", "multipart/x-mixed-replace; boundary=b"] {
            var exchange = Exchange(request: request, destination: .fetch, connectivity: .disconnected)
            exchange.response = HTTPResponse(status: .ok, headerFields: [.contentType: type])
            #expect(rules.decision(for: exchange).verdict == .neverStore)
        }
    }
}
