import CacheRules
import Testing

@Suite("Rules for cache keys")
struct KeyRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: KeyRule
        var path: String
        var target: String?

        init(_ rule: KeyRule, _ path: String, _ target: String?) {
            (self.rule, self.path, self.target) = (rule, path, target)
        }

        var testDescription: String { "\(path) → \(target ?? "as it is")" }
    }

    private static let tracking = KeyRule("t", dropsTracking: true)
    private static let dropping = KeyRule("d", dropping: ["ref", "x_*"])
    private static let sorting = KeyRule("s", sortsQuery: true)

    static let rows = [
        Row(tracking, "/?utm_source=mail&id=7&fbclid=x", "/?id=7"),
        Row(tracking, "/?utm_source=mail", "/"),
        Row(tracking, "/?id=7", nil),
        Row(tracking, "/utm_source", nil),
        Row(tracking, "/?xutm_source=1&gclid2=1", nil),
        Row(tracking, "/?q=utm_source", nil),
        Row(dropping, "/a?x_1&b=1&ref=2&x", "/a?b=1&x"),
        Row(dropping, "/a?b=1&&ref", "/a?b=1&"),
        Row(dropping, "/a", nil),
        Row(sorting, "/?b=1&a=2&b=0&a", "/?a=2&a&b=1&b=0"),
        Row(sorting, "/?a=1&ab=2", nil),
        Row(sorting, "/?b=?&a", "/?a&b=?"),
        Row(KeyRule("k", normalizesEscapes: true), "/%c3%7e?a=%2b%2d&b=1", "/%C3~?a=%2B-&b=1"),
        Row(KeyRule("k", normalizesEscapes: true), "/%C3~?utm_source=%2B&b=&", nil),
        // An escape is taken off once; a % alone is none, and gets no digits (RFC 3986 §2.1, §2.4).
        Row(KeyRule("k", normalizesEscapes: true), "/%25%34%31", "/%2541"),
        Row(KeyRule("k", normalizesEscapes: true), "/%%34%31", nil),
        Row(KeyRule("k", dropping: ["a"], normalizesEscapes: true), "/%7e?%61=1&a=2", "/~?a=1"),
        Row(KeyRule("k", target: "/index.html"), "/orders/7?x", "/index.html"),
        Row(KeyRule("k", target: "/index.html", when: .pathPrefix("/app/")), "/orders/7", nil),
        Row(KeyRule("k", target: "/x", when: .contentType("text/html")), "/orders/7", nil),
    ]

    @Test("what is left out, sorted or put in the place of the address", arguments: rows)
    func target(_ row: Row) {
        let list = RuleList.protocolOnly.keyed(by: row.rule)
        let keying = list.keying(for: exchange("https://a.test" + row.path))
        #expect(keying?.target == row.target)
        #expect(keying?.rule == row.target.map { _ in row.rule.name })
    }

    @Test("the first that applies decides, and editing rules keeps them")
    func precedence() {
        let list = RuleList.protocolOnly.keyed(
            by: KeyRule("a", target: "/a", when: .pathPrefix("/x/")), KeyRule("b", target: "/b")
        ).removing("html").replacing("api-path", with: Rule("x", .bypass))
        #expect(list.keying(for: exchange("https://a.test/x/1"))?.rule == "a")
        #expect(list.keying(for: exchange("https://a.test/y/1"))?.rule == "b")
        #expect(list.keying(for: exchange("https://a.test/b")) == nil)
        let own = RuleList.webViewDefaults.keyed(by: KeyRule("own", dropping: ["ref"], when: .host("a.test")))
        #expect(own.keying(for: exchange("https://a.test/?ref"))?.rule == "own")
        #expect(own.keying(for: exchange("https://b.test/%7e"))?.rule == "equivalent-escapes")
    }

    @Test(
        "by default a campaign's query makes no document of its own, nor an escape's spelling another address",
        arguments: [
            ("/?utm_source=mail", Destination.document, "/"), ("/a?id=7&fbclid=x", .document, "/a?id=7"),
            ("/a?gclid=1&mc_cid=2", .document, "/a"), ("/a?id=7", .document, nil), ("/a.js?utm_source=x", .script, nil),
            ("/api?gclid=1", .fetch, nil), ("/%c3?gclid=1", .document, "/%C3"),
            ("/%c3?gclid=1", .fetch, "/%C3?gclid=1"),
        ] as [(String, Destination, String?)])
    func campaigns(_ path: String, _ destination: Destination, _ target: String?) throws {
        let request = exchange("https://a.test" + path).request
        let asked = Exchange(request: request, destination: destination, connectivity: .connected)
        for list in [RuleList.webViewDefaults, try RuleList(json: #"{"rules": [{"include": "web-view-defaults"}]}"#)] {
            #expect(list.keying(for: asked)?.target == target)
        }
        let rules = RuleList.webViewDefaults.removing("campaign-query", "equivalent-escapes")
        #expect(rules.keying(for: asked) == nil)
        let without = #"""
            {"rules": [{"include": "web-view-defaults", "without": ["campaign-query", "equivalent-escapes"]}]}
            """#
        #expect(try RuleList(json: without).keying(for: asked) == nil)
    }

    @Test("the rules file says the same")
    func file() throws {
        let list = RuleList.protocolOnly.keyed(
            by: KeyRule(
                "a", dropsTracking: true, dropping: ["ref"], sortsQuery: true, normalizesEscapes: true,
                when: .host("a.test")),
            KeyRule("b", dropping: ["x", "y*"], target: "/b?c"))
        let text = #"""
            {
              "rules": [],
              "keys": [
                {
                  "name": "a",
                  "drop-tracking": true,
                  "drop-query": "ref",
                  "sort-query": true,
                  "normalize-escapes": true,
                  "when": { "host": "a.test" }
                },
                { "name": "b", "drop-query": ["x", "y*"], "target": "/b?c" }
              ]
            }

            """#
        #expect(try list.json() == text)
        #expect(try RuleList(json: text).keyRules == list.keyRules)
    }

    @Test(
        "what can't be is refused where it stands",
        arguments: [
            (#"{ "nam": "a" }"#, 28, "missing"), (#"{ "name": "a", "target": "x" }"#, 53, "begins with"),
            (#"{ "name": "a", "drop-tracking": 1 }"#, 60, "true or false"),
            (#"{ "name": "a", "when": { "freshness": "explicit" } }"#, 43, "before there is a response"),
            (#"{ "name": "r" }"#, 38, "There is already"), ("7", 28, "a rule for keys"),
        ])
    func refused(_ rule: String, _ column: Int, _ words: String) {
        let json = "{\"rules\":[{\"name\":\"r\",\"verdict\":\"bypass\"}],\n           \"keys\":        [" + rule + "]}"
        #expect {
            try RuleList(json: json)
        } throws: { error in
            guard let problem = (error as? RulesFileError)?.problems.first else { return false }
            return problem.line == 2 && problem.column == column && problem.message.contains(words)
        }
    }

    @Test("rules for keys that no file takes are not written")
    func notWritable() {
        let list = RuleList([Rule("a", .bypass)]).keyed(
            by: KeyRule("a", target: "x"), KeyRule("B", when: .contentType("text/css")))
        #expect {
            try list.json()
        } throws: { error in
            (error as? RulesFileError)?.problems.map(\.code) == [
                .duplicateName, .badPattern, .badName, .misplacedKey,
            ]
        }
    }
}
