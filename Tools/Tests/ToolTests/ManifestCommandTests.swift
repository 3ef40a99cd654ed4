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
        #expect(
            line["serial"] as? Int == 1 && line["signed"] as? Bool == true && line["id"] as? String == "localhost-8000")
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

    @Test("build names what it leaves out, the queries that pages use, and a clock that is wrong")
    func told() async throws {
        _ = try folder.write("dist/_headers", "/*")
        _ = try folder.write("dist/assets/a.txt", "a")
        _ = try folder.write("dist/app.js", "")
        _ = try folder.write("dist/index.html", "<script src=app.js?3f2a></script>")
        let arguments = ["build", site, "--base", "https://a.test/", "--exclude", "assets/a*", "--exclude", "gone"]
        let built = try await ToolProcess.run(ToolProcess.larder, ["manifest"] + arguments)
        #expect(built.status == 0, "\(built)")
        for line in [
            "left out: 1 × read by the host, not served: _headers\n", "left out: 1 × --exclude: assets/a.txt\n",
            "1 file is asked for with a query, which makes no other file of it: 3f2a\n",
        ] { #expect(built.out.contains(line), "\(built)") }
        #expect(built.err.contains("--exclude 'gone' matches nothing") && !built.err.contains("clock"))
        let head = site + "/larder/head.json"
        let text = try String(contentsOfFile: head, encoding: .utf8)
        let ahead = text.replacing(/"(issued|expires)":"..../) { "\"\($0.output.1)\":\"2999" }
        try Data(ahead.utf8).write(to: URL(fileURLWithPath: head))
        let again = try json(
            try await ToolProcess.run(ToolProcess.larder, ["manifest"] + arguments + ["--json"]))
        #expect(again["ignoreQuery"] as? [String] == ["3f2a"] && again["serial"] as? Int == 2)
        #expect((again["leftOut"] as? [String: [String]])?["--exclude"] == ["assets/a.txt"])
        try Data(ahead.utf8).write(to: URL(fileURLWithPath: head))
        let warned = try await ToolProcess.run(ToolProcess.larder, ["manifest"] + arguments)
        #expect(warned.status == 0 && warned.err.contains("put right the clock that is wrong"), "\(warned)")
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
        #expect(
            try await manifest("sign", head, "--expires", "7d", "--key", keys + "/next.key").err
                .contains("--expires changes the head; it needs --renew."))
    }

    @Test("a key that the head revokes, or is about to, signs nothing, and nothing is written")
    func revoked() async throws {
        let keys = folder.path + "/keys"
        let made = try await manifest("keygen", keys, "--json")
        let lines = try #require(try JSONSerialization.jsonObject(with: Data(made.out.utf8)) as? [[String: Any]])
        let current = try #require(lines.first?["id"] as? String)
        let head = site + "/larder"
        _ = try await manifest("build", site, "--base", "https://a.test/", "--key", keys + "/current.key")
        let own = try await manifest(
            "change", head, "--revoke", current, "--key", keys + "/current.key", "--key", keys + "/recovery.key")
        #expect(own.status == 2 && own.err.contains("is revoked by the head"), "\(own)")
        let revocation = try await manifest(
            "change", head, "--revoke", current, "--key", keys + "/next.key", "--key", keys + "/recovery.key")
        #expect(
            revocation.status == 0 && (revocation.out + revocation.err).contains("only if the recovery key has signed"))
        let before = FileManager.default.contents(atPath: head + "/head.json")
        for command in [
            ["build", site, "--base", "https://a.test/"], ["sign", head], ["sign", head, "--renew"],
            ["change", head, "--state", "off"],
        ] {
            let refused = try await ToolProcess.run(
                ToolProcess.larder, ["manifest"] + command + ["--key", keys + "/current.key"])
            #expect(refused.status == 2 && refused.err.contains("sign with another one"), "\(command): \(refused)")
        }
        #expect(FileManager.default.contents(atPath: head + "/head.json") == before)
    }

    @Test("a change of nothing is refused, and the signatures stay")
    func nothing() async throws {
        let keys = folder.path + "/keys"
        _ = try await manifest("keygen", keys)
        _ = try await manifest("build", site, "--base", "https://a.test/", "--key", keys + "/current.key")
        let before = FileManager.default.contents(atPath: site + "/larder/head.json")
        let refused = try await manifest("change", site + "/larder", "--key", keys + "/current.key")
        #expect(refused.status == 2 && refused.err.contains("nothing to change"), "\(refused)")
        #expect(FileManager.default.contents(atPath: site + "/larder/head.json") == before)
        #expect(
            try json(try await manifest("change", site + "/larder", "--expires", "7d", "--json"))["serial"] as? Int == 2
        )
    }

    @Test("marks of side effects stay from build to build until others are given, or none")
    func sideEffects() async throws {
        func build(_ more: String...) async throws -> [String] {
            let arguments = ["manifest", "build", site, "--base", "https://a.test/", "--json"] + more
            let line = try json(try await ToolProcess.run(ToolProcess.larder, arguments))
            return try #require(line["sideEffects"] as? [String])
        }
        #expect(try await build() == [])
        #expect(
            try await build("--side-effects", "/signout", "--side-effects", "/basket/**") == ["/signout", "/basket/**"])
        _ = try folder.write("dist/assets/new-AAAAAAAA.js", "1")
        #expect(try await build() == ["/signout", "/basket/**"])
        let said = try await manifest("build", site, "--base", "https://a.test/")
        #expect(said.out.contains("/signout, /basket/**, as before (--side-effects none ends that)"), "\(said)")
        #expect(try await build("--side-effects", "/pay") == ["/pay"])
        #expect(try await build("--side-effects", "none") == [])
        #expect(try await build() == [])
        _ = try await build("--side-effects", "/pay")
        try FileManager.default.removeItem(atPath: site + "/larder/lists")
        let lost = try await manifest("build", site, "--base", "https://a.test/")
        #expect(lost.status == 0 && lost.err.contains("not marked any more"), "\(lost)")
        let mixed = try await manifest(
            "build", site, "--base", "https://a.test/", "--side-effects", "none", "--side-effects", "/a")
        #expect(mixed.status == 2, "\(mixed)")
    }

    @Test(
        "a manifest inside the build folder is no part of a release, wherever it is",
        arguments: ["larder", "old/larder", "."])
    func ownFiles(_ place: String) async throws {
        _ = try await manifest("build", site, "--base", "https://a.test/", "--out", site + "/" + place)
        let line = try json(
            try await manifest("build", site, "--base", "https://a.test/", "--out", folder.path + "/other", "--json"))
        #expect(line["files"] as? Int == 1, "\(line)")
        #expect((line["skipped"] as? [String: Int])?["file of a manifest"] == 2, "\(line)")
        let same = try json(
            try await manifest("build", site, "--base", "https://a.test/", "--out", site + "/" + place, "--json"))
        #expect(same["files"] as? Int == 1, "\(same)")
        let said = try await manifest("build", site, "--base", "https://a.test/", "--out", site + "/" + place)
        #expect(said.out.contains("of a manifest") || said.out.contains("of the manifest"), "\(said)")
    }

    @Test(
        "a build manifest that can't be used is named, and groups come from the names of files",
        arguments: [
            (".vite/manifest.json", "{"), (".vite/manifest.json", "{\"name\": \"a web app\"}"), ("manifest.json", "{"),
            (".vite/manifest.json", "{\"a.js\": {\"file\": \"assets/gone.js\", \"isEntry\": true}}"),
            ("manifest.json", "{\"a.js\": {\"file\": \"assets/gone.js\", \"isEntry\": true}}"),
            ("build-manifest.json", "nothing"), ("asset-manifest.json", "["),
        ])
    func unusable(_ name: String, _ content: String) async throws {
        try FileManager.default.createDirectory(atPath: site + "/.vite", withIntermediateDirectories: true)
        _ = try folder.write("dist/" + name, content)
        let built = try await manifest("build", site, "--base", "https://a.test/")
        #expect(built.status == 0 && built.err.contains("'\(name)' can't be read as the manifest"), "\(built)")
        #expect(built.err.split(separator: "\n").count == 1 && built.out.contains("by the names of files"), "\(built)")
    }

    @Test("the manifest of a web app is no broken build manifest")
    func webAppManifest() async throws {
        _ = try folder.write("dist/manifest.json", "{\"name\": \"Shop\", \"icons\": []}")
        #expect(try await manifest("build", site, "--base", "https://a.test/").err.isEmpty)
    }

    @Test("a FIFO is refused at once, and what turns a terminal's text is not printed", .timeLimit(.minutes(10)))
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
