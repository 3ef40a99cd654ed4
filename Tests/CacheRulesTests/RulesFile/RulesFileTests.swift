import CacheRules
import HTTPTypes
import Testing

@Suite("A rules file and Swift express the same rules")
struct RulesFileTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var json: String
        var rule: Rule

        init(_ json: String, _ rule: Rule) { (self.json, self.rule) = (json, rule) }

        var testDescription: String { json }
    }

    private static func rule(_ verdict: Verdict) -> Rule { Rule("r", verdict) }
    private static func rule(when condition: When) -> Rule { Rule("r", .bypass, when: condition) }

    static let verdicts = [
        Row(#""verdict": "never-store""#, rule(.neverStore)),
        Row(#""verdict": "reload""#, rule(.reload(.local))),
        Row(#""verdict": "reload", "caches": "all""#, rule(.reload(.everyCache))),
        Row(#""verdict": "revalidate""#, rule(.revalidate)),
        Row(#""verdict": "fresh", "for": "7d""#, rule(.fresh(for: .seconds(604_800)))),
        Row(#""verdict": "fresh", "for": 90"#, rule(.fresh(for: .seconds(90)))),
        Row(#""verdict": "permanent""#, rule(.permanent)),
        Row(#""verdict": "cache-first""#, rule(.cacheFirst)),
        Row(#""verdict": "network-first""#, rule(.networkFirst(timeout: nil))),
        Row(#""verdict": "network-first", "timeout": "1500ms""#, rule(.networkFirst(timeout: .milliseconds(1_500)))),
        Row(#""verdict": "stale-while-revalidate""#, rule(.staleWhileRevalidate(for: nil))),
        Row(#""verdict": "stale-while-revalidate", "for": "1h30m""#, rule(.staleWhileRevalidate(for: .seconds(5_400)))),
        Row(#""verdict": "stale-if-error", "for": "1d""#, rule(.staleIfError(for: .seconds(86_400)))),
        Row(#""verdict": "only-if-stored""#, rule(.onlyIfStored)),
        Row(#""verdict": "bypass""#, rule(.bypass)),
        Row(#""verdict": "store-only-if-explicit""#, rule(.storeOnlyIfExplicit)),
        Row(#""verdict": "follow-protocol""#, rule(.followProtocol)),
        Row(#""verdict": "CacheFirst""#, rule(Workbox.CacheFirst)),
        Row(#""verdict": "CacheOnly""#, rule(Workbox.CacheOnly)),
        Row(#""verdict": "NetworkFirst", "timeout": 3"#, rule(Workbox.NetworkFirst(networkTimeout: .seconds(3)))),
        Row(#""verdict": "NetworkOnly""#, rule(Workbox.NetworkOnly)),
        Row(#""verdict": "StaleWhileRevalidate""#, rule(Workbox.StaleWhileRevalidate)),
        Row(
            #""verdict": "bypass", "ignoring": "no-store", "expiry": "2w", "tags": ["a", "b"], "note": "why""#,
            Rule("r", .bypass, ignoring: [.noStore], expiry: .seconds(1_209_600), tags: ["a", "b"], note: "why")),
        Row(#""verdict": "revalidate", "validate-with": "head""#, Rule("r", .revalidate, validation: .head)),
        Row(#""verdict": "revalidate", "validate-with": "get""#, Rule("r", .revalidate)),
        Row(
            #""verdict": "bypass", "ignoring": ["vary", "private", "credentials"]"#,
            Rule("r", .bypass, ignoring: [.vary, .private, .credentials])),
    ]

    static let conditions = [
        Row(#""host": "*.A.test""#, rule(when: .host("*.a.test"))),
        Row(#""host": ["a.test", "b.test:80"]"#, rule(when: .host("a.test", "b.test:80"))),
        Row(#""path-prefix": "/api/""#, rule(when: .pathPrefix("/api/"))),
        Row(#""path": ["/a/*", "**/b"]"#, rule(when: .path("/a/*", "**/b"))),
        Row(#""file-extension": ["js", "css"]"#, rule(when: .fileExtension("js", "css"))),
        Row(#""query": { "q": true }"#, rule(when: .query("q"))),
        Row(#""query": { "q": "1*" }"#, rule(when: .query("q", "1*"))),
        Row(#""query": { "q": ["1", "2"] }"#, rule(when: .query("q", "1", "2"))),
        Row(#""method": ["GET", "HEAD"]"#, rule(when: .method(.get, .head))),
        Row(#""destination": ["fetch", "document"]"#, rule(when: .destination(.fetch, .document))),
        Row(#""connectivity": "disconnected""#, rule(when: .connectivity(.disconnected))),
        Row(
            #""connectivity": ["expensive", "constrained", "low-power"]"#,
            rule(when: .connectivity(.expensive, .constrained, .lowPower))),
        Row(#""request-header": { "Accept": "text/*" }"#, rule(when: .requestHeader(.accept, "text/*"))),
        Row(#""request-header": { "authorization": true }"#, rule(when: .requestHeader(.authorization))),
        Row(#""response-header": { "Server": ["a", "b"] }"#, rule(when: .responseHeader(.server, "a", "b"))),
        Row(#""content-type": "image/*""#, rule(when: .contentType("image/*"))),
        Row(#""freshness": "unstated""#, rule(when: .freshness(.unstated))),
        Row(#""not": { "host": "a.test", "path": "/x" }"#, rule(when: .not(.host("a.test"), .path("/x")))),
        Row(#""any": [{ "host": "a.test" }, { "path": "/x" }]"#, rule(when: .any(.host("a.test"), .path("/x")))),
        Row(
            #""any": [{ "host": "a.test", "path": "/x" }, {}]"#,
            rule(when: .any(.all(.path("/x"), .host("a.test")), .all([])))),
        Row(
            #""all": [{ "host": "a.test" }, { "host": "*.test" }]"#,
            rule(when: .all(.host("a.test"), .host("*.test")))),
    ]

    private static func read(_ members: String) throws -> RuleList {
        try RuleList(json: #"{ "rules": [{ "name": "r", \#(members) }] }"#)
    }

    @Test("verdicts and their settings", arguments: verdicts)
    func verdict(_ row: Row) throws {
        #expect(try Self.read(row.json).values == [row.rule])
    }

    @Test("conditions", arguments: conditions)
    func condition(_ row: Row) throws {
        #expect(try Self.read(#""verdict": "bypass", "when": { \#(row.json) }"#).values == [row.rule])
    }

    @Test("two of a kind in Swift are written as \"all\"")
    func joined() throws {
        let rule = Rule("r", .bypass, when: .host("a.test"), .query("a"), .query("b", "1"), .host("*.test"))
        let text = #"""
            "all": [{ "host": "a.test" }, { "host": "*.test" }, { "query": { "a": true } }, { "query": { "b": "1" } }]
            """#
        #expect(try Self.read(#""verdict": "bypass", "when": { \#(text) }"#).values == [rule])
        let queries = Rule("r", .bypass, when: .query("a"), .query("b", "1"))
        #expect(
            try Self.read(#""verdict": "bypass", "when": { "query": { "a": true, "b": "1" } }"#).values == [queries])
    }

    @Test("the canonical text: a value that fits stays on one line")
    func canonical() throws {
        let list = RuleList {
            Rule("news", Workbox.NetworkFirst(networkTimeout: .seconds(3)), when: .path("/news/**"))
            Rule("payments", .neverStore, tags: ["money"], note: "Agreed with the bank in \"May\".") {
                When.not(.pathPrefix("/public/"))
                When.host("pay.example.com", "*.bank.example")
            }
        }
        #expect(
            try list.json() == #"""
                {
                  "rules": [
                    { "name": "news", "verdict": "network-first", "timeout": "3s", "when": { "path": "/news/**" } },
                    {
                      "name": "payments",
                      "note": "Agreed with the bank in \"May\".",
                      "verdict": "never-store",
                      "tags": "money",
                      "when": {
                        "host": ["pay.example.com", "*.bank.example"],
                        "not": { "path-prefix": "/public/" }
                      }
                    }
                  ]
                }

                """#)
    }

    @Test("reading a printed file gives equal rules, and printing those gives the same text", arguments: 0..<60)
    func roundTrip(_ seed: Int) throws {
        var rules = RandomRules(seed: seed)
        for _ in 0..<20 {
            let list = rules.list()
            let text = try list.json()
            let again = try RuleList(json: text)
            #expect(again.values == list.values)
            #expect(try again.json() == text)
        }
    }

    @Test("the defaults can be written, read, and included")
    func defaults() throws {
        let written = try RuleList(json: RuleList.webViewDefaults.json())
        #expect(written.values == RuleList.webViewDefaults.values)
        let included = try RuleList(
            json: #"""
                { "$schema": "x", "rules": [
                  { "name": "api-path", "verdict": "bypass", "when": { "path-prefix": "/api/" } },
                  { "include": "web-view-defaults", "without": ["api-path", "html"] } ] }
                """#)
        #expect(included.names == ["api-path"] + RuleList.webViewDefaults.removing("api-path", "html").names)
        #expect(try RuleList(json: #"{"rules":[]}"#).values == [])
    }

    struct AppRule: CacheRule {
        var name = "app"
        func verdict(for exchange: Exchange) -> Verdict? { nil }
    }

    @Test("rules that a file can't express are not printed, and all of them are reported")
    func notWritable() {
        let list = RuleList {
            AppRule()
            Rule("Not a name", .bypass)
            Rule("x", .fresh(for: .nanoseconds(1)), expiry: .seconds(-1), tags: [""], when: .host("https://a.test/"))
            Rule(
                "x", .bypass, when: .any(.pathPrefix("api")), .path("news"), .contentType("css"), .fileExtension(".js"))
        }
        #expect {
            try list.json()
        } throws: { error in
            guard let error = error as? RulesFileError else { return false }
            return error.problems.map(\.code) == [
                .notWritable, .badName, .badName, .badPattern, .badDuration, .badDuration, .duplicateName, .badPattern,
                .badPattern, .badPattern, .badPattern,
            ] && error.problems.allSatisfy { $0.line == nil }
        }
    }

    @Test("rules beyond the limits of a file are not printed either")
    func beyondLimits() {
        let long = String(repeating: "a", count: 1_025)
        let many = (0..<20).map { "*\($0)" + String(repeating: "?", count: 1_000) }
        let deep = (0..<40).reduce(When.query("q")) { inner, _ in .not(inner) }
        let rows: [(rules: [Rule], code: RulesFileError.Code)] = [
            ((0...1_000).map { Rule("r\($0)", .bypass) }, .tooLarge),
            // Each octet takes six in the file.
            ([Rule("r", .bypass, note: String(repeating: "\u{7F}", count: 200_000))], .tooLarge),
            ([Rule("r", .bypass, when: deep)], .tooDeep),
            ([Rule("r", .bypass, when: .query("q", long))], .badPattern),
            ([Rule("r", .bypass, when: .query("q", many))], .tooLarge),
        ]
        for row in rows {
            #expect {
                try RuleList(row.rules).json()
            } throws: { error in
                let problems = (error as? RulesFileError)?.problems ?? []
                return problems.map(\.code) == [row.code] && problems.allSatisfy { $0.line == nil }
            }
        }
    }
}

extension RuleList {
    /// The rules as comparable values; `nil` if one is not a `Rule`.
    var values: [Rule]? {
        let values = rules.compactMap { $0 as? Rule }
        return values.count == rules.count ? values : nil
    }
}
