import CacheTesting
import Foundation
import Testing
import WebVisit

/// In place of the web view: programs that keep no limit.
@Suite("larder open holds --timeout whatever the web view's process does", .timeLimit(.minutes(20)))
struct OverdueTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var script: String
        var testDescription: String { name }
    }

    private static let rows = [
        Row(name: "silent", script: "exec sleep 3600"),
        Row(name: "busy, and deaf to SIGTERM", script: "trap '' TERM; while :; do :; done"),
        Row(name: "its output is held open by another", script: "trap '' TERM; sleep 3600 & wait; sleep 3600"),
        Row(name: "flooding with lines that mean nothing", script: "trap '' TERM; yes; sleep 3600"),
        Row(
            name: "flooding with notices",
            script: #"trap '' TERM; yes '{"notice":{"external":{"url":"tel:1","isNewWindow":false}}}'; sleep 3600"#),
    ]

    @Test("the page is not opened, with the limit named", arguments: rows, [InterceptionMode.proxy, .none])
    func holds(_ row: Row, _ mode: InterceptionMode) async throws {
        let folder = try TemporaryDirectory()
        let program = folder.path + "/web-view"
        let ready = mode == .none ? "echo '{\"ready\":{}}'\n" : ""
        // Written by another program: see `ToolProcess.copy(to:)`.
        let text = "#!/bin/sh\n" + ready + row.script + "\n"
        #expect(
            try await ToolProcess.run(
                "/bin/sh", ["-c", "printf %s \"$1\" > \"$2\" && chmod 700 \"$2\"", "sh", text, program]
            )
            .status == 0)
        let output = try await ToolProcess.run(
            ToolProcess.larder,
            [
                "open", "http://shop.test/", "--through", mode.rawValue, "--timeout", "1", "--store", folder.store,
                "--json",
            ], environment: ["LARDER_WEBVIEW": program])
        struct Line: Decodable {
            struct Page: Decodable {
                var timedOut: Bool
                var ending: VisitEnding
            }
            var opened: Bool
            var problem: String?
            var page: Page
        }
        let isNoise = row.name.hasSuffix("mean nothing") && mode == .none
        guard !isNoise else {
            // A session says at once that it does not understand.
            #expect(output.status == 70 && output.err.contains("can't be understood"), "\(output)")
            return
        }
        #expect(output.status == 1, "\(output)")
        let line = try JSONDecoder().decode(Line.self, from: Data(output.out.utf8))
        #expect(!line.opened && line.page.timedOut && line.page.ending == .overdue)
        #expect(line.problem?.contains("--timeout") == true)
    }

    @Test("a line beyond the limit ends the visit at once, with the reason")
    func hugeLine() async throws {
        let folder = try TemporaryDirectory()
        let program = folder.path + "/web-view"
        let script = "printf '#!/bin/sh\\nexec cat /dev/zero\\n' > \"$1\" && chmod 700 \"$1\""
        #expect(try await ToolProcess.run("/bin/sh", ["-c", script, "sh", program]).status == 0)
        let output = try await ToolProcess.run(
            ToolProcess.larder, ["open", "http://shop.test/", "--timeout", "12h", "--store", folder.store],
            environment: ["LARDER_WEBVIEW": program])
        #expect(output.status == 70 && output.err.contains("longer than 64 MiB"), "\(output)")
    }
}
