import AppleFoundation

// c:objc(cs)WKDownload | iOS 14.5, macOS 11.3 | MainActor | S
@MainActor
public final class WKDownload: NSObject {
    // c:objc(cs)WKDownload(py)originalRequest | iOS 14.5, macOS 11.3 | MainActor | S
    public let originalRequest: URLRequest?
    // c:objc(cs)WKDownload(py)webView | iOS 14.5, macOS 11.3 | MainActor | S
    public private(set) weak var webView: WKWebView?
    // c:objc(cs)WKDownload(py)delegate | iOS 14.5, macOS 11.3 | MainActor | S
    public weak var delegate: (any WKDownloadDelegate)?
    /// Not in Apple's module.
    public private(set) var isCancelled = false

    // c:@E@WKDownloadRedirectPolicy | iOS 14.5, macOS 11.3 | Sendable | S
    public enum RedirectPolicy: Int, Sendable {
        // c:@E@WKDownloadRedirectPolicy@WKDownloadRedirectPolicyCancel | iOS 14.5, macOS 11.3 | Sendable | S
        case cancel = 0
        // c:@E@WKDownloadRedirectPolicy@WKDownloadRedirectPolicyAllow | iOS 14.5, macOS 11.3 | Sendable | S
        case allow = 1
    }

    /// Not in Apple's module, where only WebKit makes them.
    public init(simulating request: URLRequest?, in webView: WKWebView?) {
        (originalRequest, self.webView) = (request, webView)
        super.init()
    }

    // c:objc(cs)WKDownload(im)cancel: | iOS 14.5, macOS 11.3 | MainActor | S
    public func cancel(_ completionHandler: (@MainActor @Sendable (Data?) -> Void)? = nil) {
        isCancelled = true
        completionHandler?(nil)
    }
}

// c:objc(pl)WKDownloadDelegate | iOS 14.5, macOS 11.3 | MainActor | D
@MainActor
public protocol WKDownloadDelegate: NSObjectProtocol {
    // The one method that has to be there.
    // c:objc(pl)WKDownloadDelegate(im)download:decideDestinationUsingResponse:suggestedFilename:completionHandler: | iOS 14.5, macOS 11.3 | MainActor | D
    func download(
        _ download: WKDownload, decideDestinationUsing response: URLResponse, suggestedFilename: String,
        completionHandler: @escaping @MainActor @Sendable (URL?) -> Void)
    // c:objc(pl)WKDownloadDelegate(im)download:willPerformHTTPRedirection:newRequest:decisionHandler: | iOS 14.5, macOS 11.3 | MainActor | S
    func download(
        _ download: WKDownload, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        decisionHandler: @escaping @MainActor @Sendable (WKDownload.RedirectPolicy) -> Void)
    // c:objc(pl)WKDownloadDelegate(im)download:didReceiveAuthenticationChallenge:completionHandler: | iOS 14.5, macOS 11.3 | MainActor | D
    func download(
        _ download: WKDownload, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    // c:objc(pl)WKDownloadDelegate(im)downloadDidFinish: | iOS 14.5, macOS 11.3 | MainActor | S
    func downloadDidFinish(_ download: WKDownload)
    // c:objc(pl)WKDownloadDelegate(im)download:didFailWithError:resumeData: | iOS 14.5, macOS 11.3 | MainActor | S
    func download(_ download: WKDownload, didFailWithError error: any Error, resumeData: Data?)
}

extension WKDownloadDelegate {
    public func download(
        _ download: WKDownload, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        decisionHandler: @escaping @MainActor @Sendable (WKDownload.RedirectPolicy) -> Void
    ) { decisionHandler(.allow) }
    public func download(
        _ download: WKDownload, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { completionHandler(.rejectProtectionSpace, nil) }
    public func downloadDidFinish(_ download: WKDownload) {}
    public func download(_ download: WKDownload, didFailWithError error: any Error, resumeData: Data?) {}
}
