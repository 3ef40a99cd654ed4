// The lines of docs/guides/install.md.
import LarderKit
import WebKit

@MainActor
func installing(in view: WKWebView) async throws -> WKWebView {
    let larder = try Larder()  // one for the app; it has to live as long as its web views
    let configuration = WKWebViewConfiguration()
    await larder.install(in: configuration)

    let webView = WKWebView(frame: view.bounds, configuration: configuration)
    larder.load(URL(string: "https://shop.example/")!, in: webView)
    return webView
}

@MainActor
func askingForTheMode(larder: Larder, configuration: WKWebViewConfiguration) async {
    let installed = await larder.install(in: configuration)
    if let reason = installed.reason { print("\(installed.name.rawValue): \(reason)") }
}

@MainActor
func options(larder: Larder, configuration: WKWebViewConfiguration) async {
    var options = WebViewOptions()
    options.openExternal = { url in print("another app is wanted for \(url)") }
    options.events = { event in
        switch event {
        case .modeChanged(let mode): print("now \(mode.name.rawValue)")
        case .showsNothing(let webView, _, again: false):  // a white screen: once more, past every cache
            guard let url = webView.url else { break }
            larder.load(URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData), in: webView)
        case .showsNothing(let webView, _, _): print("still nothing: \(webView.url?.absoluteString ?? "")")
        case .processEnded(let reloaded): print("the process ended, reloaded: \(reloaded)")
        case .wentPast(let view, let requests): print("\(view): \(requests) requests went past Larder")
        case .openedExternal(let url): print("opened in another app: \(url)")
        case .refused(let url, let reason): print("refused \(url?.absoluteString ?? ""): \(reason)")
        case .download(let download): download.cancel { _ in }  // each; files.md keeps them
        }
    }
    await larder.install(in: configuration, options: options)
}

func offline() throws -> Larder {
    var configuration = try LarderConfiguration.forApp()
    let page = OfflinePage(Array("<h1>Offline</h1><p><a href=\"\">Try again</a>".utf8))
    configuration.offlinePage = { _ in page }
    let larder = try Larder(configuration)
    larder.connectivityOverride = .disconnected  // for a test; nil lets the system decide again
    return larder
}
