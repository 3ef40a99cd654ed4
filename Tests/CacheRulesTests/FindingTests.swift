import CacheRules
import Testing

@Suite("Each rule tells why it decides or does not")
struct FindingTests {
    struct AppRule: CacheRule {
        let name = "app"
        func verdict(for exchange: Exchange) -> Verdict? { exchange.request.path == "/app" ? .permanent : nil }
    }

    private static let list = RuleList {
        Rule("host", .bypass, when: .host("b.test", "*.c.test"))
        Rule("css", .cacheFirst, when: .contentType("text/css"), .pathPrefix("/a"))
        AppRule()
        Rule("rest", .revalidate)
        Rule("last", .bypass, when: .not(.query("x")))
    }

    private func outcomes(_ exchange: Exchange) -> [RuleList.Outcome] {
        Self.list.findings(for: exchange).map(\.outcome)
    }

    @Test("in order, with the condition that does not hold, in the words of a rules file")
    func findings() {
        #expect(Self.list.findings(for: exchange("https://a.test/")).map(\.rule) == Self.list.names)
        #expect(
            outcomes(exchange("https://a.test/app?x")) == [
                .doesNotApply(because: #"{ "host": ["b.test", "*.c.test"] }"#),
                .waitsForResponse(because: #"{ "content-type": "text/css" }"#), .hasNoOpinion, .decides(.revalidate),
                .doesNotApply(because: #"{ "not": { "query": { "x": true } } }"#),
            ])
        #expect(
            outcomes(exchange("https://b.test/app")) == [
                .decides(.bypass), .waitsForResponse(because: #"{ "content-type": "text/css" }"#),
                .decides(.permanent), .decides(.revalidate), .decides(.bypass),
            ])
        #expect(
            outcomes(exchange("https://a.test/b", response: [.contentType: "text/html"]))[1]
                == .doesNotApply(because: #"{ "path-prefix": "/a" }"#))
        #expect(
            outcomes(exchange("https://a.test/a", response: [.contentType: "text/css"]))[1] == .decides(.cacheFirst))
    }

    @Test("the first that decides is the one that rules", arguments: 0..<20)
    func agreement(_ seed: Int) {
        var rules = RandomRules(seed: seed)
        for _ in 0..<20 {
            let (list, exchange) = (rules.list(), rules.exchange())
            let first = list.findings(for: exchange).first { if case .decides = $0.outcome { true } else { false } }
            #expect(list.decision(for: exchange).rule == first?.rule)
        }
    }
}
