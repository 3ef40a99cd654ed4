#if canImport(WebKit) && !Proxy
import ViewCare
import WKWebViewAdapter

extension Larder {
    @MainActor
    func webViewProxy(_ options: WebViewProxyOptions) async -> Result<WebViewProxy, ProxyAbsence> {
        .failure(.notInThisBuild)
    }

    @MainActor
    func capabilityProxy(_ options: WebViewProxyOptions) async -> Result<WebViewProxy, ProxyAbsence> {
        .failure(.notInThisBuild)
    }
}

extension ProxyAbsence {
    fileprivate static let notInThisBuild = ProxyAbsence(
        message: "The proxy is not in this build: it needs the package's trait Proxy.")
}
#endif
