#if canImport(WebKit)
import ViewCare
import WKWebViewAdapter

extension Larder {
    /// Measures which kinds of loads a mode carries on this system: loads a built-in page, without any network, in a
    /// hidden web view of its own. Takes seconds, a minute at most, and changes nothing that is stored.
    ///
    /// A mode that fails is not used from then on: ``install(in:through:options:)`` takes `WebViewMode.navigation` and
    /// says why, and so do web views of this ``Larder`` with their next ``load(_:in:)-(URL,_)``, so that their pages
    /// load. It fails if the page can't be loaded, or if scripts, style sheets, images or `fetch` do not come. Only a
    /// later measurement that succeeds, or another build of the system, lifts that: it is remembered beside the state
    /// of preloading, so one measurement for each build of the system will do.
    ///
    /// - Parameters:
    ///   - mode: All but `WebViewMode.navigation`; `automatic` is the proxy. The hosts of `appScheme` do not count.
    ///   - container: A view in the window; what is measured ends with it. Nothing here keeps it.
    ///   - options: Where the proxy's key is kept; the rest of them does not count.
    /// - Throws: `WebViewError`: `modeUnavailable` where the mode can't be had here at all, `modeFailed`,
    ///   `notMeasured`.
    @MainActor
    public func capabilities(
        of mode: WebViewMode, in container: PlatformView, options: WebViewProxyOptions = WebViewProxyOptions()
    ) async throws -> CapabilityReport {
        let proxy = mode.name == .proxy ? try await capabilityProxy(options) : nil
        do {
            let check = try CapabilityCheck(mode, proxy: proxy, in: container, clock: clock)
            let report = try await check.report
            note(report.fault, of: mode.name)
            return report
        } catch let error as WebViewError {
            if error.code == .modeFailed { note(error.message, of: mode.name) }
            throw error
        }
    }

    /// One that can't be kept is measured again.
    private func note(_ fault: String?, of mode: InterceptionMode) {
        modeFaults.withLock { faults in
            faults[mode] = fault
            try? preloads.files.keep(faults)
        }
    }
}
#endif
