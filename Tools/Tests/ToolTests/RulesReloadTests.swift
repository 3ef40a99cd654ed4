import CacheTesting
import ChildPrograms
import Foundation
import Glibc
import Testing
import WireSupport

/// `larder proxy --rules FILE`, told by SIGHUP that the file has changed.
@Suite("SIGHUP")
struct RulesReloadTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private static func passing(_ name: String) -> String {
        """
        { "rules": [ { "name": "\(name)", "verdict": "bypass", "when": { "path": "/fixed" } } ] }
        """
    }

    /// A proxy with the rule `first`, and what it writes to standard error.
    private struct Subject {
        let rules: String
        let proxy: RunningProxy
        let errors: OutputPipe
        let origin: ScriptedOrigin

        /// - Parameter command: The program and what stands before its own arguments.
        init(_ folder: TemporaryDirectory, json: Bool, by command: [String] = [ToolProcess.larder]) async throws {
            rules = try folder.write("rules.json", RulesReloadTests.passing("first"))
            errors = try OutputPipe()
            origin = try await ScriptedOrigin.start()
            proxy = try RunningProxy(
                ["--store", folder.store, "--no-auth", "--rules", rules] + (json ? ["--json"] : []),
                by: command, errors: errors)
        }

        /// Which rule decides about a request.
        func rule() async throws -> String? {
            let address = proxy.address.firstMatch(of: #/http://[0-9.:]+/#).map { String($0.0) } ?? ""
            let answer = try await ToolProcess.curl(["-i", "-x", address, "http://127.0.0.1:\(origin.port)/fixed"])
            return answer.out.split(whereSeparator: \.isNewline).first { $0.hasPrefix("Cache-Status: ") }
                .flatMap { $0.firstMatch(of: #/detail=(\S+)/#) }.map { String($0.1) }
        }

        /// Sends the signal and returns what is said about it.
        func hangUp() async -> String {
            proxy.process.signal(SIGHUP)
            let said = await errors.readAll { said in
                let text = String(decoding: said, as: UTF8.self)
                return text.hasSuffix("\n") && (text.contains("in force") || text.contains("rulesTaken"))
            }
            return String(decoding: said, as: UTF8.self)
        }
    }

    /// One way in which a file can break, and what is said about it.
    struct Breakage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Changes the file at a path.
        var apply: @Sendable (String) throws -> Void
        var says: String
        /// Whether the file's content is at fault, and has places to point at.
        var hasPlaces = true

        static func content(_ name: String, _ text: String, says: String) -> Breakage {
            Breakage(
                testDescription: name, apply: { try text.write(toFile: $0, atomically: false, encoding: .utf8) },
                says: says)
        }
    }

    static let breakages: [Breakage] = [
        .content("truncated", String(passing("second").dropLast(20)), says: "rules.json:1:"),
        .content("empty", "", says: "rules.json:1:1"),
        .content("a number for the rules", #"{ "rules": 5 }"#, says: "rules.json:1:12"),
        .content("a list for the whole", "[]", says: "rules.json:1:1"),
        .content(
            "a good rule, then one of a verdict that is none",
            #"{ "rules": [ { "name": "second", "verdict": "bypass" }, { "name": "b", "verdict": "bypas" } ] }"#,
            says: "did you mean"),
        .content(
            "a pattern that would fill the memory",
            #"{ "rules": [ { "name": "a", "verdict": "bypass", "when": { "path": "/"#
                + String(repeating: "{a,b}", count: 100) + #"" } } ] }"#,
            says: "at most 32 paths"),
        .content(
            "a regular expression",
            #"{ "rules": [ { "name": "a", "verdict": "bypass", "when": { "regular-expression": "^(a+)+\\1$" } } ] }"#,
            says: "globs"),
        .content(
            "nesting without an end", String(repeating: #"{"rules":["#, count: 100_000), says: "rules.json:1:"),
        Breakage(
            testDescription: "gone", apply: { try FileManager.default.removeItem(atPath: $0) },
            says: "No such file or directory", hasPlaces: false),
        Breakage(
            testDescription: "a directory",
            apply: { path in
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }, says: "Is a directory", hasPlaces: false),
        Breakage(
            testDescription: "not text",
            apply: { try Data([0xFF, 0xFE, 0x00, 0x7B]).write(to: URL(fileURLWithPath: $0)) },
            says: "rules.json:1:1"),
    ]

    @Test("what is wrong with the file is said, and the rules from before stay in force", arguments: breakages)
    func broken(_ breakage: Breakage) async throws {
        let subject = try await Subject(folder, json: false)
        #expect(try await subject.rule() == "first")
        try breakage.apply(subject.rules)
        let said = await subject.hangUp()
        #expect(said.contains(breakage.says), "\(said)")
        #expect(said.contains("The rules from before stay in force"), "\(said)")
        #expect(try await subject.rule() == "first")
        await subject.origin.stop()
    }

    @Test("under --json it is one line of JSON", arguments: breakages)
    func brokenInJSON(_ breakage: Breakage) async throws {
        let subject = try await Subject(folder, json: true)
        try breakage.apply(subject.rules)
        let said = await subject.hangUp()
        let line = try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: [String: Any]]
        let refused = try #require(line?["rulesRefused"])
        #expect(line?.count == 1 && refused["file"] as? String == subject.rules)
        let problems = try #require(refused["problems"] as? [[String: Any]])
        #expect(problems.isEmpty == !breakage.hasPlaces)
        #expect(problems.allSatisfy { $0["line"] is Int && $0["column"] is Int && $0["message"] is String })
        #expect((refused["message"] as? String)?.contains("The rules from before stay in force") == true)
        #expect(try await subject.rule() == "first")
        await subject.origin.stop()
    }

    @Test(
        "a good file is in force for the next request, also after a broken one; and it is said",
        arguments: [false, true])
    func taken(_ json: Bool) async throws {
        let subject = try await Subject(folder, json: json)
        try FileManager.default.removeItem(atPath: subject.rules)
        _ = await subject.hangUp()
        for name in ["second", "third"] {
            _ = try folder.write("rules.json", Self.passing(name))
            let said = await subject.hangUp()
            #expect(
                said
                    == (json
                        ? #"{"rulesTaken":{"file":"\#(subject.rules)","keyRules":0,"rules":1}}"# + "\n"
                        : "larder: \(subject.rules) is in force: 1 rule.\n"))
            #expect(try await subject.rule() == name)
        }
        await subject.origin.stop()
    }

    @Test("how much the new rules remove from the store is said", arguments: [false, true])
    func purged(_ json: Bool) async throws {
        let subject = try await Subject(folder, json: json)
        _ = try folder.write("rules.json", #"{ "rules": [] }"#)
        _ = await subject.hangUp()
        _ = try await subject.rule()
        _ = try folder.write(
            "rules.json", Self.passing("never").replacing("bypass", with: "never-store"))
        subject.proxy.process.signal(SIGHUP)
        let said = await subject.errors.readAll { $0.count { $0 == 0x0A } == 2 }
        let text = String(decoding: said, as: UTF8.self)
        #expect(
            text.contains(
                json
                    ? #"{"rulesPurged":{"bytes":"#
                    : "larder: The new rules never store what matches them: one stored response removed, "), "\(text)")
        #expect(!json || text.contains(#""responses":1}}"#), "\(text)")
        await subject.origin.stop()
    }

    private static let setpriv = "/usr/bin/setpriv"

    @Test(
        "a file that may not be read any more changes nothing",
        .enabled(if: geteuid() != 0 || access(setpriv, X_OK) == 0))
    func forbidden() async throws {
        try ToolProcess.copy(to: folder.path + "/larder")
        try #require(chmod(folder.path, 0o777) == 0)
        let ordinary = [Self.setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
        let subject = try await Subject(
            folder, json: false, by: (geteuid() == 0 ? ordinary : []) + [folder.path + "/larder"])
        try #require(chmod(subject.rules, 0) == 0)
        #expect(await subject.hangUp().contains("can't be read (Permission denied)"))
        #expect(try await subject.rule() == "first")
        await subject.origin.stop()
    }

    @Test("without a file to read again, the signal ends the process as it always did", arguments: [[], ["default"]])
    func nothingToRead(_ rules: [String]) async throws {
        let proxy = try RunningProxy(
            ["--store", folder.store, "--no-auth"] + rules.flatMap { ["--rules", $0] })
        proxy.process.signal(SIGHUP)
        #expect(await proxy.process.ended() == .signalled(SIGHUP))
    }

    @Test("a terminal that goes away takes the proxy with it", .enabled(if: access("/usr/bin/script", X_OK) == 0))
    func terminal() async throws {
        let rules = try folder.write("rules.json", Self.passing("first"))
        let number = folder.path + "/number"
        let store = folder.store
        // The proxy itself becomes the terminal's leader, and leaves its number behind.
        let command = "echo $$ > \(number); exec \(ToolProcess.larder) proxy --store \(store) --rules \(rules)"
        let out = try OutputPipe()
        let terminal = try ChildProcess("/usr/bin/script", ["-qfc", command, "/dev/null"], output: .pipe(out))
        _ = await out.readAll { String(decoding: $0, as: UTF8.self).contains("http://") }
        let text = try String(contentsOfFile: number, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let proxy = try #require(pid_t(text))
        terminal.signal(SIGKILL)
        await terminal.ended()
        func isRunning() -> Bool {
            let status = try? String(contentsOfFile: "/proc/\(proxy)/status", encoding: .utf8)
            return status.map { !$0.contains("State:\tZ") } ?? false
        }
        while isRunning() { await Task.yield() }
    }
}
