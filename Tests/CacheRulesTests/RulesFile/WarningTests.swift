import CacheRules
import Foundation
import HTTPTypes
import Testing

@Suite("Warnings about likely mistakes in rules")
struct WarningTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The entries of "rules".
        var rules = ""
        var keys = ""
        /// A part of each warning, in order; empty for no warnings.
        var warnings: [String] = []

        init(_ rules: String, _ warnings: String...) { (self.rules, self.warnings) = (rules, warnings) }
        init(keys: String, _ warnings: String...) { (self.keys, self.warnings) = (keys, warnings) }
        var testDescription: String { rules + keys }
    }

    static func rule(_ name: String, _ members: String, when: String = #"{ "path-prefix": "/a/" }"#) -> String {
        #"{ "name": "\#(name)", \#(members), "when": \#(when) }"#
    }

    static func bypass(_ name: String, _ when: String) -> String { rule(name, #""verdict": "bypass""#, when: when) }

    static let effects = [
        Row(rule("r", #""verdict": "bypass", "tags": "a""#), "keeps nothing, so its tags has no effect"),
        Row(rule("r", #""verdict": "only-if-stored", "expiry": "1d""#), "keeps nothing, so its expiry has"),
        Row(
            rule("r", #""verdict": "never-store", "ignoring": "vary", "expiry": "1d", "tags": "a""#),
            "so its ignoring, expiry and tags have no effect"),
        Row(rule("r", #""verdict": "only-if-stored", "ignoring": "vary""#)),
        Row(rule("r", #""verdict": "reload", "validate-with": "head""#), "validates nothing, so its validate-with has"),
        Row(rule("r", #""verdict": "reload", "tags": "a", "expiry": "1d""#)),
        Row(rule("r", #""verdict": "permanent", "validate-with": "head""#)),
        Row(rule("r", #""verdict": "network-first", "timeout": 0"#), "gives the origin 0 s"),
        Row(rule("r", #""verdict": "network-first", "timeout": "1ms""#)),
        Row(rule("r", #""verdict": "fresh", "for": "0s""#), "makes nothing fresh"),
        Row(rule("r", #""verdict": "stale-if-error", "for": 0"#), "window of 0 s"),
        Row(rule("r", #""verdict": "stale-while-revalidate", "for": 0"#), "window of 0 s"),
        Row(rule("r", #""verdict": "stale-while-revalidate""#)),
    ]

    static let ends = [
        #"{}"#, #"{ "host": "*" }"#, #"{ "path": "/**" }"#, #"{ "path-prefix": ["/b", "/"] }"#, #"{ "any": [{}] }"#,
        #"{ "connectivity": ["connected", "disconnected"] }"#, #"{ "all": [] }"#, #"{ "not": { "host": [] } }"#,
        #"{ "host": "*", "path": "**" }"#,
    ].flatMap { all in
        [
            Row(bypass("all", all) + "," + bypass("b", #"{ "host": "b.test" }"#), "\"all\" holds for everything"),
            Row(bypass("b", #"{ "host": "b.test" }"#) + "," + bypass("all", all)),
        ]
    }

    static let order = [
        Row(
            bypass("a", #"{ "host": "a.test" }"#) + ","
                + bypass("b", #"{ "host": "a.test", "path-prefix": "/b/" }"#),
            "\"b\" is never reached: \"a\" above it"),
        Row(
            bypass("a", #"{ "path": "/**", "host": "a.test" }"#) + "," + bypass("b", #"{ "host": "a.test" }"#),
            "\"b\" is never reached"),
        Row(
            bypass("a", #"{ "query": { "x": true } }"#) + ","
                + bypass("b", #"{ "all": [{ "query": { "x": true } }, { "query": { "y": true } }] }"#),
            "\"b\" is never reached"),
        Row(
            bypass("a", #"{ "host": "a.test", "path-prefix": "/b/" }"#) + ","
                + bypass("b", #"{ "host": "a.test" }"#)),
        Row(bypass("a", #"{ "host": "a.test" }"#) + "," + bypass("b", #"{ "host": ["a.test", "b.test"] }"#)),
        // It replaces a default on purpose.
        Row(
            #"{ "include": "web-view-safeguards" }, "#
                + rule("mine", #""verdict": "bypass""#, when: #"{ "hashed-name": true }"#)
                + #", { "include": "web-view-defaults" }"#),
    ]

    /// Behind all defaults, a rule that one of them hides; and one that none does.
    static let included =
        ([
            (#"{ "path": "**/oauth/callback" }"#, "sign-in-path"),
            (#"{ "path-prefix": "/api/v1/" }"#, "api-path"), (#"{ "path": ["/api/**", "/user/me"] }"#, "api-path"),
            (#"{ "path-prefix": "/api/v1/", "destination": "script" }"#, nil),
            (#"{ "host": "accounts.google.com" }"#, "sign-in-host"),
            (#"{ "host": ["a.okta.com", "*.b.okta.com"], "method": "GET" }"#, "sign-in-host"),
            (#"{ "destination": "document", "host": "a.test" }"#, "html"),
            (#"{ "any": [{ "content-type": "text/html" }, { "destination": ["iframe", "document"] }] }"#, "html"),
            (#"{ "hashed-name": true, "host": "a.test" }"#, "hashed-name"),
            (#"{ "request-header": { "authorization": "Basic *" } }"#, "authorization"),
            (#"{ "query": { "access_token": "a" } }"#, "token-in-query"),
            (#"{ "path-prefix": "/apiary/" }"#, nil), (#"{ "path": "/*/api/**" }"#, nil),
            (#"{ "path": ["/api/**", "/b/**"] }"#, nil), (#"{ "host": ["a.okta.com", "a.test"] }"#, nil),
            (#"{ "host": "okta.com" }"#, nil), (#"{ "destination": ["document", "script"] }"#, nil),
            (#"{ "hashed-name": "v" }"#, nil), (#"{ "content-type": "text/*" }"#, nil),
            (#"{ "not": { "path-prefix": "/api/" } }"#, nil),
        ] as [(String, String?)]).map { when, hiding -> Row in
            let file = #"{ "include": "web-view-defaults" }, "# + bypass("mine", when)
            return hiding.map { Row(file, "\"mine\" is never reached: \"\($0)\" above it, which is included") }
                ?? Row(file)
        }

    static let nothing = [
        #"{ "host": [] }"#, #"{ "any": [] }"#, #"{ "not": {} }"#, #"{ "all": [{ "path": [] }] }"#,
        #"{ "query": { "a": [] } }"#, #"{ "not": { "path": "**" } }"#, #"{ "content-type": [], "host": "a.test" }"#,
    ].map { Row(bypass("r", $0), "\"r\" never holds") }

    static let keys = [
        Row(keys: #"{ "name": "k", "drop-tracking": true }"#),
        Row(keys: #"{ "name": "k" }"#, "changes no key"),
        Row(keys: #"{ "name": "k", "drop-tracking": false, "drop-query": [], "sort-query": false }"#, "changes no key"),
        // Those of one host are left as they are.
        Row(
            keys: #"{ "name": "k", "when": { "host": "a.test" } }, { "name": "l", "sort-query": true }"#),
        Row(
            keys: #"{ "name": "k", "when": { "host": "a.test" } }, { "name": "l", "when": { "host": "b.test" } }"#,
            "\"k\" changes no key", "\"l\" changes no key"),
        Row(
            keys: #"{ "name": "k", "sort-query": true }, { "name": "l", "drop-query": "a" }"#,
            "\"k\" holds for everything, so the rules for keys below"),
        Row(
            keys: #"{ "name": "k", "sort-query": true, "when": { "host": "a.test" } }, "#
                + #"{ "name": "l", "drop-query": "a", "when": { "host": "a.test", "path-prefix": "/b" } }"#,
            "\"l\" is never reached"),
        Row(
            keys: #"{ "name": "k", "target": "/", "sort-query": true, "when": { "path-prefix": "/app/" } }"#,
            "has a target"),
        Row(keys: #"{ "name": "k", "target": "/app" }"#, "everything of an origin under one address, /app"),
        Row(keys: #"{ "name": "k", "target": "/app", "when": { "path-prefix": "/app/" } }"#),
        Row(keys: #"{ "name": "k", "sort-query": true, "when": { "host": [] } }"#, "never holds"),
    ]

    @Test("in a file", arguments: effects + ends + order + included + nothing + keys)
    func file(_ row: Row) throws {
        let warnings = try RuleList(json: "{ \"rules\": [\(row.rules)], \"keys\": [\(row.keys)] }").warnings
        #expect(warnings.count == row.warnings.count, "\(warnings)")
        for (warning, words) in zip(warnings, row.warnings) { #expect(warning.contains(words), "\(warnings)") }
    }

    @Test("in Swift, about rules that no file can express")
    func swift() {
        let path = RuleList { Rule("news", .permanent, when: .path("news/**")) }
        #expect(path.warnings.count == 1 && path.warnings[0].contains("\"news\": A path begins with \"/\""))
        let prefix = RuleList([]).keyed(by: KeyRule("k", sortsQuery: true, when: .pathPrefix("app/")))
        #expect(prefix.warnings.count == 1 && prefix.warnings[0].contains("\"k\": A path begins with \"/\""))
        let response = RuleList([]).keyed(by: KeyRule("k", sortsQuery: true, when: .contentType("text/html")))
        #expect(response.warnings.count == 1 && response.warnings[0].contains("can't depend on one"))
    }

    @Test("the rules in the documents have no warnings", arguments: ["README.md", "docs/rules.md"])
    func documents(_ name: String) throws {
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("../../../\(name)").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let blocks = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            .filter { $0.hasPrefix("json\n") }.map { $0.dropFirst(5) }
        try #require(!blocks.isEmpty)
        for block in blocks { #expect(try RuleList(json: block.utf8).warnings.isEmpty, "\(block)") }
    }
}
