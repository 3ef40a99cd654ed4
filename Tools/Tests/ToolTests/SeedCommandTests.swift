import CacheTesting
import Foundation
import Testing

@Suite("larder seed")
struct SeedCommandTests {
    private let folder: TemporaryDirectory
    private var site: String { folder.path + "/dist" }
    private var file: String { folder.path + "/app.seed" }
    // Port 9 is for discarding, and nobody does.
    private static let base = "http://127.0.0.1:9/"
    private static let script = "assets/index-BX3kTQ9a.js"

    init() throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: site + "/assets", withIntermediateDirectories: true)
        _ = try folder.write("dist/\(Self.script)", String(repeating: "run(); ", count: 100))
        _ = try folder.write("dist/index.html", "<script type=module src=/\(Self.script)></script>")
    }

    private func seed(_ arguments: String...) async throws -> ToolProcess.Output {
        try await ToolProcess.run(ToolProcess.larder, ["seed"] + arguments)
    }

    private func json(_ output: ToolProcess.Output) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [String: Any], "\(output)")
    }

    @Test("a seed is built, shown and filled from; then a proxy answers without the origin")
    func whole() async throws {
        let built = try await seed("build", site, "--base", Self.base, "--out", file, "--documents", "--gzip")
        #expect(built.status == 0 && built.out.contains("2 files"), "\(built)")
        let shown = try json(try await seed("show", file, "--json"))
        let files = try #require(shown["files"] as? [[String: Any]])
        #expect(files.compactMap { $0["url"] as? String } == [Self.base, Self.base + Self.script])
        #expect(files.compactMap { $0["coding"] as? String } == ["identity", "gzip"])
        let text = try await seed("show", file)
        #expect(text.status == 0 && text.out.contains("boot \(Self.base)\(Self.script)  700 B ("), "\(text)")

        let filled = try json(try await seed("fill", file, "--store", folder.store, "--json"))
        #expect(filled["stored"] as? Int == 2 && filled["failed"] as? Int == 0)
        let again = try await seed("fill", file, "--store", folder.store)
        #expect(again.status == 0 && again.out.hasPrefix("0 of 2 files stored, 0 B; 2 were there"), "\(again)")

        let proxy = try RunningProxy(["--store", folder.store, "--no-auth", "--rules", "default", "--offline"])
        func get(_ path: String) async throws -> String {
            try await ToolProcess.curl(["-i", "--compressed", "-x", proxy.address, Self.base + path]).out
        }
        let page = try await get("")
        #expect(page.hasPrefix("HTTP/1.1 200 ") && page.contains("Larder; hit"), "\(page)")
        #expect(page.hasSuffix("<script type=module src=/\(Self.script)></script>"))
        let script = try await get(Self.script)
        #expect(script.contains("Larder; hit") && script.hasSuffix("run(); "), "\(script)")
        proxy.stop()
    }

    @Test("what is no seed is said in one sentence")
    func mistakes() async throws {
        let other = try folder.write("other.seed", "no seed")
        let calls = [
            ["show", other], ["show", folder.path + "/none"], ["fill", other, "--store", folder.store],
            ["build", site, "--base", Self.base], ["build", site, "--base", "https://a.test", "--out", file],
            ["build", site, "--base", Self.base, "--out", site + "/app.seed"],
            ["build", site, "--base", Self.base, "--out", file, "--built", "yesterday"],
            ["build", site, "--base", Self.base, "--out", file, "--field", "nothing"],
            ["build", site, "--base", Self.base, "--out", file, "--manifest", folder.path + "/none"],
        ]
        for call in calls {
            let output = try await ToolProcess.run(ToolProcess.larder, ["seed"] + call)
            #expect(output.status == 2 && output.out.isEmpty && output.err.hasPrefix("larder: "), "\(output)")
            #expect(output.err.split(separator: "\n").count == 1, "\(output.err)")
        }
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(!FileManager.default.fileExists(atPath: folder.store))
    }
}
