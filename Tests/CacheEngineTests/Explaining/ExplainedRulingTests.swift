import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Explaining a decision under rules")
struct ExplainedRulingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: Rule
        var stored = "public, max-age=2419200"
        var age: Duration = .zero
        var answer: Explanation.Answer
        /// Text that the steps or the summary must contain.
        var says: [String] = []
        var change: String
        /// Text that must not appear.
        var never: [String] = []
        var testDescription: String { "\(rule.verdict) aged \(age)" }
    }

    static let blame = ["§5.2.2.4", "Without no-cache"]

    static let rows: [Row] = [
        Row(
            rule: rule(.followProtocol, expiry: .seconds(3)), age: .seconds(8), answer: .validated,
            says: ["rule 'own' lets it answer unvalidated up to an age of 3 s; that ended 5 s ago"],
            change: "An expiry above 8 s in rule 'own' would let the store answer.", never: blame),
        Row(
            rule: rule(.followProtocol, expiry: .seconds(7 * 86_400)), age: .seconds(3_600), answer: .stored,
            says: ["6 d 23 h of it is left"],
            change: "In 6 d 23 h it is past the expiry of rule 'own' and will be validated."),
        // The explanation names what ends first.
        Row(
            rule: rule(.followProtocol, expiry: .seconds(7 * 86_400)), stored: "max-age=60", answer: .stored,
            change: "In 1 min it is stale and will be validated."),
        // An expiry ends a rule's freshness; nothing else would have to change.
        Row(
            rule: rule(.permanent, expiry: .seconds(60)), stored: "no-cache", age: .seconds(90), answer: .validated,
            says: ["must be validated before every use, which rule 'own' ignores"],
            change: "An expiry above 1 min 30 s in rule 'own' would"),
        Row(
            rule: rule(.networkFirst(timeout: .seconds(2))), answer: .validated,
            says: [
                "rule 'own' asks the origin first; the store answers when the origin fails, or sends",
                "the stored response answers when the origin fails, or sends nothing within 2 s",
            ],
            change: "Without the verdict network-first within 2s of rule 'own' the response's own terms would decide.",
            never: blame + ["stale-if-error", "years"]),
        Row(
            rule: rule(.networkFirst(timeout: nil)), answer: .validated,
            says: ["the stored response answers when the origin fails"], change: "Without the verdict network-first",
            never: blame + ["within"]),
        Row(
            rule: rule(.revalidate), answer: .validated, says: ["rule 'own' requires validation before every use"],
            change: "Without the verdict revalidate of rule 'own'", never: blame),
        // The response has the directive, and the explanation blames it.
        Row(
            rule: rule(.followProtocol), stored: "no-cache", answer: .validated,
            says: ["must be validated before every use"], change: "Without no-cache in the response",
            never: ["ignores"]),
        Row(
            rule: rule(.fresh(for: .seconds(60))), stored: "no-cache", age: .seconds(90), answer: .validated,
            says: ["1 min, from rule 'own'", "which rule 'own' ignores"],
            change: "A duration above 1 min 30 s in rule 'own' would let the store answer.", never: ["Without no-cache"]
        ),
        Row(
            rule: rule(.permanent), age: .seconds(60), answer: .stored,
            says: ["for ever, from rule 'own'", "fresh for ever"],
            change: "It does not become stale by rule 'own'", never: ["years", "for for"]),
        Row(
            rule: rule(.staleWhileRevalidate(for: nil)), stored: "max-age=60", age: .seconds(90),
            answer: .staleWhileRevalidating, says: ["usable for ever after it became stale"],
            change: "Without the verdict stale-while-revalidate of rule 'own'", never: ["years", "RFC 5861"]),
        Row(
            rule: rule(.cacheFirst), stored: "no-cache, max-age=60", age: .seconds(90), answer: .stale,
            says: ["rule 'own' lets it answer, stale or not"], change: "Without the verdict cache-first of rule 'own'",
            never: ["Without no-cache"]),
    ]

    static func rule(_ verdict: Verdict, expiry: Duration? = nil) -> Rule {
        var rule = Rule("own", verdict)
        rule.expiry = expiry
        return rule
    }

    private func explain(_ bench: Bench) async -> (explanation: Explanation, all: String) {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")
        let found = await bench.cache.explain(EngineRequest(head: head))
        let steps = found.steps.map { "\($0.title): \($0.finding) \($0.section)" }
        return (found, (steps + [found.summary] + found.changes).joined(separator: "\n"))
    }

    @Test("the rule is named for what it decides, and the response only for what it states", arguments: rows)
    func blames(_ row: Row) async throws {
        let bench = try Bench(rules: RuleList([row.rule]))
        bench.answer("/a", 200, [.cacheControl: row.stored, .eTag: "\"1\""], body: "a")
        try await bench.fill("/a")
        bench.clock.advance(by: row.age)
        let (explanation, all) = await explain(bench)
        #expect(explanation.answer == row.answer, "\(all)")
        for text in row.says { #expect(all.contains(text), "\(text) in \(all)") }
        for text in row.never { #expect(!all.contains(text), "\(text) in \(all)") }
        #expect(explanation.changes.contains { $0.hasPrefix(row.change) }, "\(all)")
    }

    @Test("an explanation names a rule about the response once the response is known")
    func decidedLater() async throws {
        let bench = try Bench(rules: RuleList([Rule("html", .followProtocol, when: .contentType("text/html"))]))
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .contentType: "text/html"], body: "a")
        let nothing = await explain(bench).explanation
        #expect(nothing.steps.first?.finding == "no rule has a verdict before a response is known")
        try await bench.fill("/a")
        let known = await explain(bench).explanation
        #expect(
            known.steps.filter { $0.title.hasPrefix("Policy") }.map(\.finding) == [
                "no rule has a verdict before a response is known", "rule 'html' gives the verdict follow-protocol",
            ])
        #expect(known.cacheStatus.contains("hit"))
    }

    @Test("an explanation says that no rule applies to a stored error")
    func error() async throws {
        let bench = try Bench(rules: RuleList([Self.rule(.permanent)]))
        bench.answer("/a", 404, [.cacheControl: "max-age=60"])
        try await bench.fill("/a")
        let change = "The server answered with an error; once it has the file, the next request gets that."
        let fresh = await explain(bench).explanation
        #expect(!fresh.changes.contains(change), "it answers until it is stale")
        bench.clock.advance(by: .seconds(90))
        let (explanation, all) = await explain(bench)
        #expect(explanation.answer == .forwarded && explanation.changes == [change], "\(all)")
        #expect(all.contains("rule 'own' does not apply to an error; the protocol decides"), "\(all)")
    }

    @Test("an explanation of a rule that bypasses the store does not say that the store may answer")
    func keptOut() async throws {
        for verdict in [Verdict.neverStore, .bypass, .reload(.local)] {
            let (found, all) = await explain(try Bench(rules: RuleList([Self.rule(verdict)])))
            #expect(found.answer == .forwarded)
            #expect(!all.contains("may be answered from the store"), "\(all)")
            #expect(all.contains("GET is not answered from the store: rule 'own'"), "\(all)")
        }
        let late = try Bench()
        late.answer("/a", 200, [.cacheControl: "max-age=60", .contentType: "text/html"], body: "a")
        try await late.fill("/a")
        late.cache.rules = RuleList([Rule("own", .bypass, when: .contentType("text/html"))])
        let (found, all) = await explain(late)
        #expect(found.answer == .forwarded)
        #expect(
            all.contains("rule 'own' gives the verdict bypass") && !all.contains("Stored responses: none"), "\(all)")
    }
}
