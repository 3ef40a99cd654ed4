#if canImport(WebKit) && Proxy
import Foundation
import WKWebViewAdapter

extension Larder {
    /// A proxy for the web views of one configuration, with a password of its own; stopped when nothing uses it any more.
    @MainActor
    func webViewProxy() async -> Result<WebViewProxy, ProxyAbsence> {
        guard WebViewProxy.isSupported else {
            return .failure(ProxyAbsence(message: "Web views use a proxy from iOS 17 and macOS 14 on."))
        }
        do {
            let proxy = try await startProxy()
            return .success(
                WebViewProxy(
                    port: { proxy.port }, user: proxy.credentials?.user, password: proxy.credentials?.password,
                    portChanges: { proxy.portChanges }, disposition: { proxy.disposition(for: $0) },
                    release: { Task { await proxy.stop() } }))
        } catch {
            return .failure(ProxyAbsence(message: "The proxy could not be started: \(error)"))
        }
    }
}
#endif
