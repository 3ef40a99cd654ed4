// The lines of docs/guides/versions.md.
import LarderKit
import WebKit

@MainActor
func askingAtRunTime(larder: Larder, configuration: WKWebViewConfiguration) async {
    let installed = await larder.install(in: configuration)
    if installed.name == .navigation { print(installed.reason ?? "as wanted") }
}

@MainActor
func measured(_ larder: Larder, in view: PlatformView) async -> String {
    var lines = [ProcessInfo.processInfo.operatingSystemVersionString]
    for (name, mode) in [("proxy", WebViewMode.proxy), ("appScheme", .appScheme(hosts: []))] {
        do {
            let report = try await larder.capabilities(of: mode, in: view)
            for result in report.results { lines.append("\(name)\t\(result.kind)\t\(result.works)\t\(result.detail)") }
        } catch { lines.append("\(name)\t\(error.localizedDescription)") }
    }
    return lines.joined(separator: "\n")
}
