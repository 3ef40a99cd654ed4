import CacheTesting
import CachingProxy
import Foundation
import Testing
import WebVisit

/// Content in br (RFC 7932) in a real web view, which decodes it itself behind the proxy, and gets it decoded by a
/// scheme handler.
@Suite("Content in br", .timeLimit(.minutes(10)))
struct BrotliPageTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Text as one uncompressed meta-block (§9.2), and the last, empty one. All of it is ASCII.
    private static func brotli(_ text: String) -> String {
        var octets = Array(text.utf8)
        while (octets.count - 1) & 8 != 0 || octets.count < 17 { octets.append(0x20) }
        let length = octets.count - 1
        let header = [(length & 0xF) << 4, length >> 4, 0x10].map { UInt8($0) }
        return String(decoding: header + octets + [0x03], as: UTF8.self)
    }

    private static func answer(_ request: PageOrigin.Request, _ type: String, _ text: String) -> PageOrigin.Answer {
        let takesBrotli = request.fields["Accept-Encoding"].joined(separator: ",").contains("br")
        return .init(
            fields: .init(
                [("Content-Type", type), ("Cache-Control", "max-age=600"), ("Vary", "Accept-Encoding")]
                    + (takesBrotli ? [("Content-Encoding", "br")] : [])),
            body: takesBrotli ? brotli(text) : text)
    }

    private static let page = "<!doctype html><title>Page</title><h1>Page</h1><script src=/app.js></script>"
    /// As long as its coded form, which is filled up with spaces.
    private static let script = "document.title = 'Decoded, and run'            "

    @Test("files that a manifest lists are verified in br, stored as they came, and decoded by the web view offline")
    func preloaded() async throws {
        let site = folder.path + "/dist"
        try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: true)
        let script = String(Self.brotli(Self.script).dropFirst(3).dropLast())
        _ = try folder.write("dist/app.js", script)
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let identity = try authority.makeIdentity(names: ["shop.test"])
        let origin = try await PageOrigin.start(tls: identity) { request in
            switch request.path {
            case "/": return Self.answer(request, "text/html", Self.page)
            case "/app.js": return Self.answer(request, "text/javascript", Self.script)
            default:
                let content = FileManager.default.contents(atPath: site + request.path) ?? Data()
                return .init(
                    fields: ["Content-Type": "application/json"], body: String(decoding: content, as: UTF8.self))
            }
        }
        let base = "https://shop.test/"
        let built = try await ToolProcess.run(
            ToolProcess.larder, ["manifest", "build", site, "--base", base, "--id", "site"])
        #expect(built.status == 0, "\(built)")
        let output = try await ToolProcess.run(
            ToolProcess.larder,
            [
                "preload", "--manifest", base + "larder/head.json", "--id", "site", "--store", folder.store, base,
                "--resolve", "shop.test:443:127.0.0.1:\(origin.port)", "--origin-ca", folder.path + "/origin/ca.pem",
            ])
        #expect(output.status == 0 && output.out.contains("2 of 2 are in the store: 2 fetched"), "\(output)")
        await origin.stop()
        let stored = try await ToolProcess.run(
            ToolProcess.larder, ["store", "show", base + "app.js", "--store", folder.store])
        #expect(stored.out.lowercased().contains("content-encoding: br"), "\(stored)")
        let opened = try await ToolProcess.run(
            ToolProcess.larder, ["open", base, "--offline", "--store", folder.store])
        #expect(opened.status == 0 && opened.out.contains("Decoded, and run: opened"), "\(opened)")
    }

    @Test("a scheme handler asks for br, and gives the web view what is decoded")
    func handled() async throws {
        let scene = try await SessionScene(folder, .appScheme) { request in
            request.path == "/"
                ? Self.answer(request, "text/html", Self.page)
                : Self.answer(request, "text/javascript", Self.script)
        }
        let seen = try await scene.open("https://shop.test/")
        #expect(seen.title == "Decoded, and run", "\(seen)")
        #expect(scene.origin.requests.count == 2)
        for request in scene.origin.requests {
            #expect(request.fields["Accept-Encoding"] == ["gzip, deflate, br"])
        }
        await scene.stop()
    }
}
