import CacheRules
import CacheTesting
import ChildPrograms
import Foundation
import HTTPTypes
import Testing
import WireSupport

@testable import PageAudit

@Suite("The lines for nginx, of docs/manifests.md and of an audit")
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

    /// Serves a folder; returns once it answers.
    private func serve(
        _ site: String, in folder: TemporaryDirectory, at port: ReservedPort, http: String = "", lines: String
    ) async throws -> ChildProcess {
        let configuration = """
            daemon off; pid \(folder.path)/pid; error_log \(folder.path)/error.log;
            events { worker_connections 64; }
            http {
                access_log off; default_type application/octet-stream; types { text/html html; text/css css; }
                client_body_temp_path \(folder.path)/a; proxy_temp_path \(folder.path)/b; fastcgi_temp_path \(folder.path)/c;
                uwsgi_temp_path \(folder.path)/d; scgi_temp_path \(folder.path)/e;
            \(http)
                server { listen 127.0.0.1:\(port.number) reuseport; root \(site);
            \(lines)
            } }
            """
        let file = try folder.write("nginx.conf", configuration)
        // Its workers have another user, who must be able to read the folders.
        for path in [folder.path, URL(fileURLWithPath: folder.path).deletingLastPathComponent().path, site] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let nginx = try ChildProcess(Self.program, ["-c", file])
        let base = "http://127.0.0.1:\(port.number)/"
        _ = try await ToolProcess.curl(
            ["--retry", "1000", "--retry-delay", "0", "--retry-connrefused", "-o", "/dev/null", base])
        return nginx
    }

    private static func end(_ nginx: ChildProcess) {
        nginx.terminate()
        nginx.wait()
    }

    @Test("an audit's lines keep the fields and files that the server's own have")
    func audited() async throws {
        let folder = try TemporaryDirectory()
        let site = folder.path + "/site"
        try FileManager.default.createDirectory(atPath: site + "/css", withIntermediateDirectories: true)
        for (path, text) in [("/index.html", "<p>it"), ("/css/site.css", "p{}"), ("/css/main-4fK2x9Qa.css", "p{}")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: site + path))
        }
        let reserved = try ReservedPort()
        let base = "http://127.0.0.1:\(reserved.number)/"
        func exchange(_ path: String, _ destination: Destination, _ control: String?) -> RecordedExchange {
            var fields: HTTPFields = [.contentType: destination == .style ? "text/css" : "text/html", .eTag: "\"1\""]
            fields[.cacheControl] = control
            return RecordedExchange(
                url: base + path, destination: destination, status: 200, request: [:], response: fields, size: 9,
                start: 1_700_000_000_000)
        }
        let lines = await Audit([
            exchange("", .document, nil), exchange("css/site.css", .style, "max-age=9999999"),
            exchange("css/main-4fK2x9Qa.css", .style, "no-store"),
        ]).nginx
        let start = try #require(lines.firstIndex { $0.hasPrefix("# In server") })
        let origin = try await PageOrigin.start { request in
            var answer = PageOrigin.Answer.page("of the application")
            answer.status = request.path.contains("gone") ? 404 : 200
            answer.fields.add(name: "Cache-Control", value: "private, no-store")
            return answer
        }
        let nginx = try await serve(
            site, in: folder, at: reserved, http: lines[..<start].joined(separator: "\n"),
            lines: lines[start...].joined(separator: "\n")
                + "\nadd_header X-Frame-Options DENY; location / { try_files $uri /index.html; }"
                + "\nlocation /app/ { proxy_pass http://127.0.0.1:\(origin.port); proxy_hide_header Cache-Control;"
                + " \(lines.last ?? "") }")
        defer { Self.end(nginx) }
        // All that the lines do not name keeps the field of the application, errors too.
        for path in ["app/me", "app/main-4fK2x9Qa.gone"] {
            let head = try await answer(base + path).head
            #expect(head.components(separatedBy: "Cache-Control: ").count == 2, "\(head)")
            #expect(head.contains("Cache-Control: private, no-store"), "\(head)")
        }
        await origin.stop()
        for (path, control) in [
            ("", "no-cache"), ("index.html", "no-cache"), ("a/route", "no-cache"), ("css/site.css", "no-cache"),
            ("css/main-4fK2x9Qa.css", "public, max-age=31536000, immutable"),
        ] {
            let head = try await answer(base + path).head
            #expect(head.contains("200 OK") && head.contains("Cache-Control: \(control)"), "\(path): \(head)")
            #expect(head.contains("X-Frame-Options: DENY"))
        }
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

        let nginx = try await serve(site, in: folder, at: reserved, lines: try Self.documented())
        defer { Self.end(nginx) }

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
