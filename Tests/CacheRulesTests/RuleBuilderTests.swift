import CacheRules
import HTTPTypes
import Testing

@Suite("Rules written in Swift")
struct RuleBuilderTests {
    struct AppRule: CacheRule {
        let name = "app"
        func verdict(for exchange: Exchange) -> Verdict? { exchange.request.path == "/app" ? .permanent : nil }
    }

    @Test("rules, lists, conditions with if and for keep their order", arguments: [true, false])
    func builder(_ isDebug: Bool) throws {
        let list = RuleList {
            Rule("payments", .neverStore) {
                When.host("pay.example.com", "*.bank.example")
                When.not(.pathPrefix("/public/"))
                if isDebug { When.query("debug") }
            }
            if isDebug {
                Rule("debug", .bypass, when: .host("debug.test"))
            } else {
                Rule("release", .bypass, when: .host("release.test"))
            }
            for section in ["news", "sports"] {
                Rule(section, .networkFirst(timeout: .seconds(3)), when: .path("/\(section)/**"))
            }
            Rule("builds", .permanent, when: .path("**/build-*/**"))
            AppRule()
            RuleList.webViewDefaults.removing("api-path")
        }
        let defaults = RuleList.webViewDefaults.names.filter { $0 != "api-path" }
        #expect(
            list.names == ["payments", isDebug ? "debug" : "release", "news", "sports", "builds", "app"] + defaults)
        #expect(list.decision(for: exchange("https://x.bank.example/")).rule == (isDebug ? nil : "payments"))
        #expect(list.decision(for: exchange("https://x.bank.example/?debug")).rule == "payments")
        #expect(list.decision(for: exchange("https://x.bank.example/public/?debug")).rule == nil)
        #expect(list.decision(for: exchange("https://a.test/sports/1")).verdict == .networkFirst(timeout: .seconds(3)))
        #expect(list.decision(for: exchange("https://a.test/app")).rule == "app")
        #expect(list.decision(for: exchange("https://a.test/build-7/x")).verdict == .permanent)
        #expect(list.decision(for: exchange("https://a.test/api/x")).rule == nil)
        #expect(list.values == nil)
    }

    @Test("a decision has the other settings of the rule")
    func decision() {
        let rule = Rule(
            "logo", .fresh(for: .seconds(60)), ignoring: [.noStore, .vary], expiry: .seconds(3_600), tags: ["brand"],
            when: .path("/logo.svg"))
        #expect(
            RuleList([rule]).decision(for: exchange("https://a.test/logo.svg"))
                == PolicyDecision(
                    verdict: .fresh(for: .seconds(60)), rule: "logo", ignoring: [.noStore, .vary],
                    expiry: .seconds(3_600), tags: ["brand"]))
        #expect(rule.decision(for: exchange("https://a.test/logo.svg"))?.tags == ["brand"])
        #expect(rule.verdict(for: exchange("https://a.test/logo.png")) == nil)
    }

    @Test("rules are replaced and removed by name")
    func editing() {
        let list = RuleList {
            Rule("a", .bypass)
            Rule("b", .revalidate)
        }
        let replaced = list.replacing("a", with: Rule("c", .permanent))
        #expect(replaced.names == ["c", "b"])
        #expect(replaced.decision(for: exchange("https://a.test/")).verdict == .permanent)
        #expect(list.removing("a").decision(for: exchange("https://a.test/")).rule == "b")
        #expect(list.removing("a", "b").names.isEmpty)
        #expect(list.removing("x").names == ["a", "b"])
        #expect(list["b"]?.verdict(for: exchange("https://a.test/")) == .revalidate)
        #expect(list["x"] == nil)
    }

    @Test("setting the rules changes the decision")
    func mutation() {
        var list = RuleList.protocolOnly
        list.rules.append(Rule("a", .bypass, when: .contentType("text/css")))
        #expect(list.looksAtResponse)
        #expect(list.decision(for: exchange("https://a.test/", response: [.contentType: "text/css"])).rule == "a")
        #expect(RuleList.protocolOnly.rules.isEmpty)
    }

    @Test("the order of conditions does not matter")
    func order() {
        let one = Rule("a", .bypass, when: .path("/x"), .host("a.test"), .query("q"))
        let other = Rule("a", .bypass, when: .query("q"), .host("a.test"), .path("/x"))
        #expect(one == other)
        #expect(one != Rule("a", .bypass, when: .query("q"), .host("b.test"), .path("/x")))
    }

    @Test(
        "Workbox's names mean our verdicts",
        arguments: [
            (Workbox.CacheFirst, Verdict.cacheFirst), (Workbox.CacheOnly, .onlyIfStored),
            (Workbox.NetworkFirst, .networkFirst(timeout: nil)), (Workbox.NetworkOnly, .bypass),
            (Workbox.NetworkFirst(networkTimeout: .seconds(3)), .networkFirst(timeout: .seconds(3))),
            (Workbox.StaleWhileRevalidate, .staleWhileRevalidate(for: nil)),
        ])
    func workbox(_ theirs: Verdict, _ ours: Verdict) {
        #expect(theirs == ours)
    }

    @Test(
        "a verdict reads as in a rules file",
        arguments: [
            (Verdict.neverStore, "never-store"), (.fresh(for: .seconds(604_800)), "fresh for 7d"),
            (.networkFirst(timeout: .milliseconds(1_500)), "network-first within 1s500ms"),
            (.networkFirst(timeout: nil), "network-first"), (.reload(.everyCache), "reload past all caches"),
            (.reload(.local), "reload"), (.staleWhileRevalidate(for: nil), "stale-while-revalidate"),
            (.staleIfError(for: .seconds(5_400)), "stale-if-error for 1h30m"), (.onlyIfStored, "only-if-stored"),
        ])
    func descriptions(_ verdict: Verdict, _ text: String) {
        #expect(verdict.description == text)
    }
}
