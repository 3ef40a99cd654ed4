import CacheTesting
import Foundation
import Testing

@Suite("larder store refresh says why something was not stored")
struct RefreshReasonTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// Of the origin's answer.
        var status = 200
        var fields: [(name: String, value: String)] = []
        var arguments: [String] = []
        /// The entries of the rules file; the default rules where `nil`.
        var rules: String?
        var path = "/page"
        var reason: String
        var words: String
        var testDescription: String { "\(status) \(fields) \(arguments) \(rules ?? "default"): \(reason)" }
    }

    static let rows = [
        Row(
            fields: [("Cache-Control", "no-store")], reason: "no-store",
            words:
                "'Cache-Control: no-store' forbids storing it; answer with 'no-cache' in its place, or give it a rule with "
                + "\"ignoring\": [\"no-store\"]."),
        Row(
            status: 500, reason: "no-explicit-freshness",
            words:
                "It states no lifetime, and its status or a rule wants one: answer with 'Cache-Control: max-age=0', or "
                + "change the rule."),
        Row(
            status: 401, reason: "no-explicit-freshness",
            words:
                "It states no lifetime, and its status or a rule wants one: answer with 'Cache-Control: max-age=0', or "
                + "change the rule."),
        Row(
            fields: [("Vary", "*"), ("Cache-Control", "max-age=60")], reason: "vary-star",
            words: "'Vary: *' forbids storing it; name the request fields that it depends on, or leave Vary out."),
        Row(
            arguments: ["-H", "Cache-Control: no-store"], reason: "request-no-store",
            words: "The page asked for it with 'Cache-Control: no-store'; leave that out of the request."),
        Row(
            rules: #"{ "name": "bank", "verdict": "never-store" }"#, reason: "rule",
            words: "The rule 'bank' says never-store."),
        Row(
            rules: #"{ "name": "pass", "verdict": "bypass" }"#, reason: "rule",
            words: "The rule 'pass' says bypass."),
        Row(
            path: "/api/basket", reason: "rule",
            words:
                "The rule 'api-path' stores only answers that state a lifetime, and this one states none: answer with "
                + "'Cache-Control: max-age=0', or change the rule."),
        // The rule would have refused as well, and the protocol did.
        Row(
            fields: [("Cache-Control", "no-store")], path: "/api/basket", reason: "no-store",
            words:
                "'Cache-Control: no-store' forbids storing it; answer with 'no-cache' in its place, or give it a rule with "
                + "\"ignoring\": [\"no-store\"]."),
        Row(
            status: 500, path: "/api/basket", reason: "no-explicit-freshness",
            words:
                "It states no lifetime, and its status or a rule wants one: answer with 'Cache-Control: max-age=0', or "
                + "change the rule."),
    ]

    @Test("the rule or the protocol, in words and for programs", arguments: rows)
    func reason(_ row: Row) async throws {
        let folder = try TemporaryDirectory()
        let store = folder.path + "/store"
        try RunningProxy(["--store", store, "--no-auth"]).stop()
        let origin = try await PageOrigin.start { _ in
            var answer = PageOrigin.Answer.page("page")
            answer.status = row.status
            for field in row.fields { answer.fields.add(name: field.name, value: field.value) }
            return answer
        }
        let file = try row.rules.map { try folder.write("rules.json", "{ \"rules\": [\($0)] }") }
        let call =
            ["store", "refresh", "http://127.0.0.1:\(origin.port)\(row.path)", "--store", store] + row.arguments
            + (file.map { ["--rules", $0] } ?? [])
        let said = try await ToolProcess.run(ToolProcess.larder, call)
        #expect(
            said.status == (row.status < 400 ? 0 : 1) && said.out.hasSuffix(": not stored. \(row.words)\n"), "\(said)")
        #expect(said.err.contains("refused the request (\(row.status))") == (row.status >= 400), "\(said)")
        let json = try await ToolProcess.run(ToolProcess.larder, call + ["--json"])
        let result = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        #expect(result?["notStored"] as? String == row.reason && result?["why"] as? String == row.words, "\(json)")
        #expect(result?["isStored"] as? Bool == false)
        await origin.stop()
    }

    @Test("an error that takes the place of a page is called one, and a host without its port is told the ports")
    func storedError() async throws {
        let folder = try TemporaryDirectory()
        let store = folder.path + "/store"
        try RunningProxy(["--store", store, "--no-auth"]).stop()
        let origin = try await PageOrigin.start { _ in
            var answer = PageOrigin.Answer.page("gone")
            answer.status = 404
            return answer
        }
        let call = ["store", "refresh", "http://127.0.0.1:\(origin.port)/", "--store", store]
        let said = try await ToolProcess.run(ToolProcess.larder, call)
        #expect(said.status == 0 && said.out.contains("web views get this error until"), "\(said)")
        for command in [["list"], ["remove"]] {
            let none = try await ToolProcess.run(
                ToolProcess.larder, ["store"] + command + ["--host", "127.0.0.1", "--store", store])
            #expect(none.status == 1 && none.err.contains("something is for 127.0.0.1:\(origin.port)."), "\(none)")
            let other = try await ToolProcess.run(
                ToolProcess.larder, ["store"] + command + ["--host", "a.test", "--store", store])
            #expect(other.status == 1 && other.err.isEmpty, "\(other)")
        }
        await origin.stop()
    }

    @Test("what a rule has the store answer was not fetched")
    func storedOnly() async throws {
        let folder = try TemporaryDirectory()
        let store = folder.path + "/store"
        try RunningProxy(["--store", store, "--no-auth"]).stop()
        let origin = try await PageOrigin.start { _ in .page("page", "", ["Cache-Control": "max-age=600"]) }
        let call = ["store", "refresh", "http://127.0.0.1:\(origin.port)/", "--store", store]
        #expect(try await ToolProcess.run(ToolProcess.larder, call + ["--rules", "none"]).status == 0)
        let rules = try folder.write(
            "rules.json", #"{ "rules": [ { "name": "frozen", "verdict": "only-if-stored" } ] }"#)
        let said = try await ToolProcess.run(ToolProcess.larder, call + ["--rules", rules])
        #expect(said.status == 1 && said.err.contains("was not fetched: the rule 'frozen' has the store"), "\(said)")
        #expect(origin.requests.count == 1)
        await origin.stop()
    }
}
