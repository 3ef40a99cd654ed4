import CacheTesting
import Dashboard
import LarderHost
import Testing
import WebVisit

/// The demo as `larder demo --through` runs it; `make demo` runs it through the proxy.
@Suite("the demo through a scheme handler", .serialized, .timeLimit(.minutes(30)))
struct DemoModeTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(
        "all that the demo shows holds",
        arguments: [
            (InterceptionMode.appScheme, "larder-webview"), (.httpsScheme, "larder-webview-testhost"),
        ])
    func checks(_ mode: InterceptionMode, program: String) async throws {
        var options = DemoOptions()
        options.mode = mode
        options.sessionProgram = program
        options.hasControl = false
        let report = try await DemoRun(options) { _ in }.run()
        #expect(report.checks.count == 13)
        for check in report.checks where !check.holds {
            let rows = report.visits.map { visit in
                "\(visit.name): \(visit.rows.map { "\($0.url) \($0.outcome) \($0.status)" })"
            }
            Issue.record("\(check.statement): \(check.evidence)\n\(rows.joined(separator: "\n"))")
        }
        #expect(
            report.visits.map(\.failures) == [0, 0, 0, 0, 2, 0, 0, 0],
            "offline, the API alone is missing: \(report.visits[4].rows.filter { $0.outcome == "failed" })")
    }
}
