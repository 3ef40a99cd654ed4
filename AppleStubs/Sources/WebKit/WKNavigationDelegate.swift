import AppleFoundation

// All methods are optional in Apple's module. Those with a handler have an asynchronous form as well, which is the same
// selector; the mirror has the one with the handler, and so have the adapters.

// c:objc(pl)WKNavigationDelegate | iOS 8.0, macOS 10.10 | MainActor | D
@MainActor
public protocol WKNavigationDelegate: NSObjectProtocol {
    // Not called where the next one exists.
    // c:objc(pl)WKNavigationDelegate(im)webView:decidePolicyForNavigationAction:decisionHandler: | iOS 8.0, macOS 10.10 | MainActor | D
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void)
    // c:objc(pl)WKNavigationDelegate(im)webView:decidePolicyForNavigationAction:preferences:decisionHandler: | iOS 13.0, macOS 10.15 | MainActor | D
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction, preferences: WKWebpagePreferences,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void)
    // c:objc(pl)WKNavigationDelegate(im)webView:decidePolicyForNavigationResponse:decisionHandler: | iOS 8.0, macOS 10.10 | MainActor | D
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void)
    // c:objc(pl)WKNavigationDelegate(im)webView:didStartProvisionalNavigation: | iOS 8.0, macOS 10.10 | MainActor | S
    func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!)
    // c:objc(pl)WKNavigationDelegate(im)webView:didReceiveServerRedirectForProvisionalNavigation: | iOS 8.0, macOS 10.10 | MainActor | S
    func webView(_ webView: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation!)
    // c:objc(pl)WKNavigationDelegate(im)webView:didFailProvisionalNavigation:withError: | iOS 8.0, macOS 10.10 | MainActor | S
    func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error)
    // c:objc(pl)WKNavigationDelegate(im)webView:didCommitNavigation: | iOS 8.0, macOS 10.10 | MainActor | S
    func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!)
    // c:objc(pl)WKNavigationDelegate(im)webView:didFinishNavigation: | iOS 8.0, macOS 10.10 | MainActor | S
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)
    // c:objc(pl)WKNavigationDelegate(im)webView:didFailNavigation:withError: | iOS 8.0, macOS 10.10 | MainActor | S
    func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error)
    // Without it a challenge is rejected.
    // c:objc(pl)WKNavigationDelegate(im)webView:didReceiveAuthenticationChallenge:completionHandler: | iOS 8.0, macOS 10.10 | MainActor | D
    func webView(
        _ webView: WKWebView, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    // c:objc(pl)WKNavigationDelegate(im)webView:authenticationChallenge:shouldAllowDeprecatedTLS: | iOS 14.0, macOS 11.0 | MainActor | S
    func webView(
        _ webView: WKWebView, authenticationChallenge challenge: URLAuthenticationChallenge,
        shouldAllowDeprecatedTLS decisionHandler: @escaping @MainActor @Sendable (Bool) -> Void)
    // c:objc(pl)WKNavigationDelegate(im)webViewWebContentProcessDidTerminate: | iOS 9.0, macOS 10.11 | MainActor | S
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
    // c:objc(pl)WKNavigationDelegate(im)webView:navigationAction:didBecomeDownload: | iOS 14.5, macOS 11.3 | MainActor | D
    func webView(_ webView: WKWebView, navigationAction: WKNavigationAction, didBecome download: WKDownload)
    // c:objc(pl)WKNavigationDelegate(im)webView:navigationResponse:didBecomeDownload: | iOS 14.5, macOS 11.3 | MainActor | S
    func webView(_ webView: WKWebView, navigationResponse: WKNavigationResponse, didBecome download: WKDownload)
    // Its handler is of no actor and not Sendable, as documented.
    // c:objc(pl)WKNavigationDelegate(im)webView:shouldGoToBackForwardListItem:willUseInstantBack:completionHandler: | iOS 26.0, macOS 26.0 | MainActor | D
    func webView(
        _ webView: WKWebView, shouldGoTo backForwardListItem: WKBackForwardListItem, willUseInstantBack: Bool,
        completionHandler: @escaping (Bool) -> Void)
}

// What WebKit does for whoever has not the method.
extension WKNavigationDelegate {
    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) { decisionHandler(.allow) }
    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction, preferences: WKWebpagePreferences,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void
    ) { self.webView(webView, decidePolicyFor: navigationAction) { decisionHandler($0, preferences) } }
    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
    ) { decisionHandler(navigationResponse.canShowMIMEType ? .allow : .cancel) }
    public func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!) {}
    public func webView(
        _ webView: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation!
    ) {}
    public func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) {}
    public func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) {}
    public func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {}
    public func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {}
    public func webView(
        _ webView: WKWebView, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { completionHandler(.rejectProtectionSpace, nil) }
    public func webView(
        _ webView: WKWebView, authenticationChallenge challenge: URLAuthenticationChallenge,
        shouldAllowDeprecatedTLS decisionHandler: @escaping @MainActor @Sendable (Bool) -> Void
    ) { decisionHandler(false) }
    public func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {}
    public func webView(_ webView: WKWebView, navigationAction: WKNavigationAction, didBecome download: WKDownload) {}
    public func webView(
        _ webView: WKWebView, navigationResponse: WKNavigationResponse, didBecome download: WKDownload
    ) {}
    public func webView(
        _ webView: WKWebView, shouldGoTo backForwardListItem: WKBackForwardListItem, willUseInstantBack: Bool,
        completionHandler: @escaping (Bool) -> Void
    ) { completionHandler(true) }
}
