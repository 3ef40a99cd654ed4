#if canImport(WebKit) && Proxy
import Foundation
import ViewCare
import WKWebViewAdapter

extension Larder {
    /// The proxy of all web views that want these options, with a password of its own; stopped when no configuration
    /// uses it any more.
    @MainActor
    func webViewProxy(_ options: WebViewProxyOptions) async throws(WebViewError) -> WebViewProxy {
        try await proxy {
            try await self.webViewProxies.use(options) {
                let proxy = try await self.startProxy(for: options)
                return SharedUse(WebViewProxy(proxy)) { Task { await proxy.stop() } }
            }
        }
    }

    /// The proxy of a self-test, which is stopped when that is over.
    @MainActor
    func capabilityProxy(_ options: WebViewProxyOptions) async throws(WebViewError) -> WebViewProxy {
        try await proxy {
            let proxy = try await self.startCapabilityProxy(options)
            return SharedUse(WebViewProxy(proxy)) { Task { await proxy.stop() } }
        }
    }

    private func proxy(
        _ begin: @Sendable () async throws -> SharedUse
    ) async throws(WebViewError) -> WebViewProxy {
        guard WebViewProxy.isSupported else {
            throw WebViewError(
                code: .modeUnavailable, message: "Web views use a proxy from iOS 17 and macOS 14 on.")
        }
        let use: SharedUse
        do { use = try await begin() } catch {
            throw WebViewError(code: .modeUnavailable, message: "The proxy could not be started: \(error)")
        }
        guard var proxy = use.value as? WebViewProxy else {
            throw WebViewError(code: .modeUnavailable, message: "The proxy could not be started.")
        }
        proxy.use = use
        return proxy
    }
}

extension WebViewProxy {
    /// As web views need it.
    init(_ proxy: LarderProxy) {
        self.init(
            port: { proxy.port }, user: proxy.credentials?.user, password: proxy.credentials?.password,
            portChanges: { proxy.portChanges }, disposition: { proxy.disposition(for: $0) })
    }
}
#endif
