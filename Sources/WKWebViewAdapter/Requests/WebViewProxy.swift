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
    /// Why the store goes without a proxy from now on; `nil` while none was at fault.
    private(set) var fault: String?

    private init(_ store: WKWebsiteDataStore) { self.store = store }

    /// The one of a data store.
    static func of(_ store: WKWebsiteDataStore) -> DataStoreProxy { known.value(of: store) { DataStoreProxy(store) } }

    /// Sends the web views through a proxy, from their next connections on. Does nothing where they go through it, or
    /// where one was at fault.
    func use(_ proxy: WebViewProxy) {
        guard #available(iOS 17.0, macOS 14.0, *), fault == nil, let store,
            let number = UInt16(exactly: proxy.port()), let port = NWEndpoint.Port(rawValue: number)
        else { return }
        let wanted = Place(port: number, password: proxy.password)
        // The app may have set another one.
        guard place != wanted || store.proxyConfigurations.count != 1 else { return }
        let configuration = ProxyConfiguration(httpCONNECTProxy: .hostPort(host: "127.0.0.1", port: port))
        if let user = proxy.user, let password = proxy.password {
            configuration.applyCredential(username: user, password: password)
        }
        (place, store.proxyConfigurations) = (wanted, [configuration])
    }

    /// Lets the web views connect by themselves, until ``use(_:)``.
    func bypass() {
        guard #available(iOS 17.0, macOS 14.0, *), place != nil else { return }
        place = nil
        store?.proxyConfigurations = []
    }

    /// Lets the web views connect by themselves for good.
    func giveUp(_ reason: String) {
        fault = reason
        bypass()
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
