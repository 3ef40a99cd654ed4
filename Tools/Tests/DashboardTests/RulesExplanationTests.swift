import CacheRules
import HTTPTypes
import Testing

@testable import Dashboard

@Suite("What rules decide, in a terminal")
struct RulesExplanationTests {
    private static let list = RuleList {
        Rule("feed", .neverStore, when: .contentType("application/rss+xml"))
        Rule(
            "news", .networkFirst(timeout: .seconds(3)), ignoring: [.vary], expiry: .seconds(36 * 3_600),
            validation: .head,
            tags: ["front", "\u{1B}[31mred"], note: "says \"when\": {", when: .path("/news/**"), .query("when"))
        Rule("last", .permanent)
    }.keyed(by: KeyRule("campaigns", dropsTracking: true))

    private func explanation(_ path: String, response: HTTPResponse? = nil) -> RulesExplanation {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: path)
        return RulesExplanation(
            Self.list,
            Exchange(request: request, destination: .fetch, connectivity: .connected, response: response))
    }

    @Test("the rule that decides, with the conditions that hold and all that goes with the verdict")
    func decision() {
        let found = explanation("/news/a?when&utm_source=x")
        #expect(found.decision.rule == "news")
        #expect(found.decision.when == #"{ "path": "/news/**", "query": { "when": true } }"#)
        #expect(found.decision.ignoring == ["vary"] && found.decision.expirySeconds == 129_600)
        #expect(found.decision.validateWith == "head")
        #expect(found.rules.map(\.outcome) == [.waitsForResponse, .decides, .comesTooLate])
        #expect(found.mayStillDecide == ["feed"])
        #expect(found.key?.url == "https://shop.test/news/a?when" && found.key?.rule == "campaigns")
        #expect(found.destination == "fetch")
    }

    @Test("a rule about the network that gives way to never-store is not said to decide")
    func givesWay() {
        let list = RuleList {
            Rule.disconnected
            Rule("account", .neverStore, when: .path("/account/**"))
            Rule("last", .permanent)
        }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: "/account")
        let found = RulesExplanation(
            list, Exchange(request: request, destination: .fetch, connectivity: .disconnected))
        #expect(found.decision.rule == "account")
        #expect(found.rules.map(\.outcome) == [.givesWay, .decides, .comesTooLate])
    }

    @Test("a response settles what waited for it", arguments: [("application/rss+xml", "feed"), ("text/html", "last")])
    func response(_ contentType: String, _ rule: String) {
        let found = explanation("/", response: HTTPResponse(status: .ok, headerFields: [.contentType: contentType]))
        #expect(found.decision.rule == rule && found.mayStillDecide == [] && found.hasResponse)
        #expect(found.key == nil)
    }

    @Test(
        "stays inside the terminal, and sends it nothing to obey", arguments: [40, 60, 80, 200], ["/", "/news/a?when"])
    func text(_ width: Int, _ path: String) {
        let explanation = explanation(path + String(repeating: "y", count: 200))
        let text = RulesExplanationText(explanation, source: "a.json", colours: false, width: width).render()
        for line in text.split(separator: "\n") {
            #expect(TerminalText.width(String(line)) <= width, "\(line)")
        }
        #expect(!text.contains("\u{1B}"))
    }
}
