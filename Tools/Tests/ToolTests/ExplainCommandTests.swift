import CacheTesting
import Foundation
import Testing
import WireSupport

@Suite("larder explain, and the rules of commands")
struct ExplainCommandTests {
    let folder: TemporaryDirectory
    var store: String { folder.store }

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func larder(_ arguments: [String]) async throws -> ToolProcess.Output {
        try await ToolProcess.run(ToolProcess.larder, arguments)
    }

    private static let rules = """
        { "rules": [ { "name": "own", "verdict": "follow-protocol", "expiry": "7d", "tags": ["kept"] } ],
          "keys": [ { "name": "utm", "drop-tracking": true } ] }
        """

    @Test("refresh stores as the rules say: key, tags and expiry, and says by which rule")
    func refreshByRules() async throws {
        let rules = try folder.write("rules.json", Self.rules)
        let origin = try await ScriptedOrigin.start()
        let page = "http://127.0.0.1:\(origin.port)/page"
        // A store has to be there.
        let proxy = try RunningProxy(["--store", store, "--no-auth"])
        proxy.stop()
        let own = try await larder(["store", "refresh", page + "?utm_source=1", "--store", store, "--rules", rules])
        #expect(own.status == 0, "\(own)")
        #expect(own.out.contains("200 OK: stored as \(page), by the rule 'own' of \(rules)"), "\(own)")
        let shown = try await larder(["store", "show", page, "--store", store])
        #expect(shown.out.contains("tags") && shown.out.contains("kept"), "\(shown)")
        #expect(shown.out.contains("expires") && shown.out.contains("in 6 d 23 h"), "\(shown)")
        let listed = try await larder(["store", "list", "--store", store])
        #expect(listed.out.contains("one response") && !listed.out.contains("utm_source"), "\(listed)")
        let plain = try await larder(["store", "refresh", page, "--store", store, "--rules", "none"])
        #expect(plain.out == "200 OK: stored, by RFC 9111 alone\n")
        let usual = try await larder(["store", "refresh", page, "--store", store, "--destination", "document"])
        #expect(usual.out == "200 OK: stored, by the rule 'html' of the default rules\n")
        // The first line names the policy, and the second the request.
        for (name, policy) in [("none", "RFC 9111 alone"), ("protocol", "RFC 9111 alone"), (rules, rules)] {
            let explained = try await larder(["explain", page, "--store", store, "--rules", name])
            let lines = explained.out.split(separator: "\n")
            // A name that is longer than a line loses its end.
            #expect(lines.first?.hasPrefix(" By \(policy.prefix(60))") == true, "\(explained)")
            #expect(lines.dropFirst().first == " GET \(page)", "\(explained)")
        }
        let explained = try await larder(["explain", page, "--store", store, "--destination", "document"])
        #expect(explained.out.hasPrefix(" By the default rules\n"))
        #expect(explained.out.contains("rule 'html' gives the verdict follow-protocol"), "\(explained)")
        let json = try await larder(["explain", page, "--store", store, "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        #expect(object?["policy"] as? String == "the default rules" && object?["answer"] as? String == "stored")
        await origin.stop()
    }

    @Test(
        "an error names the command whose help helps",
        arguments: [
            (["store", "remove"], "larder store remove"), (["store", "list", "--nothing"], "larder store list"),
            (["explain"], "larder explain"), (["explain", "http://a.test/", "--mode", "x"], "larder explain"),
            (["rules", "explain", "http://a.test/", "--destination", "page"], "larder rules explain"),
            (["proxy", "--listen", "x"], "larder proxy"), (["nothing"], "larder"),
        ])
    func help(_ arguments: [String], _ command: String) async throws {
        let output = try await larder(arguments)
        #expect(output.status == 2 && output.err.hasSuffix(" (See \(command) --help.)\n"), "\(output)")
    }

    @Test("--version says that nothing is released")
    func version() async throws {
        let output = try await larder(["--version"])
        #expect(output.status == 0 && output.out.contains("not released") && output.err.isEmpty, "\(output)")
    }
}
