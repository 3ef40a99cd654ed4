import CacheEngine
import Glibc
import LarderHost
import OriginDialing
import ViewCare
import WebKitGTKAdapter
import WebVisit

/// The web-view process of the tool: a web view, and for scheme handlers a cache of its own.
package enum WebViewHost {
    /// Serves the commands on standard input, and ends the process. Call from `main`, before anything else.
    ///
    /// - Parameter unlock: Calls its argument while WebKit lets a scheme handler have `https`; `nil` where it never
    ///   does.
    @MainActor
    package static func run(unlock: VisitProcess.Unlock? = nil) -> Never {
        exit(VisitProcess.run(unlock: unlock, openCache: open))
    }

    /// Opens the cache of a session.
    @Sendable
    private static func open(
        _ request: SessionCacheRequest, _ observer: any ExchangeObserver
    ) throws(VisitFailure) -> SessionCache {
        do {
            var setup = CacheSetup(storeDirectory: request.storeDirectory)
            setup.hostMap = try HostMap(request.hostMap)
            setup.originAuthorities = request.originAuthorities
            setup.rules = try RulesSource(request.rules).rules()
            setup.account = request.account
            setup.offlinePage = try request.offlinePage.map { try OfflinePageFile.read($0) }
            setup.observer = observer
            setup.network = request.network ?? .direct
            if request.isSelfTest { setup.transport = CapabilityTransport() }
            let local = try LocalCache(setup)
            local.connectivity = request.connectivity
            return SessionCache(
                cache: local.cache, context: { local.context },
                change: { change in
                    if let connectivity = change.connectivity { local.connectivity = connectivity }
                    if let account = change.account { local.account = account }
                    if let rules = change.rules { local.cache.rules = try RulesSource(rules).rules() }
                },
                stop: { await local.stop() })
        } catch {
            throw VisitFailure(code: .badRequest, message: "The cache can't be opened: \(error)")
        }
    }
}
