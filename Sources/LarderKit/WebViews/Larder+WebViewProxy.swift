#if canImport(WebKit) && Proxy
import Foundation
import WKWebViewAdapter

extension Larder {
    /// The proxy of all web views, with a password of its own; stopped when no configuration uses it any more.
    @MainActor
    func webViewProxy() async -> Result<WebViewProxy, ProxyAbsence> {
        guard WebViewProxy.isSupported else {
            return .failure(ProxyAbsence(message: "Web views use a proxy from iOS 17 and macOS 14 on."))
        }
        do {
            let use = try await webViewProxies.use {
                let proxy = try await self.startProxy()
                let known = WebViewProxy(
                    port: { proxy.port }, user: proxy.credentials?.user, password: proxy.credentials?.password,
                    portChanges: { proxy.portChanges }, disposition: { proxy.disposition(for: $0) })
                return SharedUse(known) { Task { await proxy.stop() } }
            }
            guard var proxy = use.value as? WebViewProxy else {
                return .failure(ProxyAbsence(message: "The proxy could not be started."))
            }
            proxy.use = use
            return .success(proxy)
        } catch {
            return .failure(ProxyAbsence(message: "The proxy could not be started: \(error)"))
        }
    }
}
#endif
