import CacheTesting
import CachingProxy
import Foundation
import Locking
import NIOHTTP1
import Testing

/// A page under the rule `snapshot` whose server deploys between visits, and serves old chunks as 404.
@Suite("larder open --rules with snapshot, in a real web view", .serialized, .timeLimit(.minutes(30)))
struct SnapshotTests {
    private struct Line: Decodable {
        struct Page: Decodable { var title: String? }
        var opened: Bool
        var page: Page
    }

    private static let rules = """
        {"rules": [{"include": "web-view-safeguards"},
          {"name": "shop", "verdict": "snapshot", "when": {"destination": "document"}}, {"include": "web-view-defaults"}]}
        """

    private static func answer(_ path: String, release n: Int) -> PageOrigin.Answer {
        func file(_ type: String, _ text: String) -> PageOrigin.Answer {
            .init(fields: ["Content-Type": type, "ETag": "\"\(n)-\(text.utf8.count)\""], body: text)
        }
        return switch path {
        case "/":
            file(
                "text/html",
                """
                <!doctype html><title>html=\(n)</title><link rel=stylesheet href=site.css>
                <script src=site.js></script><script type=module src="page-\(n).js"></script><p>shop
                """)
        case "/site.css": file("text/css", "@import 'deep.css'; :root { --site: \(n) }")
        case "/deep.css": file("text/css", ":root { --deep: \(n) }")
        case "/site.js": file("text/javascript", "window.site = \(n)")
        case "/page-\(n).js":
            file(
                "text/javascript",
                """
                onload = async () => {
                  const style = getComputedStyle(document.documentElement), read = name => style.getPropertyValue(name).trim();
                  const chunk = await import('./chunk-\(n).js').then(module => module.release, () => 'missing');
                  document.title += ` js=${site} css=${read('--site')} deep=${read('--deep')} chunk=${chunk}`;
                };
                """)
        case "/chunk-\(n).js": file("text/javascript", "export const release = \(n)")
        default: .notFound
        }
    }

    @Test(
        "each visit is of one release throughout, online and offline: the next one is shown once it is there",
        arguments: ["proxy", "appScheme"])
    func deploys(_ mode: String) async throws {
        let folder = try TemporaryDirectory()
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let release = LockedBox(1)
        let origin = try await PageOrigin.start(tls: authority.makeIdentity(names: ["shop.test"])) { request in
            Self.answer(request.path, release: release.withLock { $0 })
        }
        try Self.rules.write(toFile: folder.path + "/rules.json", atomically: true, encoding: .utf8)
        func visit(_ more: String...) async throws -> String? {
            let output = try await ToolProcess.run(
                ToolProcess.larder,
                [
                    "open", "https://shop.test/", "--through", mode, "--resolve",
                    "shop.test:443:127.0.0.1:\(origin.port)", "--origin-ca", folder.path + "/origin/ca.pem",
                    "--rules", folder.path + "/rules.json", "--store", folder.store, "--json",
                ] + more)
            let line = try JSONDecoder().decode(Line.self, from: Data(output.out.utf8))
            #expect(line.opened, "\(output)")
            return line.page.title
        }
        func whole(_ n: Int) -> String { "html=\(n) js=\(n) css=\(n) deep=\(n) chunk=\(n)" }
        #expect(try await visit() == whole(1))
        for n in 2...4 {
            release.withLock { $0 = n }
            let titles = [try await visit(), try await visit("--offline"), try await visit()]
            #expect(titles == [whole(n - 1), whole(n), whole(n)])
        }
        await origin.stop()
        #expect(try await visit() == whole(4))
    }
}
