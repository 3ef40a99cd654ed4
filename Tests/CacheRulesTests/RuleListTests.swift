import CacheRules
import HTTPTypes
import Testing

@Suite("Rules: the first one with a verdict wins")
struct RuleListTests {
    struct FixedRule: CacheRule {
        var name: String
        var fixed: Verdict?

        func verdict(for exchange: Exchange) -> Verdict? { fixed }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var rules: [FixedRule]
        var verdict: Verdict
        var rule: String?
        var why: String

        var testDescription: String { why }
    }

    static func exchange(
        _ path: String?, connectivity: Connectivity = .connected, method: HTTPRequest.Method = .get
    ) -> Exchange {
        let request = HTTPRequest(method: method, scheme: "https", authority: "example.org", path: path)
        return Exchange(request: request, destination: .unknown, connectivity: connectivity)
    }

    static let cases = [
        Case(
            rules: [], verdict: .followProtocol, rule: nil, why: "no rule: the protocol decides, and no rule is named"),
        Case(
            rules: [FixedRule(name: "a", fixed: nil)], verdict: .followProtocol, rule: nil,
            why: "a rule without an opinion is not named"),
        Case(
            rules: [FixedRule(name: "a", fixed: nil), FixedRule(name: "b", fixed: .bypass)], verdict: .bypass,
            rule: "b",
            why: "a rule without an opinion leaves it to the next"),
        Case(
            rules: [FixedRule(name: "a", fixed: .onlyIfStored), FixedRule(name: "b", fixed: .bypass)],
            verdict: .onlyIfStored, rule: "a", why: "the first opinion wins"),
        Case(
            rules: [FixedRule(name: "a", fixed: .followProtocol), FixedRule(name: "b", fixed: .bypass)],
            verdict: .followProtocol, rule: "a", why: "to follow the protocol is an opinion too"),
    ]

    @Test("a list rules by its first verdict, and names whose it was", arguments: cases)
    func order(_ row: Case) {
        let decision = RuleList(row.rules).decision(for: Self.exchange("/"))
        #expect(decision == PolicyDecision(verdict: row.verdict, rule: row.rule))
    }

    @Test("the protocol alone has no opinion, not even without a network")
    func protocolOnly() {
        let decision = RuleList.protocolOnly.decision(for: Self.exchange("/api/x", connectivity: .disconnected))
        #expect(decision == PolicyDecision(verdict: .followProtocol, rule: nil))
    }

    struct DefaultCase: Sendable, CustomTestStringConvertible {
        var path: String?
        var connectivity = Connectivity.connected
        var verdict: Verdict
        var rule: String?

        var testDescription: String { "\(path ?? "no path"), \(connectivity)" }
    }

    static let defaults = [
        DefaultCase(path: "/", verdict: .followProtocol),
        DefaultCase(path: "/static/app.js", verdict: .staleIfError(for: .seconds(365 * 86_400)), rule: "static-error"),
        DefaultCase(path: "/api/x", verdict: .storeOnlyIfExplicit, rule: "api-path"),
        DefaultCase(path: "/user/1?x=y", verdict: .storeOnlyIfExplicit, rule: "api-path"),
        DefaultCase(path: "/realtime/", verdict: .storeOnlyIfExplicit, rule: "api-path"),
        DefaultCase(path: "/api", verdict: .followProtocol),
        DefaultCase(path: "/apiary", verdict: .followProtocol),
        DefaultCase(path: "/v1/api/x", verdict: .followProtocol),
        DefaultCase(path: "/?/api/", verdict: .followProtocol),
        DefaultCase(path: "/API/x", verdict: .followProtocol),
        DefaultCase(path: "", verdict: .followProtocol),
        DefaultCase(path: nil, verdict: .followProtocol),
        DefaultCase(path: "/", connectivity: .disconnected, verdict: .onlyIfStored, rule: "disconnected"),
        DefaultCase(path: "/api/x", connectivity: .disconnected, verdict: .onlyIfStored, rule: "disconnected"),
        DefaultCase(path: nil, connectivity: .disconnected, verdict: .onlyIfStored, rule: "disconnected"),
    ]

    @Test(
        "web views: everything from the store without a network, API answers only where they say so",
        arguments: defaults)
    func webViewDefaults(_ row: DefaultCase) {
        let decision = RuleList.webViewDefaults.decision(for: Self.exchange(row.path, connectivity: row.connectivity))
        #expect(decision == PolicyDecision(verdict: row.verdict, rule: row.rule))
    }

    @Test("rules look at the request, not at its method", arguments: [.get, .head, .post] as [HTTPRequest.Method])
    func methods(_ method: HTTPRequest.Method) {
        let decision = RuleList.webViewDefaults.decision(for: Self.exchange("/api/x", method: method))
        #expect(decision.rule == "api-path")
    }
}
