#if canImport(WebKit) && !Proxy
import WKWebViewAdapter

extension Larder {
    @MainActor
    func webViewProxy() async -> Result<WebViewProxy, ProxyAbsence> {
        .failure(ProxyAbsence(message: "The proxy is not in this build: it needs the package's trait Proxy."))
    }
}
#endif
