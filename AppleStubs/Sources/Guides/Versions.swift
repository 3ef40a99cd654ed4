// The lines of docs/guides/versions.md.
import LarderKit
import WebKit

@MainActor
func askingAtRunTime(larder: Larder, configuration: WKWebViewConfiguration) async {
    let installed = await larder.install(in: configuration)
    if installed.name == .navigation { print(installed.reason ?? "as wanted") }
}

@MainActor
func measuring(in view: PlatformView) async throws {
    let check = try CapabilityCheck(.appScheme(hosts: []), in: view)
    let report = try await check.report
    print(report.missing)  // empty where all kinds work
}
