import CachingProxy
import ViewCare
import WebVisit

/// The self-test of `larder capabilities`: what each mode carries in the web view of this machine.
package enum CapabilityRun {
    /// Opens the page of `CapabilityTransport` in a new web view, with an empty store, and asks what it saw. Nothing
    /// reaches the network.
    ///
    /// - Parameters:
    ///   - mode: Not ``InterceptionMode/none``, which the page can't be reached by.
    ///   - directory: An empty folder.
    /// - Throws: ``HostError``: the web view does not start or has not the mode, or the page gives no results; or
    ///   `StoreError`, `ProxyError`.
    package static func measure(
        _ mode: InterceptionMode, in directory: String, display: Display, program: String = "larder-webview"
    ) async throws -> CapabilityReport {
        guard mode == .proxy else {
            // Requests past a scheme handler would reach the network; nobody listens at port 1.
            let view = VisitRequest(
                url: "about:blank", proxy: "http://127.0.0.1:1", timeoutSeconds: limit, scriptTimeoutSeconds: limit)
            let request = SessionRequest(
                view: view, mode: mode,
                cache: SessionCacheRequest(storeDirectory: directory, rules: "none", isSelfTest: true))
            return try await report(of: request, display, program)
        }
        var setup = ProxySetup(storeDirectory: directory, mode: .forward(intercept: .allExcept([])))
        setup.cache.transport = CapabilityTransport()
        (setup.credentials, setup.servesWebView, setup.sendsCacheStatus) = (.random(), true, false)
        let proxy = try await LocalProxy.start(setup)
        do {
            let leaves = try CapabilityTransport.hosts.map {
                TrustedLeaf(host: $0, certificatePEM: try proxy.authority.leafPEM(for: $0))
            }
            let view = VisitRequest(
                url: "about:blank", proxy: "http://127.0.0.1:\(proxy.port)", proxyUser: proxy.credentials?.user,
                proxyPassword: proxy.credentials?.password, timeoutSeconds: limit, trusted: leaves,
                scriptTimeoutSeconds: limit)
            let report = try await report(of: SessionRequest(view: view, mode: mode), display, program)
            await proxy.stop()
            return report
        } catch {
            await proxy.stop()
            throw error
        }
    }

    /// The page gives up each kind after eight seconds.
    private static let limit = 60.0

    private static func report(
        of request: SessionRequest, _ display: Display, _ program: String
    ) async throws -> CapabilityReport {
        let session = try await WebViewSession.start(request, display: display, program: program)
        let opened = try await session.perform(.open(url: CapabilityTransport.pageURL)).seen
        let asked = try await session.perform(.run(script: CapabilityTransport.script)).seen
        await session.end()
        // The result is JSON text of one string.
        guard let text = asked.scriptResult.flatMap({ try? JSONLine.decode(String.self, from: $0.utf8) }),
            let report = CapabilityReport(text)
        else {
            let why = opened.loadError?.message ?? asked.scriptError ?? "it said nothing"
            throw HostError(
                code: .fault, message: "The page of the self-test gave no results in the mode \(request.mode): \(why).")
        }
        return report
    }
}
