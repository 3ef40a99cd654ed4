#if canImport(WebKit)
import CacheEngine
import Foundation
import ResponseStore
import ViewCare
import WebKit

/// Measures in a hidden web view which kinds of loads a mode carries on this system, with a built-in page and no
/// network.
///
/// An app has `Larder.capabilities(of:in:)`, which brings the proxy as well, and no longer uses a mode that fails.
/// `larder capabilities` does the same on Linux, in WebKitGTK. Type-checked and driven with stand-ins; not yet run on a
/// device.
@MainActor
package final class CapabilityCheck {
    private let load: HiddenPageLoad
    private let answer = Answer()

    /// Begins to measure.
    ///
    /// - Parameters:
    ///   - mode: All but ``WebViewMode/navigation``. The hosts of ``WebViewMode/appScheme(hosts:)`` do not count here.
    ///   - proxy: One over `CapabilityTransport`, for ``WebViewMode/proxy`` and
    ///     ``WebViewMode/automatic``.
    ///   - container: A view in the window; measuring ends with it. Nothing here keeps it.
    /// - Throws: ``WebViewError/Code/modeUnavailable``.
    package init(
        _ mode: WebViewMode, proxy: WebViewProxy? = nil, in container: PlatformView, clock: EngineClock = .system
    ) throws {
        guard mode.name != .navigation else {
            throw WebViewError(
                code: .modeUnavailable, message: "In the mode navigation nothing is answered, so nothing is measured.")
        }
        let measured = mode.name.usesAppScheme ? .appScheme(hosts: [CapabilityTransport.host]) : mode
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = .nonPersistent()
        let cache = ResponseCache(
            store: MemoryResponseStore(), transport: CapabilityTransport(),
            configuration: EngineConfiguration(rules: .protocolOnly, clock: clock))
        let installation = WebViewInstallation.install(
            in: configuration, mode: measured, proxy: proxy, cache: cache, context: { ExchangeContext() }, clock: clock)
        // Past the proxy nothing would be measured.
        installation.fallsBack = false
        if installation.mode.name == .navigation {
            throw WebViewError(
                code: .modeUnavailable, message: installation.mode.reason ?? "The mode can't be had here.")
        }
        guard let url = URL(string: CapabilityTransport.pageURL) else {
            throw WebViewError(code: .notMeasured, message: "The page of the self-test has no URL.")
        }
        var limits = HiddenPageLoad.Limits()
        limits.whole = .seconds(60)
        let answer = answer
        load = HiddenPageLoad(URLRequest(url: url), configuration, in: container, limits: limits, clock: clock) {
            view in
            answer.result = await Result {
                try await view.callAsyncJavaScript(CapabilityTransport.script, contentWorld: .page) as? String
            }
        }
    }

    /// The findings, once the page reports them. Cancelling the waiting task ends the measuring.
    ///
    /// - Throws: ``WebViewError/Code/modeFailed``: the page could not be loaded in this mode, or could not say what it
    ///   saw. ``WebViewError/Code/notMeasured``: something else came between, such as the end of the task, of the
    ///   container or of the page's process, or a minute.
    package var report: CapabilityReport {
        get async throws {
            let outcome = await load.outcome
            switch answer.result {
            case .success(let text?)?:
                if let report = CapabilityReport(text) { return report }
                throw WebViewError(code: .modeFailed, message: "The page of the self-test wrote something else.")
            case .failure(let error)?:
                throw WebViewError(
                    code: outcome == .loaded ? .modeFailed : .notMeasured,
                    message: "The page of the self-test could not be asked (\(outcome)).", cause: error)
            case .success(nil)?, nil:
                if case .failed(_, _, let message) = outcome {
                    throw WebViewError(
                        code: .modeFailed, message: "The page of the self-test could not be loaded: \(message)")
                }
                throw WebViewError(code: .notMeasured, message: "The page of the self-test did not load: \(outcome).")
            }
        }
    }

    @MainActor
    private final class Answer {
        var result: Result<String?, any Error>?
    }
}

extension Result where Failure == any Error {
    /// The outcome of an asynchronous body.
    @MainActor
    fileprivate init(_ body: @MainActor () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
#endif
