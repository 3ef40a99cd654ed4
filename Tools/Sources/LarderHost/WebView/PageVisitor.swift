import CacheEngine
import CacheRules
import CachingProxy
import Foundation
import HTTPCacheSemantics
import Locking
import OriginDialing
import WebVisit

/// Opens pages in web views, each visit in a new process, through one proxy.
public final class PageVisitor: Sendable {
    /// Hosts that are never intercepted: what people type a password or a card number into.
    public static let leftAlone = [
        "accounts.google.com", "appleid.apple.com", "login.microsoftonline.com", "login.live.com", "*.okta.com",
        "*.auth0.com", "*.paypal.com", "*.stripe.com",
    ].map { HostPattern($0) }

    public let proxy: LocalProxy
    private let display: String?
    private let intercepts: Bool
    private let current: LockedBox<WebViewProcess?>
    private let trusted: LockedBox<[String: String]>

    /// Starts the proxy on a port and with credentials that nobody else knows.
    ///
    /// - Parameter display: From ``VirtualDisplay``, or `nil` to use the one of the environment.
    public static func start(_ setup: ProxySetup, display: String?) async throws -> PageVisitor {
        let current = LockedBox<WebViewProcess?>(nil)
        let trusted = LockedBox<[String: String]>([:])
        var setup = setup
        setup.credentials = .random()
        setup.servesWebView = true
        setup.sendsCacheStatus = false
        setup.willPresent = { host, certificate in
            let isNew = trusted.withLock { trusted -> Bool in
                defer { trusted[host] = certificate }
                return trusted[host] != certificate
            }
            if isNew { await current.withLock { $0 }?.trust(host: host, certificatePEM: certificate) }
        }
        var intercepts = true
        if case .forward(intercept: .none) = setup.mode { intercepts = false }
        return PageVisitor(
            proxy: try await LocalProxy.start(setup), display: display, current: current, trusted: trusted,
            intercepts: intercepts)
    }

    private init(
        proxy: LocalProxy, display: String?, current: LockedBox<WebViewProcess?>,
        trusted: LockedBox<[String: String]>, intercepts: Bool
    ) {
        self.intercepts = intercepts
        self.proxy = proxy
        self.display = display
        self.current = current
        self.trusted = trusted
    }

    /// Visits a page. One visit at a time.
    ///
    /// - Parameter request: Proxy, credentials and trusted leaves are filled in here.
    public func visit(_ request: VisitRequest) async throws -> VisitResult {
        if intercepts, let parts = TargetURI.split(request.url), parts.scheme == "https",
            let host = OriginDialer.Endpoint(authority: parts.authority, isSecure: true)?.host
        {
            // The page's own host is known beforehand, so its first handshake need not wait for an answer.
            let certificate = try proxy.authority.leafPEM(for: host)
            trusted.withLock { $0[host] = certificate }
        }
        let process = try WebViewProcess(display: display)
        current.withLock { $0 = process }
        defer { current.withLock { $0 = nil } }
        var request = request
        request.proxy = "http://127.0.0.1:\(proxy.port)"
        request.proxyUser = proxy.credentials?.user
        request.proxyPassword = proxy.credentials?.password
        request.trusted += trusted.withLock { $0 }.map { TrustedLeaf(host: $0.key, certificatePEM: $0.value) }
        return try await process.visit(request)
    }
}
