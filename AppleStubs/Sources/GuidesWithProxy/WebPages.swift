// The lines of docs/guides/views.md about WebPage, which need the trait Proxy.
import LarderKit
import Network
import WebKit

@available(iOS 26.0, macOS 26.0, *)
struct ThroughLarder: WebPage.NavigationDeciding {
    let proxy: LarderProxy

    func decideAuthenticationChallengeDisposition(
        for challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        proxy.disposition(for: challenge)
    }
}

@available(iOS 26.0, macOS 26.0, *)
@MainActor
func makePage(larder: Larder) async throws -> WebPage {
    let proxy = try await larder.startProxy()
    let port = NWEndpoint.Port(rawValue: UInt16(proxy.port))!
    let setting = ProxyConfiguration(httpCONNECTProxy: .hostPort(host: "127.0.0.1", port: port))
    if let credentials = proxy.credentials {
        setting.applyCredential(username: credentials.user, password: credentials.password)
    }
    let configuration = WebPage.Configuration()
    configuration.websiteDataStore.proxyConfigurations = [setting]
    return WebPage(configuration: configuration, navigationDecider: ThroughLarder(proxy: proxy))
}
