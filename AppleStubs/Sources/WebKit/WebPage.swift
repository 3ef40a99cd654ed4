import AppleFoundation
import Observation

// s:6WebKit0A4PageC | iOS 26.0, macOS 26.0 | MainActor | S
@MainActor
@Observable
public final class WebPage {
    /// Not in Apple's module: what a page was told to load.
    public private(set) var told: [URLRequest] = []
    /// Not in Apple's module.
    public let simulatedConfiguration: Configuration
    /// Not in Apple's module.
    public var simulatedDecider: (any NavigationDeciding)?

    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
    public init(configuration: Configuration = Configuration()) { simulatedConfiguration = configuration }

    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
    public init(configuration: Configuration = Configuration(), navigationDecider: some NavigationDeciding) {
        simulatedConfiguration = configuration
        simulatedDecider = navigationDecider
    }

    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
    public internal(set) var url: URL?
    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
    public internal(set) var title = ""
    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
    public internal(set) var estimatedProgress = 0.0
    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
    public internal(set) var isLoading = false
    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
    public var customUserAgent: String?
    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
    public var isInspectable = false

    // Cancelling the task that reads what these give stops the load.
    // s:6WebKit0A4PageC4loadyQr10Foundation10URLRequestVF | iOS 26.0, macOS 26.0 | MainActor | D
    @discardableResult
    public func load(_ request: URLRequest) -> some AsyncSequence<NavigationEvent, any Error> { tell(request) }

    // s:6WebKit0A4PageC4load16simulatedRequest8response0G4DataQr10Foundation10URLRequestV_So13NSURLResponseCAH0H0VtF | iOS 26.0, macOS 26.0 | MainActor | D
    @discardableResult
    public func load(
        simulatedRequest request: URLRequest, response: URLResponse, responseData: Data
    ) -> some AsyncSequence<NavigationEvent, any Error> { tell(request) }

    // s:6WebKit0A4PageC4load16simulatedRequest12responseHTMLQr10Foundation10URLRequestV_SStF | iOS 26.0, macOS 26.0 | MainActor | D
    @discardableResult
    public func load(
        simulatedRequest request: URLRequest, responseHTML htmlString: String
    ) -> some AsyncSequence<NavigationEvent, any Error> { tell(request) }

    // Anew for each caller; begins with what comes next.
    // s:6WebKit0A4PageC11navigationsQrvp | iOS 26.0, macOS 26.0 | MainActor | D
    public var navigations: some AsyncSequence<NavigationEvent, any Error> {
        AsyncThrowingStream<NavigationEvent, any Error> { $0.finish() }
    }

    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
    public func stopLoading() {}

    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | D
    @discardableResult
    public func callJavaScript(
        _ functionBody: String, arguments: [String: Any] = [:], in frame: FrameInfo? = nil,
        contentWorld: WKContentWorld? = nil
    ) async throws -> sending Any? { nil }

    private func tell(_ request: URLRequest) -> AsyncThrowingStream<NavigationEvent, any Error> {
        told.append(request)
        return AsyncThrowingStream { continuation in
            for event in [NavigationEvent.startedProvisionalNavigation, .committed, .finished] {
                continuation.yield(event)
            }
            continuation.finish()
        }
    }

    // identifier unknown | iOS 26.0, macOS 26.0 | Sendable | D
    public enum NavigationEvent: Hashable, Sendable {
        // identifier unknown | iOS 26.0, macOS 26.0 | Sendable | D
        case startedProvisionalNavigation, receivedServerRedirect, committed, finished
    }

    // identifier unknown | iOS 26.0, macOS 26.0 | Sendable | D
    public enum NavigationError: Error {
        // identifier unknown | iOS 26.0, macOS 26.0 | Sendable | D
        case failedProvisionalNavigation(any Error), invalidURL, pageClosed, webContentProcessTerminated
    }

    // s:6WebKit0A4PageC13ConfigurationV | iOS 26.0, macOS 26.0 | MainActor | S
    @MainActor
    public struct Configuration {
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public init() {}
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public var websiteDataStore = WKWebsiteDataStore.default()
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public var userContentController = WKUserContentController()
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public var urlSchemeHandlers: [URLScheme: any URLSchemeHandler] = [:]
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public var applicationNameForUserAgent: String?
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public var limitsNavigationsToAppBoundDomains = false
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public var upgradeKnownHostsToHTTPS = true
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public var loadsSubresources = true
    }
}
