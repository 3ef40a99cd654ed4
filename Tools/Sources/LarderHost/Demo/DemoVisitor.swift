import CacheEngine
import CacheRules
import Foundation
import WebVisit

/// Makes the visits of a demo, each in a new web process.
protocol DemoVisitor: Sendable {
    /// Visits a page; returns when what it got is stored.
    ///
    /// - Returns: The web view's result, and the exchanges with the cache.
    func visit(_ request: VisitRequest, _ connectivity: Connectivity) async throws -> (VisitResult, [ExchangeLine])

    func stop() async
}

/// Visits through one proxy in this process.
struct ProxyDemoVisitor: DemoVisitor {
    let visitor: PageVisitor
    let log: ReportLog

    static func start(_ setup: ProxySetup, display: Display) async throws -> ProxyDemoVisitor {
        let log = ReportLog()
        var setup = setup
        setup.cache.observer = log
        return ProxyDemoVisitor(visitor: try await PageVisitor.start(setup, display: display), log: log)
    }

    func visit(_ request: VisitRequest, _ connectivity: Connectivity) async throws -> (VisitResult, [ExchangeLine]) {
        visitor.proxy.connectivity = connectivity
        _ = log.take()
        let result = try await visitor.visit(request)
        await visitor.proxy.waitForCommits()
        return (result, log.take().filter(\.isExchange).map(ExchangeLine.init))
    }

    func stop() async { await visitor.proxy.stop() }
}

/// Visits whose requests are answered by a scheme handler in the web view's process. All others, such as WebSockets and
/// what an app-scheme page loads from https, go through the tunnel of a proxy that reads nothing.
struct SessionDemoVisitor: DemoVisitor {
    let mode: InterceptionMode
    let cache: SessionCacheRequest
    let tunnel: LocalProxy
    let display: Display
    let program: String

    func visit(_ request: VisitRequest, _ connectivity: Connectivity) async throws -> (VisitResult, [ExchangeLine]) {
        tunnel.connectivity = connectivity
        var cache = cache
        cache.connectivity = connectivity
        var view = request
        view.proxy = "http://127.0.0.1:\(tunnel.port)"
        view.proxyUser = tunnel.credentials?.user
        view.proxyPassword = tunnel.credentials?.password
        let session = try await WebViewSession.start(
            SessionRequest(view: view, mode: mode, cache: cache, looksForBlankPages: true), display: display,
            program: program)
        var seen = try await session.perform(.open(url: request.url)).seen
        // Ended by the time limit or with its process, a page answers no questions.
        if let script = request.script, seen.webProcessTerminated == nil, seen.ending != .overdue {
            let after = try await session.perform(.run(script: script)).seen
            (seen.scriptResult, seen.scriptError) = (after.scriptResult, after.scriptError)
            // Lists of all that there was since the page began.
            (seen.failedResources, seen.console, seen.resources) = (
                after.failedResources, after.console, after.resources
            )
        }
        if let path = request.screenshotPath, seen.ending != .overdue {
            seen.screenshot = try await session.perform(.picture(path: path)).seen.screenshot
            if let picture = seen.screenshot { seen.isBlank = picture.uniform }
        }
        await session.end()
        return (seen, session.takeExchanges())
    }

    func stop() async {}
}
