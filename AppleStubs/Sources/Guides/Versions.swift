// The lines of docs/guides/versions.md.
import LarderKit
import WebKit

@MainActor
func askingAtRunTime(larder: Larder, configuration: WKWebViewConfiguration) async {
    let installed = await larder.install(in: configuration)
    if installed.name == .navigation { print(installed.reason ?? "as wanted") }
}

@MainActor
func measuring(_ larder: Larder, in view: PlatformView) async {
    for mode in [WebViewMode.proxy, .appScheme(hosts: [])] {
        do { print(try await larder.capabilities(of: mode, in: view).missing) } catch { print(error.localizedDescription) }
    }
}
