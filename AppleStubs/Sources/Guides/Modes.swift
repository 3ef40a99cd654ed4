// The lines of docs/guides/choosing-a-mode.md.
import LarderKit
import WebKit

@MainActor
func modes(
    larder: Larder, configuration: WKWebViewConfiguration, own: WKWebViewConfiguration,
    plain: WKWebViewConfiguration
) async {
    await larder.install(in: configuration)  // the proxy, else navigation
    await larder.install(in: own, through: .appScheme(hosts: ["app.shop.example"]))
    await larder.install(in: plain, through: .navigation)  // with another data store
}

@MainActor
func otherHosts(larder: Larder, configuration: WKWebViewConfiguration) async {
    var options = WebViewOptions()
    options.rewriting = AddressRewriting(hosts: ["cdn.shop.example"])
    await larder.install(in: configuration, through: .appScheme(hosts: ["app.shop.example"]), options: options)
}

@MainActor
func watching(larder: Larder, webView: WKWebView) async {
    print(larder.mode(of: webView)?.name.rawValue ?? "none")
    for await report in larder.events {
        print(report.uri, report.outcome.rawValue, report.bodyBytes, report.duration)
    }
}
