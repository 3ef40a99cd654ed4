import AppleFoundation

// c:objc(cs)WKNavigation | iOS 8.0, macOS 10.10 | MainActor | S
@MainActor
public final class WKNavigation: NSObject {}

// c:@E@WKNavigationActionPolicy | iOS 8.0, macOS 10.10 | Sendable | S
public enum WKNavigationActionPolicy: Int, Sendable {
    // c:@E@WKNavigationActionPolicy@WKNavigationActionPolicyCancel | iOS 8.0, macOS 10.10 | Sendable | S
    case cancel = 0
    // c:@E@WKNavigationActionPolicy@WKNavigationActionPolicyAllow | iOS 8.0, macOS 10.10 | Sendable | S
    case allow = 1
    // c:@E@WKNavigationActionPolicy@WKNavigationActionPolicyDownload | iOS 14.5, macOS 11.3 | Sendable | S
    case download = 2
}

// c:@E@WKNavigationResponsePolicy | iOS 8.0, macOS 10.10 | Sendable | S
public enum WKNavigationResponsePolicy: Int, Sendable {
    // c:@E@WKNavigationResponsePolicy@WKNavigationResponsePolicyCancel | iOS 8.0, macOS 10.10 | Sendable | S
    case cancel = 0
    // c:@E@WKNavigationResponsePolicy@WKNavigationResponsePolicyAllow | iOS 8.0, macOS 10.10 | Sendable | S
    case allow = 1
    // c:@E@WKNavigationResponsePolicy@WKNavigationResponsePolicyDownload | iOS 14.5, macOS 11.3 | Sendable | S
    case download = 2
}

// c:@E@WKNavigationType | iOS 8.0, macOS 10.10 | Sendable | S
public enum WKNavigationType: Int, Sendable {
    // c:@E@WKNavigationType@WKNavigationTypeLinkActivated | iOS 8.0, macOS 10.10 | Sendable | S
    case linkActivated = 0
    // c:@E@WKNavigationType@WKNavigationTypeFormSubmitted | iOS 8.0, macOS 10.10 | Sendable | S
    case formSubmitted = 1
    // c:@E@WKNavigationType@WKNavigationTypeBackForward | iOS 8.0, macOS 10.10 | Sendable | S
    case backForward = 2
    // c:@E@WKNavigationType@WKNavigationTypeReload | iOS 8.0, macOS 10.10 | Sendable | S
    case reload = 3
    // c:@E@WKNavigationType@WKNavigationTypeFormResubmitted | iOS 8.0, macOS 10.10 | Sendable | S
    case formResubmitted = 4
    // c:@E@WKNavigationType@WKNavigationTypeOther | iOS 8.0, macOS 10.10 | Sendable | S
    case other = -1
}

// c:objc(cs)WKNavigationAction | iOS 8.0, macOS 10.10 | MainActor | S
@MainActor
public final class WKNavigationAction: NSObject {
    // c:objc(cs)WKNavigationAction(py)sourceFrame | iOS 8.0, macOS 10.10 | MainActor | S
    public var sourceFrame: WKFrameInfo {
        // As on macOS 15.1, where a frame that is not there is read all the same.
        simulatedReadsOfMissingSource += simulatedSource == nil ? 1 : 0
        return simulatedSource ?? WKFrameInfo(simulating: request)
    }
    /// Not in Apple's module: `nil` where WebKit has none, whatever the declaration says.
    public let simulatedSource: WKFrameInfo?
    /// Not in Apple's module: reads that a program may not survive.
    public private(set) var simulatedReadsOfMissingSource = 0
    // `nil` for a new window.
    // c:objc(cs)WKNavigationAction(py)targetFrame | iOS 8.0, macOS 10.10 | MainActor | S
    public let targetFrame: WKFrameInfo?
    // c:objc(cs)WKNavigationAction(py)navigationType | iOS 8.0, macOS 10.10 | MainActor | S
    public let navigationType: WKNavigationType
    // c:objc(cs)WKNavigationAction(py)request | iOS 8.0, macOS 10.10 | MainActor | S
    public let request: URLRequest
    // c:objc(cs)WKNavigationAction(py)shouldPerformDownload | iOS 14.5, macOS 11.3 | MainActor | S
    public let shouldPerformDownload: Bool

    /// Not in Apple's module, where only WebKit makes them.
    public init(
        simulating request: URLRequest, _ type: WKNavigationType = .linkActivated, from source: WKFrameInfo?,
        to target: WKFrameInfo?, shouldPerformDownload: Bool = false
    ) {
        (self.request, navigationType, simulatedSource, targetFrame) = (request, type, source, target)
        self.shouldPerformDownload = shouldPerformDownload
        super.init()
    }
}

// c:objc(cs)WKNavigationResponse | iOS 8.0, macOS 10.10 | MainActor | S
@MainActor
public final class WKNavigationResponse: NSObject {
    // c:objc(cs)WKNavigationResponse(py)forMainFrame | iOS 8.0, macOS 10.10 | MainActor | S
    public let isForMainFrame: Bool
    // c:objc(cs)WKNavigationResponse(py)response | iOS 8.0, macOS 10.10 | MainActor | S
    public let response: URLResponse
    // c:objc(cs)WKNavigationResponse(py)canShowMIMEType | iOS 8.0, macOS 10.10 | MainActor | S
    public let canShowMIMEType: Bool

    /// Not in Apple's module, where only WebKit makes them.
    public init(simulating response: URLResponse, isForMainFrame: Bool = true, canShowMIMEType: Bool = true) {
        (self.response, self.isForMainFrame, self.canShowMIMEType) = (response, isForMainFrame, canShowMIMEType)
        super.init()
    }
}
