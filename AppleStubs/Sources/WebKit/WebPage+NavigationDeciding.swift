import AppleFoundation

extension WebPage {
    // s:6WebKit0A4PageC16NavigationActionV | iOS 26.0, macOS 26.0 | MainActor | S
    @MainActor
    public struct NavigationAction {
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public let source: FrameInfo
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public let target: FrameInfo?
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public let navigationType: WKNavigationType
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public let request: URLRequest
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public let shouldPerformDownload: Bool

        /// Not in Apple's module, where only WebKit makes them.
        public init(simulating request: URLRequest, isMainFrame: Bool) {
            let frame = FrameInfo(
                isMainFrame: isMainFrame, request: request, securityOrigin: WKSecurityOrigin(simulating: request.url))
            (source, target, navigationType, self.request) = (frame, frame, .other, request)
            shouldPerformDownload = false
        }
    }

    // s:6WebKit0A4PageC18NavigationResponseV | iOS 26.0, macOS 26.0 | MainActor | S
    @MainActor
    public struct NavigationResponse {
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public let response: URLResponse
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
        public let canShowMimeType: Bool
    }

    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | M
    @MainActor
    public struct FrameInfo {
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | M
        public let isMainFrame: Bool
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | M
        public let request: URLRequest
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | M
        public let securityOrigin: WKSecurityOrigin
    }

    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | M
    @MainActor
    public struct NavigationPreferences {
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | M
        public init() {}
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | M
        public var allowsContentJavaScript = true
    }

    // s:6WebKit0A4PageC18NavigationDecidingP | iOS 26.0, macOS 26.0 | nonisolated | D
    public protocol NavigationDeciding {
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | D
        @MainActor
        mutating func decidePolicy(
            for action: WebPage.NavigationAction, preferences: inout WebPage.NavigationPreferences
        ) async -> WKNavigationActionPolicy
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | D
        @MainActor
        mutating func decidePolicy(for response: WebPage.NavigationResponse) async -> WKNavigationResponsePolicy
        // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | D
        @MainActor
        mutating func decideAuthenticationChallengeDisposition(
            for challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    }
}

extension WebPage.NavigationDeciding {
    @MainActor
    public func decidePolicy(
        for action: WebPage.NavigationAction, preferences: inout WebPage.NavigationPreferences
    ) async -> WKNavigationActionPolicy { .allow }
    @MainActor
    public func decidePolicy(for response: WebPage.NavigationResponse) async -> WKNavigationResponsePolicy { .allow }
    @MainActor
    public func decideAuthenticationChallengeDisposition(
        for challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
}
