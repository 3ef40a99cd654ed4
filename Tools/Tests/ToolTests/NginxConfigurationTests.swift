import CacheTesting
import ChildPrograms
import Foundation
import Testing
import WireSupport

@Suite("The nginx configuration of docs/manifests.md")
struct NginxConfigurationTests {
    private static let program = "/usr/sbin/nginx"

    /// The lines of the document's nginx block.
    private static func documented() throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/manifests.md").standardized
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```nginx\n")
        return try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    }

    /// A header field of an answer, and its body's size.
    private func answer(_ url: String, _ arguments: String...) async throws -> (head: String, size: Int) {
        let output = try await ToolProcess.curl(
            arguments + ["-D", "-", "-o", "/dev/null", "-w", "%{size_download}", url])
        let lines = output.out.components(separatedBy: "\r\n")
        return (lines.dropLast().joined(separator: "\n"), Int(lines.last ?? "") ?? -1)
    }

    @Test(
        "serves a manifest that larder builds: the head for a minute, lists and hashed files for good, compressed or not"
    )
    func serves() async throws {
        let folder = try TemporaryDirectory()
        let site = folder.path + "/site"
        let script = String(repeating: "let a = 1;\n", count: 500)
        try FileManager.default.createDirectory(atPath: site + "/assets", withIntermediateDirectories: true)
        try Data(script.utf8).write(to: URL(fileURLWithPath: site + "/assets/index-BX3kTQ9a.js"))
        let gzip = try ChildProcess("/bin/gzip", ["-k", site + "/assets/index-BX3kTQ9a.js"])
        #expect(await gzip.ended() == .exited(0))
        let reserved = try ReservedPort()
        let base = "http://127.0.0.1:\(reserved.number)/"
        let built = try await ToolProcess.run(
            ToolProcess.larder, ["manifest", "build", site, "--base", base, "--json"])
        try #require(built.status == 0, "\(built)")
        let line = try #require(try JSONSerialization.jsonObject(with: Data(built.out.utf8)) as? [String: Any])
        let list = try #require(line["list"] as? String)
        #expect(line["files"] as? Int == 1)

        let configuration = """
            daemon off; pid \(folder.path)/pid; error_log \(folder.path)/error.log;
            events { worker_connections 64; }
            http {
                access_log off; default_type application/octet-stream;
                client_body_temp_path \(folder.path)/a; proxy_temp_path \(folder.path)/b; fastcgi_temp_path \(folder.path)/c;
                uwsgi_temp_path \(folder.path)/d; scgi_temp_path \(folder.path)/e;
                server { listen 127.0.0.1:\(reserved.number) reuseport; root \(site);
            \(try Self.documented())
            } }
            """
        let file = try folder.write("nginx.conf", configuration)
        // Its workers have another user, who must be able to read the folders.
        for path in [folder.path, URL(fileURLWithPath: folder.path).deletingLastPathComponent().path, site] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let nginx = try ChildProcess(Self.program, ["-c", file])
        defer {
            nginx.terminate()
            nginx.wait()
        }
        _ = try await ToolProcess.curl(
            [
                "--retry", "1000", "--retry-delay", "0", "--retry-connrefused", "-o", "/dev/null",
                base + "larder/head.json",
            ])

        let head = try await answer(base + "larder/head.json")
        #expect(head.head.contains("200 OK") && head.head.contains("max-age=60, must-revalidate"), "\(head)")
        let lists = try await answer(base + "larder/" + list)
        #expect(lists.head.contains("200 OK") && lists.head.contains("max-age=31536000, immutable"), "\(lists)")
        for answer in [head, lists] { #expect(answer.head.contains("Access-Control-Allow-Origin: *")) }
        let plain = try await answer(base + "assets/index-BX3kTQ9a.js")
        #expect(plain.size == script.utf8.count && plain.head.contains("immutable"))
        let coded = try await answer(base + "assets/index-BX3kTQ9a.js", "-H", "Accept-Encoding: gzip")
        #expect(coded.head.contains("Content-Encoding: gzip") && coded.size < 200, "\(coded)")
    }
}
