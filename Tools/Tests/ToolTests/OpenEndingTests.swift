import CacheTesting
import CachingProxy
import ChildPrograms
import Foundation
import Glibc
import Locking
import Testing
import WebVisit

/// Addresses at which no page comes: `larder open` says at once what it is instead.
@Suite("larder open, where no page comes", .serialized, .timeLimit(.minutes(60)))
struct OpenEndingTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    struct Row: Sendable, CustomTestStringConvertible {
        var path: String
        var mode: InterceptionMode
        /// What the first line says behind the address.
        var words: String

        var testDescription: String { "\(path), \(mode.rawValue)" }
    }

    private static let rows = InterceptionMode.allCases.filter { $0 != .httpsScheme }.flatMap { mode in
        [
            // RFC 6266 §4.2; a type that WebKit doesn't show.
            Row(
                path: "/attachment", mode: mode,
                words: "no page, but a download of list.csv (text/csv); it was not saved"),
            Row(path: "/archive.zip", mode: mode, words: "no page, but a download (application/zip)"),
            Row(path: "/moved", mode: mode, words: "no page, but a download (application/zip)"),
            // HTML, "navigate": "hand-off to external software".
            Row(path: "/tel", mode: mode, words: "not opened: it leads to another app: tel:+4912345"),
            Row(path: "/mail", mode: mode, words: "not opened: it leads to another app: mailto:a@shop.test"),
            // Fetch §4.4, step 4. Past Larder it is WebKit that meets the redirect, and ends its process.
            Row(
                path: "/local", mode: mode,
                words: mode == .none
                    ? "not opened: the web process ended"
                    : "not opened: it redirects to a file (file:), which is not followed"),
            Row(path: "/killed", mode: mode, words: "not opened: the web process ended (crashed)"),
        ]
    }

    @Test("a download, another app, a file and a process that ended are each told, with status 1", arguments: rows)
    func noPage(_ row: Row) async throws {
        let tool = LockedBox<Int32?>(nil)
        let usesTLS = row.mode == .appScheme
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let origin = try await PageOrigin.start(tls: usesTLS ? try authority.makeIdentity(names: ["shop.test"]) : nil) {
            Self.answer($0.path, tool)
        }
        let page = usesTLS ? "https://shop.test" : "http://127.0.0.1:\(origin.port)"
        let trust =
            usesTLS
            ? ["--origin-ca", folder.path + "/origin/ca.pem", "--resolve", "shop.test:443:127.0.0.1:\(origin.port)"]
            : []
        let (out, errors) = (try OutputPipe(), try OutputPipe())
        // Its own limit is far beyond that of the test: what waits for it fails.
        let process = try ChildProcess(
            ToolProcess.larder,
            ["open", page + row.path, "--through", row.mode.rawValue, "--timeout", "12h", "--store", folder.store]
                + trust,
            output: .pipe(out), errors: .pipe(errors))
        tool.withLock { $0 = process.identifier }
        async let errorText = errors.readAll()
        let text = String(decoding: await out.readAll(), as: UTF8.self)
        let status = await process.ended().status
        let problem = String(decoding: await errorText, as: UTF8.self)
        #expect(status == 1, "\(text) \(problem)")
        #expect(text.hasPrefix("\(page)\(row.path): \(row.words)"), "\(text)")
        await origin.stop()
    }

    private static func answer(_ path: String, _ tool: LockedBox<Int32?>) -> PageOrigin.Answer {
        switch path {
        case "/attachment":
            .init(
                fields: ["Content-Type": "text/csv", "Content-Disposition": "attachment; filename=\"../list.csv\""],
                body: "a,b\n")
        case "/archive.zip": .init(fields: ["Content-Type": "application/zip"], body: "PK")
        case "/moved": .redirect(302, to: "/archive.zip")
        case "/tel": .redirect(302, to: "tel:+4912345")
        case "/mail": .redirect(303, to: "mailto:a@shop.test")
        case "/local": .redirect(302, to: "file:///etc/hostname")
        case "/killed": .page("killed", "<img src=/kill>")
        case "/kill": killWebProcess(below: tool)
        default: .notFound
        }
    }

    private static func killWebProcess(below tool: LockedBox<Int32?>) -> PageOrigin.Answer {
        for helper in tool.withLock({ $0 }).map({ ProcessFigures(process: $0).children(named: "larder-webview") }) ?? []
        {
            for child in ProcessFigures(process: helper).children(named: "WebKitWebProcess") { kill(child, SIGKILL) }
        }
        return .notFound
    }

    @Test("a download says in JSON where it came from, its type and the name that the server gives it")
    func json() async throws {
        let origin = try await PageOrigin.start { Self.answer($0.path, LockedBox(nil)) }
        let page = "http://127.0.0.1:\(origin.port)"
        let output = try await ToolProcess.run(
            ToolProcess.larder, ["open", page + "/moved", "--store", folder.store, "--json"])
        struct Line: Decodable {
            struct Page: Decodable { var download: OfferedDownload? }
            var opened: Bool
            var problem: String?
            var page: Page
        }
        let line = try JSONDecoder().decode(Line.self, from: Data(output.out.utf8))
        #expect(!line.opened && output.status == 1)
        #expect(line.problem == "no page, but a download (application/zip); it was not saved")
        #expect(
            line.page.download
                == OfferedDownload(
                    url: page + "/archive.zip", mediaType: "application/zip", fileName: nil,
                    reason: "type-not-shown"))
        await origin.stop()
    }

    @Test(
        "what a page was cut off from by the limit is not left in the store's folder",
        arguments: ["appScheme", "proxy"])
    func unfinished(_ mode: String) async throws {
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let latch = Latch()
        let origin = try await PageOrigin.start(tls: try authority.makeIdentity(names: ["shop.test"])) { request in
            if request.path == "/" { return .page("Shop", "<h1>Shop</h1><script src=/long.js></script>") }
            return .init(
                fields: ["Content-Type": "text/javascript", "Cache-Control": "max-age=600"],
                body: String(repeating: "/* long */", count: 400_000)
            ) {
                await latch.pass()
                return ""
            }
        }
        let output = try await ToolProcess.run(
            ToolProcess.larder,
            [
                "open", "https://shop.test/", "--through", mode, "--store", folder.store, "--timeout", "5",
                "--origin-ca",
                folder.path + "/origin/ca.pem", "--resolve", "shop.test:443:127.0.0.1:\(origin.port)",
            ])
        latch.open()
        await origin.stop()
        #expect(output.status == 1 && output.out.contains("--timeout"), "\(output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.store + "/incoming") == [])
    }

    @Test("a page's requests past Larder that fail are listed, and the page is said to lack them")
    func besideLarder() async throws {
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let origin = try await PageOrigin.start(tls: try authority.makeIdentity(names: ["shop.test"])) { request in
            request.path == "/" ? .page("Shop", "<img src=https://other.test/far.png>") : .notFound
        }
        let output = try await ToolProcess.run(
            ToolProcess.larder,
            [
                "open", "https://shop.test/", "--through", "appScheme", "--store", folder.store, "--origin-ca",
                folder.path + "/origin/ca.pem", "--resolve", "shop.test:443:127.0.0.1:\(origin.port)",
            ])
        #expect(output.out.hasPrefix("Shop: opened, but without https://other.test/far.png\n"), "\(output)")
        #expect(output.out.contains("  failed          https://other.test/far.png: "), "\(output)")
        #expect(output.out.contains(", not through Larder\n"), "\(output)")
        await origin.stop()
    }
}
