import CacheRules
import HTTPTypes
import Testing

@Suite("Safeguards come before rules of one's own")
struct SafeguardsTests {
    private static let own = Rule("catalogue", .fresh(for: .seconds(600)), when: .pathPrefix("/catalogue/"))

    @Test("the defaults begin with them")
    func beginning() {
        let (safeguards, defaults) = (RuleList.webViewSafeguards.names, RuleList.webViewDefaults.names)
        #expect(Array(defaults.prefix(safeguards.count)) == safeguards)
        #expect(safeguards.first == "disconnected" && safeguards.contains("authorization"))
        #expect(!safeguards.contains("api-path"))
    }

    @Test(
        "a rule between them and the rest decides for its pages, and not for credentials, tokens or want of a network")
    func between() throws {
        let json = """
            { "rules": [ { "include": "web-view-safeguards" },
                         { "name": "catalogue", "verdict": "fresh", "for": "10m", "when": { "path-prefix": "/catalogue/" } },
                         { "include": "web-view-defaults" } ] }
            """
        let swift = RuleList {
            RuleList.webViewSafeguards
            Self.own
            RuleList.webViewDefaults
        }
        let read = try RuleList(json: json)
        #expect(
            read.names == RuleList.webViewSafeguards.names + ["catalogue"]
                + RuleList.webViewDefaults.names.dropFirst(RuleList.webViewSafeguards.names.count))
        #expect(try RuleList(json: swift.json()).names == read.names)
        for rules in [read, swift] {
            func rule(_ path: String, _ fields: HTTPFields = [:], _ connectivity: Connectivity = .connected) -> String?
            {
                let request = HTTPRequest(
                    method: .get, scheme: "https", authority: "shop.test", path: path, headerFields: fields)
                return rules.decision(
                    for: Exchange(request: request, destination: .unknown, connectivity: connectivity)
                )
                .rule
            }
            #expect(rule("/catalogue/1") == "catalogue")
            #expect(rule("/catalogue/1", [.authorization: "Bearer a"]) == "authorization")
            #expect(rule("/catalogue/1?access_token=a") == "token-in-query")
            #expect(rule("/catalogue/1", [:], .disconnected) == "disconnected")
            #expect(rule("/app.5d60c2ed348e2db0.js") == "hashed-name")
            #expect(rules.warnings.isEmpty)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var rules: RuleList
        /// Found in the one warning; `nil` for none.
        var warning: String?
        var testDescription: String { "\(rules.names.prefix(3)): \(warning ?? "nothing")" }
    }

    @Test(
        "what is allowed and most likely not meant is said",
        arguments: [
            Row(rules: .webViewDefaults), Row(rules: .protocolOnly), Row(rules: RuleList([own])),
            Row(
                rules: RuleList {
                    own
                    RuleList.webViewDefaults
                }, warning: "\"catalogue\" stands before the safeguards"),
            Row(
                rules: RuleList {
                    own
                    Rule("more", .permanent, when: .pathPrefix("/more/"))
                    RuleList.webViewDefaults
                }, warning: "\"catalogue\", \"more\" stand before"),
            // What keeps nothing may stand anywhere.
            Row(
                rules: RuleList {
                    Rule("bank", .neverStore, when: .pathPrefix("/bank/"))
                    RuleList.webViewDefaults
                }),
            Row(
                rules: RuleList {
                    Rule("all", .permanent)
                    own
                }, warning: "rules below it are never"),
            Row(
                rules: RuleList {
                    own
                    Rule("all", .permanent)
                }),
            Row(
                rules: RuleList([Rule("bank", .neverStore, tags: ["money"], when: .pathPrefix("/bank/"))]),
                warning: "\"bank\" keeps nothing"),
        ])
    func warnings(_ row: Row) {
        let warnings = row.rules.warnings
        #expect(warnings.count == (row.warning == nil ? 0 : 1), "\(warnings)")
        if let warning = row.warning { #expect(warnings.first?.contains(warning) == true, "\(warnings)") }
    }
}
