import CacheTesting
import LarderHost
import Testing
import WebVisit

/// The self-test that `larder capabilities` and apps run, in a real web view.
@Suite("What a web view says that it can load", .serialized, .timeLimit(.minutes(10)))
struct CapabilityTests {
    /// What is loaded past the cache, and so is no capability of the mode.
    @Test(
        "each mode carries all kinds but those that go to other origins past it",
        arguments: [
            (InterceptionMode.proxy, []), (.appScheme, ["fetch across origins"]), (.httpsScheme, []),
        ] as [(InterceptionMode, [String])])
    func modes(_ row: (mode: InterceptionMode, missing: [String])) async throws {
        let folder = try TemporaryDirectory()
        let display = try await Display.find()
        defer { display.stop() }
        let report = try await CapabilityRun.measure(
            row.mode, in: folder.store, display: display,
            program: row.mode == .httpsScheme ? "larder-webview-testhost" : "larder-webview")
        #expect(report.missing == row.missing, "\(report.results.filter { !$0.works })")
        #expect(report.results.count == 24)
    }
}
