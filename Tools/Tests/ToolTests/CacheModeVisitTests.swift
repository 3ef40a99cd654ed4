import CacheEngine
import CacheTesting
import CachingProxy
import Foundation
import NIOHTTP1
import Testing

/// `URLRequest.cachePolicy` of an app's own load, which WebKit keeps to itself; here `larder open --cache-mode`.
@Suite("The cache mode of a load, and its network", .timeLimit(.minutes(10)))
struct CacheModeVisitTests {
    private struct Row: Sendable {
        var mode: String
        /// What the server is asked for the page that is stored, and for one that is not; its validator, if it has one.
        var stored: [String?]
        var unknown: [String?]
    }

    // Fetch §2.2.5; the page states `no-cache`, so that by default it is validated (RFC 9111 §5.2.2.4).
    private static let rows = [
        Row(mode: "default", stored: ["\"1\""], unknown: [nil]),
        Row(mode: "no-cache", stored: ["\"1\""], unknown: [nil]),
        Row(mode: "reload", stored: [nil], unknown: [nil]),
        Row(mode: "reload-ignoring-local", stored: [nil], unknown: [nil]),
        Row(mode: "no-store", stored: [nil], unknown: [nil]),
        Row(mode: "force-cache", stored: [], unknown: [nil]), Row(mode: "only-if-cached", stored: [], unknown: []),
    ]

    private let folder: TemporaryDirectory
    private let authority: CertificateAuthority

    init() throws {
        folder = try TemporaryDirectory()
        authority = try CertificateAuthority(directory: folder.path + "/origin")
    }

    private func open(_ path: String, _ origin: PageOrigin, _ more: [String]) async throws -> ToolProcess.Output {
        try await ToolProcess.run(
            ToolProcess.larder,
            [
                "open", "https://shop.test" + path, "--store", folder.store, "--resolve",
                "shop.test:443:127.0.0.1:\(origin.port)", "--origin-ca", folder.path + "/origin/ca.pem",
            ] + more)
    }

    @Test(
        "reaches Larder behind the proxy and at the app-cache scheme, and no server", arguments: ["proxy", "appScheme"])
    func mode(_ through: String) async throws {
        let origin = try await PageOrigin.start(tls: authority.makeIdentity(names: ["shop.test"])) { request in
            let fields: HTTPHeaders = ["Content-Type": "text/html", "ETag": "\"1\"", "Cache-Control": "no-cache"]
            if request.fields.first(name: "If-None-Match") != nil { return .init(status: 304, fields: fields) }
            return .init(fields: fields, body: "<title>page</title><p>\(request.path)")
        }
        func pages() -> [PageOrigin.Request] { origin.requests.filter { $0.path.hasPrefix("/page") } }
        #expect(try await open("/page", origin, ["--through", through]).status == 0)
        for row in Self.rows {
            for (path, expected) in [("/page", row.stored), ("/page-" + row.mode, row.unknown)] {
                let before = pages().count
                let opened = try await open(path, origin, ["--through", through, "--cache-mode", row.mode])
                let asked = pages()[before...]
                #expect(
                    asked.map { $0.fields.first(name: "If-None-Match") } == expected, "\(row.mode) \(path): \(opened)")
                #expect(asked.allSatisfy { !$0.fields.contains(name: "Larder-Cache-Mode") })
                #expect((opened.status == 0) == !(row.mode == "only-if-cached" && path != "/page"), "\(opened)")
            }
        }
        await origin.stop()
    }

    @Test(
        "--reload fetches all anew, and stores nothing that the rules keep out; without a network the stored page opens"
    )
    func reload() async throws {
        let origin = try await PageOrigin.start(tls: authority.makeIdentity(names: ["shop.test"])) { request in
            switch request.path {
            case "/page":
                .page(
                    "page", "<p>page</p><script src=/app.js></script><script>fetch('/api/items')</script>",
                    ["Cache-Control": "max-age=600"])
            case "/app.js":
                .init(
                    fields: ["Content-Type": "text/javascript", "Cache-Control": "max-age=600, immutable"],
                    body: "document.title = 'whole'")
            default: .init(fields: ["Content-Type": "application/json"], body: "{}")
            }
        }
        for times in 1...3 {
            let opened = try await open("/page", origin, times == 1 ? [] : ["--reload"])
            #expect(opened.status == 0 && opened.out.contains("whole"), "\(opened)")
            for path in ["page", "app.js", "api/items"] {
                #expect(origin.asked.count { $0 == "shop.test/" + path } == times, "\(path): \(opened)")
            }
        }
        let offline = try await open("/page", origin, ["--reload", "--offline"])
        #expect(offline.status == 0 && offline.out.contains("whole"), "\(offline)")
        for (path, isStored) in [("page", true), ("app.js", true), ("api/items", false)] {
            let shown = try await ToolProcess.run(
                ToolProcess.larder, ["store", "show", "https://shop.test/" + path, "--store", folder.store])
            #expect((shown.status == 0) == isStored, "\(shown)")
        }
        await origin.stop()
    }

    @Test(
        "a stored page opens on each network, whole; on those that carry nothing no other one does",
        arguments: SimulatedNetwork.allCases, ["proxy", "appScheme"])
    func network(_ network: SimulatedNetwork, _ through: String) async throws {
        let origin = try await PageOrigin.start(tls: authority.makeIdentity(names: ["shop.test"])) { request in
            request.path == "/app.js"
                ? .init(fields: ["Content-Type": "text/javascript"], body: "document.title = 'whole'")
                : .page("page", "<p>page</p><script src=/app.js></script>")
        }
        #expect(try await open("/page", origin, ["--through", through]).status == 0)
        let words = ["--through", through, "--network", network.rawValue]
        let stored = try await open("/page", origin, words)
        #expect(stored.status == 0 && stored.out.contains("whole"), "\(stored)")
        if network == .silent || network == .closing {
            let unknown = try await open("/other", origin, words + ["--timeout", "5s"])
            #expect(unknown.status == 1 && !origin.asked.contains { $0.hasSuffix("/other") }, "\(unknown)")
        }
        await origin.stop()
    }
}
