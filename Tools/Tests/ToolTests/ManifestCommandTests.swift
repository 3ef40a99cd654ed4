import CacheTesting
import Foundation
import Testing

@Suite("larder manifest")
struct ManifestCommandTests {
    private let folder: TemporaryDirectory
    private var site: String { folder.path + "/dist" }

    init() throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: site + "/assets", withIntermediateDirectories: true)
        _ = try folder.write("dist/assets/index-BX3kTQ9a.js", "import './a.css'")
        _ = try folder.write("dist/index.html", "<script type=module src=/assets/index-BX3kTQ9a.js></script>")
    }

    private func manifest(_ arguments: String...) async throws -> ToolProcess.Output {
        try await ToolProcess.run(ToolProcess.larder, ["manifest"] + arguments)
    }

    private func json(_ output: ToolProcess.Output) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [String: Any], "\(output)")
    }

    @Test("the commands of docs/manifests.md: keys, a signed manifest, and its verification")
    func documented() async throws {
        let keys = folder.path + "/keys"
        #expect(try await manifest("keygen", keys).status == 0)
        let again = try await manifest("keygen", keys)
        #expect(again.status == 2 && again.err.contains("current.key") && again.err.hasPrefix("larder: "))
        let built = try await manifest(
            "build", site, "--base", "http://localhost:8000/", "--key", keys + "/current.key", "--json")
        #expect(built.status == 0, "\(built)")
        let line = try json(built)
        #expect(line["serial"] as? Int == 1 && line["signed"] as? Bool == true && line["id"] as? String == "localhost")
        let verified = try await manifest(
            "verify", site + "/larder", "--key", keys + "/current.pub", "--recovery-key", keys + "/recovery.pub",
            "--files",
            site)
        #expect(verified.status == 0 && verified.out.contains("1 list and 1 file as stated"), "\(verified)")
        #expect(verified.out.contains("is accepted until 20") && verified.out.contains("lists/"), "\(verified)")
        #expect(!verified.out.contains("\u{1B}"))
        let wrong = try await manifest("verify", site + "/larder", "--key", keys + "/next.pub", "--json")
        #expect(wrong.status == 1)
        let problems = try json(wrong)["problems"] as? [[String: Any]]
        #expect(problems?.first?["code"] as? String == "unknown-key")
    }

    @Test("signing adds, renewing begins anew, and a change needs another signature")
    func signing() async throws {
        let keys = folder.path + "/keys"
        _ = try await manifest("keygen", keys)
        _ = try await manifest("build", site, "--base", "https://a.test/", "--release", "r1")
        let head = site + "/larder"
        #expect(
            try json(try await manifest("sign", head, "--key", keys + "/current.key", "--json"))["serial"] as? Int == 1)
        let both = try json(try await manifest("sign", head, "--key", keys + "/next.key", "--json"))
        #expect((both["signedBy"] as? [String])?.count == 2)
        let renewed = try json(
            try await manifest("sign", head, "--renew", "--expires", "7d", "--key", keys + "/next.key", "--json"))
        #expect(renewed["serial"] as? Int == 2 && (renewed["signedBy"] as? [String])?.count == 1)
        let off = try json(try await manifest("change", head, "--state", "off", "--rollout", "0.5", "--json"))
        #expect(off["serial"] as? Int == 3 && off["state"] as? String == "off" && (off["signedBy"] as? [String]) == [])
        #expect(((off["releases"] as? [[String: Any]])?.first)?["rollout"] as? Int == 50)
        for command in [["sign", "--renew"], ["change"], ["build", "--base", "https://a.test/"]] {
            let place = command[0] == "build" ? site : head
            let refused = try await ToolProcess.run(
                ToolProcess.larder, ["manifest"] + command + [place, "--key", keys + "/current.pub"])
            #expect(refused.status == 2 && refused.err.contains("public half"), "\(refused)")
        }
        let after = try json(try await manifest("verify", head, "--json"))
        #expect(after["serial"] as? Int == 3, "and nothing was written")
        #expect(try await manifest("sign", head).status == 2)
    }

    @Test("a FIFO is refused at once, and what turns a terminal's text is not printed", .timeLimit(.minutes(1)))
    func hostile() async throws {
        let fifo = folder.path + "/head.json"
        #expect(mkfifo(fifo, 0o600) == 0)
        for command in [["manifest", "verify", fifo], ["manifest", "diff", fifo, fifo], ["seed", "show", fifo]] {
            let refused = try await ToolProcess.run(ToolProcess.larder, command)
            #expect(refused.status == 2 && refused.err.contains("file"), "\(refused)")
        }
        let built = try await manifest("build", site, "--base", "https://a.test/", "--release", "r1")
        #expect(built.out.contains("HTML is not listed"), "\(built)")
        let lists = try FileManager.default.contentsOfDirectory(atPath: site + "/larder/lists")
        let path = site + "/larder/lists/" + (try #require(lists.first))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("assets/", with: "\u{202E}assets/").write(toFile: path, atomically: true, encoding: .utf8)
        let turned = try await manifest("diff", path, path)
        #expect(turned.status == 2 && !turned.err.contains("\u{202E}"), "\(turned)")
    }

    @Test("diff says what is to be fetched")
    func diff() async throws {
        _ = try await manifest("build", site, "--base", "https://a.test/", "--release", "r1")
        _ = try folder.write("dist/assets/new-AAAAAAAA.js", "12345")
        _ = try await manifest("build", site, "--base", "https://a.test/", "--release", "r2")
        let output = try await manifest("diff", site + "/larder", site + "/larder", "--old-release", "r1", "--json")
        let line = try json(output)
        #expect(output.status == 0 && line["bytesToFetch"] as? Int == 5 && line["unchanged"] as? Int == 1)
        let text = try await manifest("diff", site + "/larder", site + "/larder", "--old-release", "r1")
        #expect(text.out.hasPrefix("+ assets/new-AAAAAAAA.js  5 B\n"))
    }

    @Test(
        "mistakes in the call are named, with status 2",
        arguments: [
            ["build", "nowhere", "--base", "https://a.test/"], ["build", "SITE", "--base", "https://a.test"],
            ["build", "SITE", "--base", "https://a.test/", "--group", "x"], ["build", "SITE"],
            ["build", "SITE", "--base", "https://a.test/", "--rollout", "101"],
            ["build", "SITE", "--base", "https://a.test/", "--entry", "main"], ["verify", "nowhere"],
            ["sign", "SITE/larder"],
            ["build", "SITE", "--base", "https://a.test/", "--min-app", "five"], ["diff", "SITE", "SITE"],
            ["change", "nowhere"],
        ])
    func mistakes(_ arguments: [String]) async throws {
        let output = try await ToolProcess.run(
            ToolProcess.larder, ["manifest"] + arguments.map { $0.replacingOccurrences(of: "SITE", with: site) })
        #expect(output.status == 2 && output.out.isEmpty && output.err.hasPrefix("larder: "), "\(output)")
        #expect(output.err.split(separator: "\n").count == 1, "\(output.err)")
    }
}
