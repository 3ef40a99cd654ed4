import CacheTesting
import Foundation
import Testing
import WireSupport

@Suite("--rules FILE")
struct RulesFileTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("larder proxy decides by the file, and Cache-Status names the rule")
    func proxy() async throws {
        let rules = try folder.write(
            "rules.json",
            """
            { "rules": [ { "name": "passed-on", "verdict": "bypass", "when": { "path": "/fixed/pass" } },
                         { "name": "kept", "verdict": "cache-first", "when": { "path-prefix": "/fixed/" } } ] }
            """)
        let origin = try await ScriptedOrigin.start()
        let store = folder.store
        let proxy = try RunningProxy(["--store", store, "--no-auth", "--rules", rules])
        func cacheStatus(_ path: String) async throws -> String? {
            let url = "http://127.0.0.1:\(origin.port)\(path)"
            let answer = try await ToolProcess.curl(["-i", "-x", proxy.address, url])
            return answer.out.split(whereSeparator: \.isNewline).first { $0.hasPrefix("Cache-Status: ") }
                .map { String($0.dropFirst(14)) }
        }
        for _ in 1...2 {
            #expect(try await cacheStatus("/fixed/pass") == "Larder; fwd=bypass; detail=passed-on")
        }
        #expect(try await cacheStatus("/fixed/a") == "Larder; fwd=uri-miss; stored; detail=kept")
        let hit = try #require(try await cacheStatus("/fixed/a"))
        #expect(hit.hasPrefix("Larder; hit") && hit.hasSuffix("detail=kept"), "\(hit)")
        #expect(try await cacheStatus("/fixed") == "Larder; fwd=uri-miss; stored")
        proxy.stop()
        let url = "http://127.0.0.1:\(origin.port)/fixed/a"
        let explained = try await ToolProcess.run(
            ToolProcess.larder, ["explain", url, "--store", store, "--rules", rules])
        #expect(explained.status == 0 && explained.out.contains("rule 'kept' gives the verdict cache-first"))
    }

    @Test(
        "a wrong file ends proxy, explain and open before anything begins, with what rules check would say",
        arguments: [["proxy"], ["explain", "http://a.test/"], ["open", "http://a.test/"]])
    func wrongFile(_ command: [String]) async throws {
        let rules = try folder.write("rules.json", "{ \"rules\": [\n  { \"name\": \"a\", \"verdict\": \"bypas\" } ] }")
        let store = folder.store
        let call = command + ["--store", store, "--rules"]
        let wrong = try await ToolProcess.run(ToolProcess.larder, call + [rules])
        let told = try await ToolProcess.run(ToolProcess.larder, ["rules", "check", rules])
        #expect(wrong.status == 2 && wrong.out.isEmpty)
        #expect(wrong.err.contains("\(rules):2:29: \"bypas\" is not a verdict; did you mean \"bypass\"?\n"))
        #expect(told.out == wrong.err.replacing("larder: The rules file can't be used: 1 problem.", with: "1 problem"))
        let missing = try await ToolProcess.run(ToolProcess.larder, call + [rules + ".not"])
        #expect(missing.status == 2 && missing.err.contains("can't be read (No such file or directory)"))
        #expect(!FileManager.default.fileExists(atPath: store))
    }
}
