#if canImport(WebKit)
import Foundation
import Network
import WebKit

/// A running proxy on this device, as a web view needs to know it.
package struct WebViewProxy: Sendable {
    /// The port at 127.0.0.1, which can change while the app is suspended.
    package var port: @Sendable () -> Int
    package var user: String?
    package var password: String?
    /// The new port, each time that it changes.
    package var portChanges: @Sendable () -> AsyncStream<Int>
    /// The answer to a question about a certificate.
    package var disposition:
        @Sendable (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?)
    /// Kept as long as web views need the proxy.
    package var use: (any AnyObject & Sendable)?

    package init(
        port: @escaping @Sendable () -> Int, user: String?, password: String?,
        portChanges: @escaping @Sendable () -> AsyncStream<Int>,
        disposition:
            @escaping @Sendable (URLAuthenticationChallenge) -> (
                URLSession.AuthChallengeDisposition, URLCredential?
            ), use: (any AnyObject & Sendable)? = nil
    ) {
        self.port = port
        self.user = user
        self.password = password
        self.portChanges = portChanges
        self.disposition = disposition
        self.use = use
    }

    /// Whether this system sends web views through a proxy: iOS 17, macOS 14.
    package static var isSupported: Bool {
        if #available(iOS 17.0, macOS 14.0, *) { return true }
        return false
    }

    /// Sends the web views of a data store through the proxy, from their next connections on.
    @MainActor
    func place(in store: WKWebsiteDataStore) {
        guard #available(iOS 17.0, macOS 14.0, *), let number = UInt16(exactly: port()),
            let port = NWEndpoint.Port(rawValue: number)
        else { return }
        let configuration = ProxyConfiguration(httpCONNECTProxy: .hostPort(host: "127.0.0.1", port: port))
        if let user, let password { configuration.applyCredential(username: user, password: password) }
        store.proxyConfigurations = [configuration]
    }

    /// Lets the web views of a data store connect by themselves.
    @MainActor
    static func remove(from store: WKWebsiteDataStore) {
        guard #available(iOS 17.0, macOS 14.0, *) else { return }
        store.proxyConfigurations = []
    }
}
#endif
