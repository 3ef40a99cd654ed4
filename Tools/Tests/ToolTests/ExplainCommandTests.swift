import CacheTesting
import ChildPrograms
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
        #expect(explained.out.contains("rule 'html' gives the verdict stale-if-error"), "\(explained)")
        let json = try await larder(["explain", page, "--store", store, "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        #expect(object?["policy"] as? String == "the default rules" && object?["answer"] as? String == "stored")
        await origin.stop()
    }

    @Test("a script that may be a module, whose response varies by Sec-Fetch-Mode (HTML, fetch a module script)")
    func module() async throws {
        let origin = try await PageOrigin.start { request in
            request.path == "/"
                ? .page("Shop", "Shop<script type=module src=/module.js></script><script src=/classic.js></script>")
                : .init(
                    fields: [
                        "Content-Type": "text/javascript", "Cache-Control": "max-age=600", "Vary": "Sec-Fetch-Mode",
                    ], body: "1")
        }
        let page = "http://127.0.0.1:\(origin.port)"
        #expect(try await larder(["open", page + "/", "--store", store]).status == 0)
        await origin.stop()
        for (path, mode) in [("/module.js", "cors"), ("/classic.js", "no-cors")] {
            let explained = try await larder(["explain", page + path, "--store", store, "--json"])
            #expect(explained.out.contains(#""answer" : "stored""#), "\(explained)")
            let given = try await larder(
                ["explain", page + path, "--store", store, "--json", "-H", "Sec-Fetch-Mode: \(mode)"])
            #expect(given.out.contains(#""answer" : "stored""#), "\(given)")
        }
        let other = try await larder(
            ["explain", page + "/module.js", "--store", store, "--json", "-H", "Sec-Fetch-Mode: no-cors"])
        #expect(other.out.contains(#""answer" : "forwarded""#), "\(other)")
    }

    @Test(
        "an error names the command whose help helps",
        arguments: [
            (["store", "remove"], "larder store remove"), (["store", "list", "--nothing"], "larder store list"),
            (["explain"], "larder explain"), (["explain", "http://a.test/", "--mode", "x"], "larder explain"),
            (["rules", "explain", "http://a.test/", "--destination", "page"], "larder rules explain"),
            (["proxy", "--listen", "x"], "larder proxy"),
            (["proxy", "--intercept-tls", "https://a.test"], "larder proxy"),
            (["demo", "--url", "a.test"], "larder demo"),
            (["open", "--data", "/etc/hostname", "https://a.test/"], "larder open"), (["nothing"], "larder"),
            (["open", "--timeout", "0", "https://a.test/"], "larder open"),
            (["open", "--timeout", "soon", "https://a.test/"], "larder open"),
            (["open", "--screenshot", "/dev/null/a.png", "https://a.test/"], "larder open"),
            (["open", "--screenshot", "/etc", "https://a.test/"], "larder open"),
            (["demo", "--report", "/dev/null/a.html"], "larder demo"), (["demo", "--quiet", "0"], "larder demo"),
            (["demo", "--visits", "3"], "larder demo"),
            (["preload", "--list", "/dev/null"], "larder preload"),
            (["preload", "--budget", "much", "https://a.test/"], "larder preload"),
            (["nothing", "--help"], "larder"), (["store", "lost", "--help"], "larder store"),
        ])
    func help(_ arguments: [String], _ command: String) async throws {
        let output = try await larder(arguments)
        #expect(output.status == 2 && output.err.hasSuffix(" (See \(command) --help.)\n"), "\(output)")
    }

    @Test("a value that is none of many is told on one line, with all of them")
    func values() async throws {
        let output = try await larder(["open", "--network", "slow", "https://a.test/"])
        #expect(output.err.contains("one of the following: direct, 4g, slow-3g, silent, "), "\(output)")
    }

    @Test(
        "--help of a command is that command's",
        arguments: [
            "demo", "open", "capabilities", "proxy", "explain", "rules", "rules check", "rules explain", "rules print",
            "store",
            "store list", "store show", "store stats", "store verify", "store remove", "store refresh",
        ])
    func ownHelp(_ command: String) async throws {
        for help in ["--help", "-h"] {
            let output = try await larder(command.split(separator: " ").map(String.init) + [help])
            #expect(output.status == 0 && output.out.contains("USAGE: larder \(command) "), "\(output)")
        }
    }

    @Test("explain and proxy say by which rules they decide, and how they decide by the same")
    func sameRules() async throws {
        let errors = try OutputPipe()
        let proxy = try RunningProxy(["--store", store, "--no-auth"], errors: errors)
        let said = String(decoding: await errors.readAll { $0.contains(0x0A) }, as: UTF8.self)
        #expect(said.contains("RFC 9111 alone") && said.contains("larder explain --rules none"), "\(said)")
        proxy.stop()
        let url = "http://shop.test/"
        let usual = try await larder(["explain", url, "--store", store])
        let words = usual.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("larder proxy decides by the same with --rules default;"), "\(usual)")
        let none = try await larder(["explain", url, "--store", store, "--rules", "none"])
        #expect(none.out.contains("larder proxy without --rules decides by the same."), "\(none)")
        let json = try await larder(["explain", url, "--store", store, "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        #expect(object?["policy"] as? String == "the default rules" && object?["rules"] as? String == "default")
        for command in ["proxy", "explain"] {
            let help = try await larder([command, "--help"]).out.split(whereSeparator: \.isWhitespace)
            #expect(help.joined(separator: " ").contains("give both commands the same --rules"), "\(command)")
        }
    }

    @Test("--version says that nothing is released")
    func version() async throws {
        let output = try await larder(["--version"])
        #expect(output.status == 0 && output.out.contains("not released") && output.err.isEmpty, "\(output)")
    }
}
