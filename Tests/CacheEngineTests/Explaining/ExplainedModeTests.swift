import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Explaining a decision in each cache mode (Fetch §2.2.5)")
struct ExplainedModeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var verdict: Verdict?
        var expiry: Duration?
        /// `nil` where nothing is stored.
        var stored: String? = "max-age=60"
        var age: Duration = .seconds(10)
        var mode: CacheMode
        var answer: Explanation.Answer
        /// Text that the steps or the summary must contain.
        var says: [String] = []
        /// Text that must not appear.
        var never: [String] = []
        /// All the changes.
        var changes: [String] = []
        var testDescription: String {
            "\(verdict.map { "\($0)" } ?? "protocol"), \(stored ?? "nothing") aged \(age), \(mode.rawValue)"
        }
    }

    static let own = "of rule 'own'"

    static let confirmed = [
        Row(
            mode: .revalidate, answer: .validated, changes: ["Without the cache mode no-cache the store would answer."]),
        Row(
            age: .seconds(90), mode: .revalidate, answer: .validated,
            changes: ["Without the cache mode no-cache it would be validated as well."]),
        Row(
            stored: "no-cache", mode: .revalidate, answer: .validated,
            changes: ["Without the cache mode no-cache it would be validated as well."]),
        Row(
            stored: "max-age=60, stale-while-revalidate=600", age: .seconds(90), mode: .revalidate, answer: .validated,
            says: ["while it is validated, but not in this cache mode"],
            changes: ["Without the cache mode no-cache the store would answer."]),
        Row(
            verdict: .permanent, mode: .revalidate, answer: .validated, never: ["a request with no-cache"],
            changes: ["Without the cache mode no-cache the store would answer."]),
        Row(
            verdict: .cacheFirst, stored: "no-cache", mode: .revalidate, answer: .validated,
            says: ["lets it answer, stale or not, but not in this cache mode", "must be validated before every use"],
            never: ["ignores"], changes: ["Without the cache mode no-cache the store would answer."]),
        Row(
            verdict: .cacheFirst, expiry: .seconds(5), mode: .revalidate, answer: .validated,
            changes: ["Without the cache mode no-cache it would be validated as well."]),
        Row(
            verdict: .networkFirst(timeout: .seconds(2)), mode: .revalidate, answer: .validated,
            says: ["asks the origin first, but not in this cache mode"],
            never: ["when the origin fails", "within 2 s"],
            changes: ["Without the cache mode no-cache it would be validated as well."]),
        Row(
            verdict: .staleIfError(for: .seconds(60)), mode: .revalidate, answer: .validated,
            says: ["by rule 'own', but not in this cache mode"],
            changes: ["Without the cache mode no-cache the store would answer."]),
        // The rule comes first: nothing is sent.
        Row(
            verdict: .onlyIfStored, mode: .revalidate, answer: .stored,
            changes: ["Without the verdict only-if-stored \(own) it would be validated."]),
        Row(stored: nil, mode: .revalidate, answer: .forwarded),
    ]

    static let anyAge = [CacheMode.preferStored, .onlyIfStored].flatMap { mode in
        let without = "Without the cache mode \(mode.rawValue)"
        return [
            Row(mode: mode, answer: .stored, changes: ["\(without) it would answer as well, for another 50 s."]),
            Row(
                age: .seconds(90), mode: mode, answer: .stale, says: ["a stored response is used whatever its age"],
                never: ["max-age above"], changes: ["\(without) it would be validated."]),
            Row(
                stored: "no-cache", mode: mode, answer: .stale,
                says: ["must be validated before every use, which the cache mode ignores"],
                never: ["Without no-cache"], changes: ["\(without) it would be validated."]),
            Row(
                stored: "max-age=60, stale-while-revalidate=600", age: .seconds(90), mode: mode, answer: .stale,
                changes: ["\(without) it would answer as well, and be validated in the background."]),
            Row(verdict: .permanent, mode: mode, answer: .stored, changes: ["\(without) it would answer as well."]),
            Row(
                verdict: .networkFirst(timeout: nil), mode: mode, answer: .stored,
                says: ["asks the origin first, which the cache mode ignores"],
                never: ["when the origin fails"],
                changes: ["\(without) it would be validated."]),
            Row(
                verdict: .revalidate, mode: mode, answer: .stored,
                says: ["requires validation before every use, which the cache mode ignores"],
                changes: ["\(without) it would be validated."]),
            // Either alone would let the store answer.
            Row(
                verdict: .cacheFirst, age: .seconds(90), mode: mode, answer: .stale,
                changes: ["\(without) and the verdict cache-first \(own) it would be validated."]),
            Row(
                verdict: .onlyIfStored, age: .seconds(90), mode: mode, answer: .stale,
                changes: ["\(without) and the verdict only-if-stored \(own) it would be validated."]),
            Row(
                verdict: .cacheFirst, expiry: .seconds(60), mode: mode, answer: .stored,
                changes: [
                    "\(without) and the verdict cache-first \(own) it would answer as well, for another 50 s.",
                    "In 50 s it is past the expiry of rule 'own' and will be validated.",
                ]),
            // Only an expiry ends it.
            Row(
                verdict: .followProtocol, expiry: .seconds(60), stored: "no-cache", age: .seconds(90), mode: mode,
                answer: mode == .onlyIfStored ? .failed : .validated, never: ["ignores"],
                changes: ["An expiry above 1 min 30 s in rule 'own' would let the store answer."]),
        ]
    }

    static let usual = [
        Row(
            verdict: .cacheFirst, mode: .protocolDefault, answer: .stored, never: ["stale and will"],
            changes: ["Without the verdict cache-first \(own) it would answer as well, for another 50 s."]),
        Row(
            verdict: .cacheFirst, stored: "max-age=60, must-revalidate", age: .seconds(90), mode: .protocolDefault,
            answer: .stale, says: ["being served stale, also when the origin is gone, which rule 'own' ignores"],
            changes: ["Without the verdict cache-first \(own) it would be validated."]),
        Row(stored: nil, mode: .preferStored, answer: .forwarded),
        Row(stored: nil, mode: .onlyIfStored, answer: .failed),
    ]

    static let unasked = [
        (CacheMode.noStore, "the store is neither asked nor filled"), (.reload, "asked past every cache"),
        (.reloadIgnoringLocal, "asked past this cache"),
    ].flatMap { mode, meaning in
        [Verdict?.none, .permanent, .cacheFirst, .networkFirst(timeout: nil)].map { verdict in
            Row(
                verdict: verdict, mode: mode, answer: .forwarded,
                says: [meaning, "GET is not answered from the store in this cache mode"],
                never: ["when the origin fails"])
        }
    }

    @Test(
        "an explanation names the mode for what it decides, and gives no advice that would change nothing",
        arguments: confirmed + anyAge + usual + unasked)
    func explains(_ row: Row) async throws {
        let bench = try Bench()
        if let stored = row.stored {
            bench.answer("/a", 200, [.cacheControl: stored, .eTag: "\"1\""], body: "a")
            try await bench.fill("/a")
        }
        if let verdict = row.verdict {
            bench.cache.rules = RuleList([Rule("own", verdict, expiry: row.expiry)])
        }
        bench.clock.advance(by: row.age)
        let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")
        let found = await bench.cache.explain(EngineRequest(head: head, context: ExchangeContext(mode: row.mode)))
        let steps = found.steps.map { "\($0.title): \($0.finding)" }
        let all = (steps + [found.summary] + found.changes).joined(separator: "\n")
        #expect(found.answer == row.answer, "\(all)")
        #expect(found.changes == row.changes, "\(all)")
        for text in row.says { #expect(all.contains(text), "\(text) in \(all)") }
        for text in row.never { #expect(!all.contains(text), "\(text) in \(all)") }
    }
}
