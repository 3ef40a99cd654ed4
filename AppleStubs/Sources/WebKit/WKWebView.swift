import AppleFoundation
import Security
import UIKit

// A view of UIKit on iOS and of AppKit on macOS.
// c:objc(cs)WKWebView | iOS 8.0, macOS 10.10 | MainActor | S
@MainActor
public final class WKWebView: UIView, _KeyValueCodingAndObserving {
    private final class Observing {
        let key: AnyKeyPath
        let changed: @Sendable () -> Void
        init(_ key: AnyKeyPath, _ changed: @escaping @Sendable () -> Void) { (self.key, self.changed) = (key, changed) }
    }
    private struct Observer {
        weak var observing: Observing?
    }

    /// Not in Apple's module: what a view was told to do.
    public enum Told: Hashable {
        case load(URLRequest)
        case simulated(URLRequest, Data)
        case back, forward, item(URL), reload, reloadFromOrigin, stop
        case script(String, WKContentWorld)
    }

    // A copy of the one that the view was made with.
    // c:objc(cs)WKWebView(py)configuration | iOS 8.0, macOS 10.10 | MainActor | S
    public let configuration: WKWebViewConfiguration
    // c:objc(cs)WKWebView(py)navigationDelegate | iOS 8.0, macOS 10.10 | MainActor | S
    public weak var navigationDelegate: (any WKNavigationDelegate)?
    // c:objc(cs)WKWebView(py)UIDelegate | iOS 8.0, macOS 10.10 | MainActor | S
    public weak var uiDelegate: (any WKUIDelegate)?
    // c:objc(cs)WKWebView(py)backForwardList | iOS 8.0, macOS 10.10 | MainActor | S
    public let backForwardList = WKBackForwardList()
    /// Not in Apple's module.
    public private(set) var told: [Told] = []
    /// Not in Apple's module: what scripts give.
    public var simulatedResult: @MainActor (_ script: String) -> Result<Any?, any Error> = {
        .success($0 == "return navigator.userAgent" ? WKWebView.simulatedUserAgent : nil)
    }
    /// Not in Apple's module: what scripts see as `navigator.userAgent`.
    public nonisolated static let simulatedUserAgent = "Mozilla/5.0 (stand-in)"
    private var observers: [Observer] = []

    // c:objc(cs)WKWebView(im)initWithFrame:configuration: | iOS 8.0, macOS 10.10 | MainActor | S
    public init(frame: CGRect, configuration: WKWebViewConfiguration) {
        self.configuration = configuration.copied()
        super.init(frame: frame)
    }

    // MARK: Loading

    // c:objc(cs)WKWebView(im)loadRequest: | iOS 8.0, macOS 10.10 | MainActor | S
    @discardableResult
    public func load(_ request: URLRequest) -> WKNavigation? { tell(.load(request)) }
    // c:objc(cs)WKWebView(im)loadHTMLString:baseURL: | iOS 8.0, macOS 10.10 | MainActor | S
    @discardableResult
    public func loadHTMLString(_ string: String, baseURL: URL?) -> WKNavigation? {
        tell(.simulated(URLRequest(url: baseURL ?? URL(fileURLWithPath: "/")), Data(string.utf8)))
    }
    // c:objc(cs)WKWebView(im)loadSimulatedRequest:response:responseData: | iOS 15.0, macOS 12.0 | MainActor | D
    @discardableResult
    public func loadSimulatedRequest(
        _ request: URLRequest, response: URLResponse, responseData data: Data
    ) -> WKNavigation { tell(.simulated(request, data)) }
    // c:objc(cs)WKWebView(im)loadSimulatedRequest:responseHTMLString: | iOS 15.0, macOS 12.0 | MainActor | S
    @discardableResult
    public func loadSimulatedRequest(_ request: URLRequest, responseHTML string: String) -> WKNavigation {
        tell(.simulated(request, Data(string.utf8)))
    }
    // c:objc(cs)WKWebView(im)goBack | iOS 8.0, macOS 10.10 | MainActor | S
    @discardableResult
    public func goBack() -> WKNavigation? { canGoBack ? tell(.back) : nil }
    // c:objc(cs)WKWebView(im)goForward | iOS 8.0, macOS 10.10 | MainActor | S
    @discardableResult
    public func goForward() -> WKNavigation? { canGoForward ? tell(.forward) : nil }
    // c:objc(cs)WKWebView(im)goToBackForwardListItem: | iOS 8.0, macOS 10.10 | MainActor | M
    @discardableResult
    public func go(to item: WKBackForwardListItem) -> WKNavigation? { tell(.item(item.url)) }
    // c:objc(cs)WKWebView(im)reload | iOS 8.0, macOS 10.10 | MainActor | S
    @discardableResult
    public func reload() -> WKNavigation? { tell(.reload) }
    // c:objc(cs)WKWebView(im)reloadFromOrigin | iOS 8.0, macOS 10.10 | MainActor | S
    @discardableResult
    public func reloadFromOrigin() -> WKNavigation? { tell(.reloadFromOrigin) }
    // c:objc(cs)WKWebView(im)stopLoading | iOS 8.0, macOS 10.10 | MainActor | S
    public func stopLoading() { told.append(.stop) }
    // c:objc(cs)WKWebView(py)canGoBack | iOS 8.0, macOS 10.10 | MainActor | S
    public var canGoBack: Bool { backForwardList.backItem != nil }
    // c:objc(cs)WKWebView(py)canGoForward | iOS 8.0, macOS 10.10 | MainActor | S
    public var canGoForward: Bool { backForwardList.forwardItem != nil }
    // c:objc(cs)WKWebView(cm)handlesURLScheme: | iOS 11.0, macOS 10.13 | MainActor | D
    public class func handlesURLScheme(_ urlScheme: String) -> Bool {
        ["about", "blob", "data", "file", "ftp", "http", "https", "javascript", "ws", "wss"].contains(urlScheme)
            && !leftOut.contains(urlScheme)
    }
    private static var leftOut: Set<String> = []

    /// Not in Apple's module: another code for `handlesURLScheme`, or its own. `false` where it has another one already.
    public static func simulateHandledSchemes(without schemes: Set<String>) -> Bool {
        if !leftOut.isEmpty, !schemes.isEmpty { return false }
        leftOut = schemes
        return true
    }

    private func tell(_ what: Told) -> WKNavigation {
        told.append(what)
        return WKNavigation()
    }

    // MARK: State

    // c:objc(cs)WKWebView(py)URL | iOS 8.0, macOS 10.10 | MainActor | S
    public private(set) var url: URL?
    // c:objc(cs)WKWebView(py)title | iOS 8.0, macOS 10.10 | MainActor | S
    public private(set) var title: String?
    // c:objc(cs)WKWebView(py)loading | iOS 8.0, macOS 10.10 | MainActor | S
    public private(set) var isLoading = false
    // From 0 to 1, by bytes; 1 from the end of a load to the next one.
    // c:objc(cs)WKWebView(py)estimatedProgress | iOS 8.0, macOS 10.10 | MainActor | S
    public private(set) var estimatedProgress = 0.0
    // c:objc(cs)WKWebView(py)serverTrust | iOS 10.0, macOS 10.12 | MainActor | S
    public private(set) var serverTrust: SecTrust?
    // c:objc(cs)WKWebView(py)customUserAgent | iOS 9.0, macOS 10.11 | MainActor | S
    public var customUserAgent: String?
    // c:objc(cs)WKWebView(py)interactionState | iOS 15.0, macOS 12.0 | MainActor | S
    public var interactionState: Any?
    // c:objc(cs)WKWebView(py)inspectable | iOS 16.4, macOS 13.3 | MainActor | S
    public var isInspectable: Bool {
        get { isShown }
        set { isShown = newValue }
    }
    private var isShown = false
    // c:objc(cs)WKWebView(py)scrollView | iOS 8.0, macOS none | MainActor | S
    public let scrollView = UIScrollView(frame: .zero)

    /// Not in Apple's module: sets what WebKit would, and tells observers.
    public func simulate(url: URL?, title: String?, isLoading: Bool, progress: Double) {
        (self.url, self.title, self.isLoading, estimatedProgress) = (url, title, isLoading, progress)
        observers.removeAll { $0.observing == nil }
        for observer in observers { observer.observing?.changed() }
    }

    /// Not in Apple's module.
    public func simulateObserving(_ key: AnyKeyPath, _ changed: @escaping @Sendable () -> Void) -> AnyObject {
        let observing = Observing(key, changed)
        observers.append(Observer(observing: observing))
        return observing
    }

    // MARK: Scripts

    // c:objc(cs)WKWebView(im)callAsyncJavaScript:arguments:inFrame:inContentWorld:completionHandler: | iOS 14.0, macOS 11.0 | MainActor | D
    public func callAsyncJavaScript(
        _ functionBody: String, arguments: [String: Any] = [:], in frame: WKFrameInfo? = nil,
        in contentWorld: WKContentWorld,
        completionHandler: (@MainActor @Sendable (Result<Any, any Error>) -> Void)? = nil
    ) {
        told.append(.script(functionBody, contentWorld))
        completionHandler?(simulatedResult(functionBody).map { $0 ?? NSNull() })
    }

    // identifier unknown | iOS 15.0, macOS 12.0 | MainActor | M
    public func callAsyncJavaScript(
        _ functionBody: String, arguments: [String: Any] = [:], in frame: WKFrameInfo? = nil,
        contentWorld: WKContentWorld
    ) async throws -> Any? {
        told.append(.script(functionBody, contentWorld))
        return try simulatedResult(functionBody).get()
    }

    // identifier unknown | iOS 15.0, macOS 12.0 | MainActor | D
    public func evaluateJavaScript(
        _ javaScript: String, in frame: WKFrameInfo? = nil, contentWorld: WKContentWorld
    ) async throws -> Any? {
        told.append(.script(javaScript, contentWorld))
        return try simulatedResult(javaScript).get()
    }

    // MARK: Downloads

    // c:objc(cs)WKWebView(im)startDownloadUsingRequest:completionHandler: | iOS 14.5, macOS 11.3 | MainActor | S
    public func startDownload(
        using request: URLRequest, completionHandler: @escaping @MainActor @Sendable (WKDownload) -> Void
    ) { completionHandler(WKDownload(simulating: request, in: self)) }
}
