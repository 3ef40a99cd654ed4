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
}

/// The proxy of one data store, which all web views of the store have together. WebKit ends the loads of all of them at
/// each assignment, also at that of an equal proxy.
@MainActor
final class DataStoreProxy {
    private struct Place: Equatable {
        var port: UInt16
        var password: String?
    }

    private static var known = DataStoreMap<DataStoreProxy>()

    private weak var store: WKWebsiteDataStore?
    private var place: Place?
    private var bypasses = 0
    /// The proxy to use once no load goes past it any more.
    private var wanted: WebViewProxy?
    /// The proxy that was at fault, by its password, and why.
    private var blamed: (password: String?, reason: String)?

    private init(_ store: WKWebsiteDataStore) { self.store = store }

    /// The one of a data store.
    static func of(_ store: WKWebsiteDataStore) -> DataStoreProxy { known.value(of: store) { DataStoreProxy(store) } }

    /// Why the store goes without this proxy from now on; `nil` while it was not at fault.
    func fault(of proxy: WebViewProxy?) -> String? {
        blamed.flatMap { $0.password == proxy?.password ? $0.reason : nil }
    }

    /// Sends the web views through a proxy, from their next connections on; where loads go past it, once none does.
    /// Does nothing where they go through it, or where it was at fault.
    func use(_ proxy: WebViewProxy) {
        guard bypasses == 0 else {
            wanted = proxy
            return
        }
        guard #available(iOS 17.0, macOS 14.0, *), fault(of: proxy) == nil, let store,
            let number = UInt16(exactly: proxy.port()), let port = NWEndpoint.Port(rawValue: number)
        else { return }
        let new = Place(port: number, password: proxy.password)
        // The app may have set another one.
        guard place != new || store.proxyConfigurations.count != 1 else { return }
        let configuration = ProxyConfiguration(httpCONNECTProxy: .hostPort(host: "127.0.0.1", port: port))
        if let user = proxy.user, let password = proxy.password {
            configuration.applyCredential(username: user, password: password)
        }
        (place, store.proxyConfigurations) = (new, [configuration])
    }

    /// Lets the web views connect by themselves, until the result is ended or let go, and then through the proxy.
    func bypass(_ proxy: WebViewProxy?) -> ProxyBypass {
        bypasses += 1
        wanted = proxy ?? wanted
        connectDirectly()
        return ProxyBypass(self)
    }

    fileprivate func bypassEnded() {
        bypasses -= 1
        guard bypasses == 0, let proxy = wanted else { return }
        wanted = nil
        use(proxy)
    }

    private func connectDirectly() {
        guard #available(iOS 17.0, macOS 14.0, *), place != nil else { return }
        place = nil
        store?.proxyConfigurations = []
    }

    /// Lets the web views connect by themselves for good.
    func giveUp(_ proxy: WebViewProxy?, _ reason: String) {
        blamed = (proxy?.password, reason)
        connectDirectly()
    }
}

/// Loads of one web view that go past the proxy of its data store. Also ends with the view.
@MainActor
final class ProxyBypass {
    private var proxy: DataStoreProxy?

    fileprivate init(_ proxy: DataStoreProxy) { self.proxy = proxy }

    deinit {
        if let proxy { Task { @MainActor in proxy.bypassEnded() } }
    }

    func end() {
        proxy?.bypassEnded()
        proxy = nil
    }
}

/// Values that belong to data stores, and are forgotten with them.
@MainActor
struct DataStoreMap<Value> {
    private struct Known {
        weak var store: WKWebsiteDataStore?
        var value: Value
    }

    private var known: [ObjectIdentifier: Known] = [:]

    /// The value of a data store, made when it is needed first.
    mutating func value(of store: WKWebsiteDataStore, or make: () -> Value) -> Value {
        known = known.filter { $0.value.store != nil }
        let id = ObjectIdentifier(store)
        if let value = known[id]?.value { return value }
        let value = make()
        known[id] = Known(store: store, value: value)
        return value
    }
}
#endif
