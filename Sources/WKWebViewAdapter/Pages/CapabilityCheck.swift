#if canImport(WebKit)
import CacheEngine
import Foundation
import Interception
import ResponseStore
import WebKit

/// Measures in a hidden web view which kinds of loads a mode carries on this system, with a built-in page and no network.
///
/// `larder capabilities` does the same on Linux, in WebKitGTK. Type-checked and driven with stand-ins; not yet run on a
/// device.
@MainActor
public final class CapabilityCheck {
    private let load: HiddenPageLoad
    private let answer = Answer()

    /// Begins to measure.
    ///
    /// - Parameters:
    ///   - mode: ``WebViewMode/appScheme(hosts:)``, whose hosts do not count here, or ``WebViewMode/httpsScheme(_:)``. The
    ///     proxy can't be measured without a network.
    ///   - container: A view in the window; what is measured ends with it. Nothing here keeps it.
    /// - Throws: ``WebViewError/Code/modeUnavailable``.
    public init(_ mode: WebViewMode, in container: PlatformView, clock: EngineClock = .system) throws {
        var mode = mode
        switch mode {
        case .appScheme: mode = .appScheme(hosts: [CapabilityTransport.host])
        case .httpsScheme: break
        case .automatic, .proxy, .navigation:
            throw WebViewError(
                code: .modeUnavailable, message: "Only appScheme and httpsScheme can be measured without a network.")
        }
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = .nonPersistent()
        let cache = ResponseCache(
            store: MemoryResponseStore(), transport: CapabilityTransport(),
            configuration: EngineConfiguration(rules: .protocolOnly, clock: clock))
        let installation = WebViewInstallation.install(
            in: configuration, mode: mode, cache: cache, context: { ExchangeContext() }, clock: clock)
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

    /// What was seen, once it was. Cancelling the task that waits ends the measuring.
    ///
    /// - Throws: ``WebViewError/Code/notMeasured``: the page did not load, or said nothing.
    public var report: CapabilityReport {
        get async throws {
            let outcome = await load.outcome
            switch answer.result {
            case .success(let text?)?:
                if let report = CapabilityReport(text) { return report }
                throw WebViewError(code: .notMeasured, message: "The page of the self-test wrote something else.")
            case .failure(let error)?:
                throw WebViewError(
                    code: .notMeasured, message: "The page of the self-test could not be asked.", cause: error)
            case .success(nil)?, nil:
                throw WebViewError(code: .notMeasured, message: "The page of the self-test did not load: \(outcome).")
            }
        }
    }

    /// Ends the measuring.
    public func cancel() { load.cancel() }

    @MainActor
    private final class Answer {
        var result: Result<String?, any Error>?
    }
}

extension Result where Failure == any Error {
    /// What an asynchronous body came to.
    @MainActor
    fileprivate init(_ body: @MainActor () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
#endif
