import CacheTesting
import Foundation
import Testing
import WireSupport

@Suite("larder rules")
struct RulesCommandTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func larder(_ arguments: String...) async throws -> ToolProcess.Output {
        try await ToolProcess.run(ToolProcess.larder, arguments)
    }

    private func json(_ output: ToolProcess.Output) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [String: Any], "\(output)")
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        var file: String
        /// Where, and what helps.
        var problems: [(place: String, help: String)]
        var testDescription: String { file }
    }

    private static let wrong = [
        Wrong(file: "", problems: [("1:1", "the file ends")]),
        Wrong(file: #"{ "rules": [ { "name": "a","#, problems: [("1:28", "the file ends")]),
        Wrong(file: #"{ "rules": {} }"#, problems: [("1:12", "a list of rules")]),
        Wrong(
            file: """
                { "rules": [
                    { "name": "shop", "verdict": "never-stor",
                      "when": { "hots": "shop.example" } },
                    { "name": "shop", "verdict": "fresh" },
                    { "name": "re", "verdict": "bypass", "when": { "path": "/{a" } } ] }
                """,
            problems: [
                ("2:34", "did you mean \"never-store\"?"), ("3:17", "did you mean \"host\"?"), ("4:15", "in line 2"),
                ("4:34", "needs \"for\""), ("5:60", "Braces are closed"),
            ]),
    ]

    @Test("check shows every problem with its place, its line and a caret, and counts them", arguments: wrong)
    func check(_ wrong: Wrong) async throws {
        let path = try folder.write("rules.json", wrong.file)
        let output = try await larder("rules", "check", path)
        #expect(output.status == 1 && output.err.isEmpty)
        let lines = output.out.split(separator: "\n").map(String.init)
        let told = lines.filter { $0.hasPrefix(path) }
        #expect(told.count == wrong.problems.count, "\(output.out)")
        for (line, problem) in zip(told, wrong.problems) {
            #expect(line.hasPrefix("\(path):\(problem.place): ") && line.contains(problem.help), "\(line)")
        }
        #expect(lines.count { $0.hasSuffix("^") } == (wrong.file.isEmpty ? 0 : told.count), "\(output.out)")
        #expect(lines.last == (told.count == 1 ? "1 problem" : "\(told.count) problems"))
        #expect(!output.out.contains("\u{1B}"))
        let problems = try json(try await larder("rules", "check", "--json", path))["problems"] as? [[String: Any]]
        let places = (problems ?? []).map { "\($0["line"] ?? ""):\($0["column"] ?? "")" }
        #expect(places == wrong.problems.map(\.place))
    }

    @Test("check counts what it took")
    func fine() async throws {
        let path = try folder.write(
            "rules.json",
            """
            { "rules": [ { "name": "a", "verdict": "bypass" } ], "keys": [ { "name": "k", "drop-tracking": true } ] }
            """)
        let output = try await larder("rules", "check", path)
        #expect(output.status == 0 && output.out == "\(path): 1 rule, 1 key rule: fine\n")
        let result = try json(try await larder("rules", "check", path, "--json"))
        #expect(result["rules"] as? Int == 1 && result["keyRules"] as? Int == 1)
        #expect((result["problems"] as? [Any])?.isEmpty == true)
    }

    @Test("check reports a word where true is meant, and warns of a rule that an included one hides")
    func meant() async throws {
        let word = try folder.write(
            "word.json",
            #"{ "rules": [{ "name": "a", "verdict": "permanent", "when": { "hashed-name": "yes" } }] }"#)
        let refused = try await larder("rules", "check", word)
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.out.contains("write true without quotation marks"), "\(refused)")
        let hidden = try folder.write(
            "hidden.json",
            """
            { "rules": [ { "include": "web-view-defaults" },
                         { "name": "mine", "verdict": "cache-first", "when": { "path": "/api/v1/**" } } ] }
            """)
        let warned = try await larder("rules", "check", hidden)
        #expect(
            warned.status == 0 && warned.out.contains("warning: \"mine\" is never reached: \"api-path\" above it"),
            "\(warned)")
    }

    @Test("what can't be read is bad use", arguments: ["/nowhere/rules.json", "/"])
    func unreadable(_ path: String) async throws {
        for command in [["check", path], ["print", "--rules", path], ["explain", "http://a.test/", "--rules", path]] {
            let output = try await ToolProcess.run(ToolProcess.larder, ["rules"] + command)
            #expect(output.status == 2 && output.out.isEmpty, "\(command)")
            #expect(output.err.hasPrefix("larder: The rules file '\(path)' can't be read"), "\(output.err)")
        }
    }

    @Test("what print prints is fine, says the same when it is printed again, and decides the same")
    func roundTrip() async throws {
        let path = try folder.write(
            "rules.json",
            """
            { "rules": [ { "name": "news", "verdict": "NetworkFirst", "timeout": 3, "when": { "path": ["/news/**"] } },
                         { "include": "web-view-defaults", "without": ["api-path"] } ],
              "keys": [ { "name": "k", "sort-query": true } ] }
            """)
        for rules in ["default", path] {
            let first = try await larder("rules", "print", "--rules", rules)
            let printed = try folder.write("printed.json", first.out)
            #expect(try await larder("rules", "check", printed).status == 0)
            #expect(try await larder("rules", "print", "--rules", printed).out == first.out)
            for url in ["https://shop.test/news/a?b&a", "https://shop.test/api/a", "https://x.okta.com/"] {
                let own = try await larder("rules", "explain", url, "--rules", rules, "--json")
                #expect(try await larder("rules", "explain", url, "--rules", printed, "--json").out == own.out)
            }
        }
        let piped = try await ToolProcess.run(
            "/bin/sh", ["-c", "\(ToolProcess.larder) rules print | \(ToolProcess.larder) rules check -"])
        #expect(piped.status == 0 && piped.out.hasSuffix(" rules, 2 key rules: fine\n"), "\(piped)")
    }

    struct Asked: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var rule: String?
        var verdict: String
        /// What is known of some rules: outcomes by name.
        var outcomes: [String: String] = [:]
        var mayStillDecide: [String] = []
        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let asked = [
        Asked(
            arguments: ["https://shop.test/api/a"], rule: "api-path", verdict: "store-only-if-explicit",
            outcomes: ["disconnected": "does-not-apply", "html": "waits-for-response"],
            mayStillDecide: ["event-stream"]),
        Asked(
            arguments: ["https://shop.test/api/a", "--destination", "document"], rule: "html",
            verdict: "stale-if-error for 365d", outcomes: ["api-path": "does-not-apply", "html": "decides"],
            mayStillDecide: ["event-stream", "older-than-page", "redirect", "html-unstated"]),
        Asked(
            arguments: ["https://shop.test/", "-H", "Sec-Fetch-Dest: document"], rule: "html",
            verdict: "stale-if-error for 365d",
            mayStillDecide: ["event-stream", "older-than-page", "redirect", "html-unstated"]),
        Asked(
            arguments: ["https://shop.test/", "-H", "Authorization: Bearer x"], rule: "authorization",
            verdict: "bypass", mayStillDecide: []),
        Asked(
            arguments: ["https://shop.test/a.js", "--offline"], rule: "disconnected", verdict: "only-if-stored"),
        Asked(
            arguments: ["https://shop.test/a.js"], rule: "static-error", verdict: "stale-if-error for 365d",
            outcomes: ["static-script": "waits-for-response", "static-style": "does-not-apply"],
            mayStillDecide: [
                "event-stream", "older-than-page", "static-script", "redirect", "html-unstated", "html",
            ]),
        Asked(
            arguments: ["https://shop.test/a.js", "--content-type", "text/javascript"], rule: "static-script",
            verdict: "stale-while-revalidate for 30d", outcomes: ["static-script": "decides"]),
        // A stated lifetime is the origin's word, and the rule leaves it.
        Asked(
            arguments: [
                "https://shop.test/a.js", "--content-type", "text/javascript", "--response-header",
                "Cache-Control: max-age=60",
            ], rule: "static-error", verdict: "stale-if-error for 365d",
            outcomes: ["static-script": "does-not-apply"]),
    ]

    @Test("explain names the rule that decides, and says of the others why not", arguments: asked)
    func explain(_ asked: Asked) async throws {
        let call = ["rules", "explain"] + asked.arguments
        let found = try json(try await ToolProcess.run(ToolProcess.larder, call + ["--json"]))
        let decision = try #require(found["decision"] as? [String: Any])
        #expect(decision["rule"] as? String == asked.rule && decision["verdict"] as? String == asked.verdict)
        #expect(found["mayStillDecide"] as? [String] == asked.mayStillDecide)
        let steps = try #require(found["rules"] as? [[String: String]])
        for (rule, outcome) in asked.outcomes {
            #expect(steps.first { $0["rule"] == rule }?["outcome"] == outcome, "\(rule)")
        }
        let text = try await ToolProcess.run(ToolProcess.larder, call)
        #expect(text.status == 0)
        let subject = asked.rule.map { "The rule \"\($0)\" decides" } ?? "No rule decides"
        #expect(text.out.contains("\(subject): \(asked.verdict)\n"))
        #expect(text.out.contains("Once a response is known") == !asked.mayStillDecide.isEmpty)
        for step in steps { #expect(text.out.contains(" \(step["rule"] ?? "?") "), "\(step)") }
    }

    @Test("the network and the device can be other than they are, one trait or several")
    func connectivity() async throws {
        let rules = try folder.write(
            "rules.json",
            """
            { "rules": [ { "name": "gone", "verdict": "only-if-stored", "when": { "connectivity": "disconnected" } },
                         { "name": "saving", "verdict": "permanent", "when": { "connectivity": "low-power" } },
                         { "name": "dear", "verdict": "cache-first", "when": { "connectivity": "expensive" } },
                         { "name": "small", "verdict": "bypass", "when": { "connectivity": "constrained" } } ] }
            """)
        // A store has to be there.
        let store = folder.path + "/store"
        try RunningProxy(["--store", store, "--no-auth"]).stop()
        let cases: [(flags: [String], rule: String?, connectivity: String)] = [
            ([], nil, "connected"), (["--expensive"], "dear", "connected, expensive"),
            (["--constrained"], "small", "connected, constrained"),
            (["--low-power", "--expensive"], "saving", "connected, expensive, low-power"),
            (["--offline"], "gone", "disconnected"),
            // Those of a network do not hold without one.
            (["--offline", "--expensive", "--low-power"], "gone", "disconnected, low-power"),
        ]
        for (flags, rule, connectivity) in cases {
            let asked = ["http://shop.test/", "--rules", rules, "--json"] + flags
            let ruled = try json(try await ToolProcess.run(ToolProcess.larder, ["rules", "explain"] + asked))
            #expect((ruled["decision"] as? [String: Any])?["rule"] as? String == rule, "\(flags)")
            #expect(ruled["connectivity"] as? String == connectivity, "\(flags)")
            let whole = try json(
                try await ToolProcess.run(ToolProcess.larder, ["explain", "--store", store] + asked))
            let steps = try #require(whole["steps"] as? [[String: String]])
            let network = steps.first { $0["title"] == "Network" }?["finding"]
            #expect(network == (flags.isEmpty ? nil : connectivity), "\(flags)")
            let policy = steps.first { $0["title"] == "Policy" }?["finding"] ?? ""
            #expect(rule.map { policy.contains("rule '\($0)' gives") } ?? policy.contains("no rule"), "\(policy)")
        }
    }

    @Test("a proxy takes its network for what it is told")
    func connectivityOfProxy() async throws {
        let rules = try folder.write(
            "rules.json",
            #"{ "rules": [ { "name": "dear", "verdict": "bypass", "when": { "connectivity": "expensive" } } ] }"#)
        let origin = try await ScriptedOrigin.start()
        for (flags, status) in [(["--expensive"], "detail=dear"), (["--offline"], "detail=disconnected")] {
            let proxy = try RunningProxy(
                ["--store", folder.path + "/own", "--no-auth", "--rules", rules] + flags)
            let address = proxy.address.firstMatch(of: #/http://[0-9.:]+/#).map { String($0.0) } ?? ""
            let answer = try await ToolProcess.curl(["-i", "-x", address, "http://127.0.0.1:\(origin.port)/fixed"])
            #expect(answer.out.contains(status), "\(answer)")
            proxy.stop()
        }
        await origin.stop()
    }

    @Test(
        "explain refuses what it can't ask about",
        arguments: [
            ["shop.test"], ["http://a.test/", "--destination", "page"], ["http://a.test/", "-H", "no field"],
            ["http://a.test/", "--response-header", ": x"], ["http://a.test/", "--method", "G T"],
        ])
    func badQuestion(_ arguments: [String]) async throws {
        let output = try await ToolProcess.run(ToolProcess.larder, ["rules", "explain"] + arguments)
        #expect(output.status == 2 && output.err.hasPrefix("larder: "))
    }
}
