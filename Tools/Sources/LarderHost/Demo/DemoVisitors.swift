import CacheRules
import CachingProxy
import OriginDialing
import WebVisit

/// The visitor that goes through Larder, and the one that does not.
struct DemoVisitors: Sendable {
    private let larder: any DemoVisitor
    private let control: ProxyDemoVisitor

    /// - Parameters:
    ///   - hostMap: See `HostMap`.
    ///   - authorities: PEM file with authorities of the origin.
    static func start(
        _ options: DemoOptions, directory: String, hostMap: [String], authorities: String?, display: String?
    ) async throws -> DemoVisitors {
        var setup = ProxySetup(storeDirectory: directory + "/control", mode: .forward(intercept: .none))
        setup.hostMap = try HostMap(hostMap)
        setup.originAuthorities = authorities
        // The control must not cache plain http either.
        setup.rules = RuleList([Rule.disconnected, Rule("control", .bypass)])
        let control = try await ProxyDemoVisitor.start(setup, display: display)
        let store = directory + "/store"
        switch options.mode {
        case .proxy:
            setup.storeDirectory = store
            setup.mode = .forward(intercept: .forWebViews)
            setup.rules = .webViewDefaults
            return DemoVisitors(larder: try await ProxyDemoVisitor.start(setup, display: display), control: control)
        case .appScheme, .httpsScheme:
            let cache = SessionCacheRequest(storeDirectory: store, hostMap: hostMap, originAuthorities: authorities)
            // WebKitGTK asks nobody for the credentials of a proxy that a WebSocket meets first. For the sample shop there
            // are none: for these seconds other programs of this machine could tunnel through, as they could dial.
            setup.storeDirectory = directory + "/tunnel"
            let tunnel = options.url == nil ? try await LocalProxy.start(setup) : control.visitor.proxy
            let larder = SessionDemoVisitor(
                mode: options.mode, cache: cache, tunnel: tunnel, display: display, program: options.sessionProgram)
            return DemoVisitors(larder: larder, control: control)
        case .none: return DemoVisitors(larder: control, control: control)
        }
    }

    subscript(usesLarder: Bool) -> any DemoVisitor { usesLarder ? larder : control }

    func stop() async {
        await larder.stop()
        await control.stop()
    }
}
