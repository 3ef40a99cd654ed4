#if canImport(WebKit) && !Proxy
import ViewCare
import WKWebViewAdapter

extension Larder {
    @MainActor
    func webViewProxy(_ options: WebViewProxyOptions) async throws(WebViewError) -> WebViewProxy {
        throw .notInThisBuild
    }

    @MainActor
    func capabilityProxy(_ options: WebViewProxyOptions) async throws(WebViewError) -> WebViewProxy {
        throw .notInThisBuild
    }
}

extension WebViewError {
    fileprivate static let notInThisBuild = WebViewError(
        code: .modeUnavailable, message: "The proxy is not in this build: it needs the package's trait Proxy.")
}
#endif
