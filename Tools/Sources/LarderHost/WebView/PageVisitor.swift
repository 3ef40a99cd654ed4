import CacheEngine
import CacheRules
import CachingProxy
import Foundation
import WebVisit

/// Opens pages in web views, each visit in a new process, through one proxy.
package final class PageVisitor: Sendable {
    package let proxy: LocalProxy
    private let display: Display
    private let intercepts: Bool
    private let trust: LeafTrust

    /// Starts the proxy on a port and with credentials that nobody else knows.
    ///
    /// - Parameter display: The display that the web views paint on.
    package static func start(_ setup: ProxySetup, display: Display) async throws -> PageVisitor {
        let trust = LeafTrust()
        var setup = setup
        setup.credentials = .random()
        setup.servesWebView = true
        setup.sendsCacheStatus = false
        setup.willPresent = { await trust.confirm(host: $0, certificatePEM: $1) }
        var intercepts = true
        if case .forward(intercept: .none) = setup.mode { intercepts = false }
        return PageVisitor(
            proxy: try await LocalProxy.start(setup), display: display, trust: trust, intercepts: intercepts)
    }

    /// Visits one page, and stops.
    package static func visit(
        _ request: VisitRequest, _ setup: ProxySetup, _ connectivity: Connectivity, display: Display
    ) async throws -> (VisitResult, [ExchangeLine]) {
        let log = ReportLog()
        var setup = setup
        setup.cache.observer = log
        let visitor = try await start(setup, display: display)
        visitor.proxy.connectivity = connectivity
        let result = try await visitor.visit(request)
        await visitor.proxy.waitForValidations(within: .seconds(request.timeoutSeconds))
        await visitor.proxy.stop()
        return (result, log.take().filter(\.isExchange).map(ExchangeLine.init))
    }

    private init(proxy: LocalProxy, display: Display, trust: LeafTrust, intercepts: Bool) {
        self.intercepts = intercepts
        self.proxy = proxy
        self.display = display
        self.trust = trust
    }

    /// Visits a page. One visit at a time.
    ///
    /// - Parameter request: Proxy, credentials and trusted leaves are filled in here.
    package func visit(_ request: VisitRequest) async throws -> VisitResult {
        if intercepts { try trust.addHost(of: request.url, proxy.authority) }
        let process = try WebViewProcess(display: display, density: request.density)
        trust.use(process)
        defer { trust.use(nil) }
        var request = request
        request.proxy = "http://127.0.0.1:\(proxy.port)"
        request.proxyUser = proxy.credentials?.user
        request.proxyPassword = proxy.credentials?.password
        request.trusted += trust.known
        return try await process.visit(request)
    }
}
