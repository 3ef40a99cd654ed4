#if canImport(WebKit)
import Foundation
import WebKit

/// Stands in front of an app's navigation delegate, which decides whatever it has a method for; what it has none for is
/// done as `NavigationDecision` says, or as WebKit would.
///
/// Every method of the protocol is here, so that a call for a delegate that is gone has an answer. `WKUIDelegate` is
/// the app's alone.
@MainActor
final class NavigationForwarder: ForwardingObject, WKNavigationDelegate {
    weak var attached: AttachedWebView?
    private var open = OpenCalls()

    /// The app's delegate; not kept alive.
    var app: (any WKNavigationDelegate)? { receiver as? any WKNavigationDelegate }

    /// - Parameter app: The web view's delegate, which is another one than before.
    func stand(before app: (any WKNavigationDelegate)?) {
        if receiver !== app { former = receiver }
        receiver = app
    }

    // MARK: Calls

    /// Calls the app's delegate once.
    ///
    /// A delegate that the app has put in front of ours passes calls on to us, and ours is put in front of it in turn.
    /// Then the call comes here a second time from within, and goes on to the delegate that was there before.
    ///
    /// - Parameter subject: The question's object; call ``OpenCalls/set(_:_:_:)`` after the answer.
    /// - Returns: Whether the delegate has the method.
    @discardableResult
    private func pass(
        _ method: OpenCalls.Method, about subject: AnyObject? = nil, _ call: (any WKNavigationDelegate) -> Void?
    ) -> Bool {
        let depth = open.depth(method, subject)
        guard depth < 2, let called = depth == 0 ? app : former as? any WKNavigationDelegate else { return false }
        open.set(depth + 1, method, subject)
        let hasMethod = call(called) != nil
        if subject == nil || !hasMethod { open.set(depth, method, subject) }
        return hasMethod
    }

    // MARK: Policy

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction, preferences: WKWebpagePreferences,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void
    ) {
        let depths = (open.depth(.actionWithPreferences, navigationAction), open.depth(.action, navigationAction))
        // When it comes here again, everything of ours is done.
        let isFirst = depths == (0, 0)
        if isFirst, attached?.movesToAppScheme(navigationAction) == true {
            return decisionHandler(.cancel, preferences)
        }
        let decided: @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void = {
            [weak self, weak attached] policy, preferences in
            self?.open.set(depths.0, .actionWithPreferences, navigationAction)
            self?.open.set(depths.1, .action, navigationAction)
            guard isFirst, policy == .allow, let wait = attached?.wait(for: navigationAction) else {
                if isFirst { attached?.decided(navigationAction, policy) }
                return decisionHandler(policy, preferences)
            }
            Task { @MainActor in
                await wait()
                attached?.decided(navigationAction, policy)
                decisionHandler(policy, preferences)
            }
        }
        let isPassed = pass(.actionWithPreferences, about: navigationAction) {
            $0.webView?(
                webView, decidePolicyFor: navigationAction, preferences: preferences, decisionHandler: decided)
        }
        if isPassed { return }
        let isPassedWithout = pass(.action, about: navigationAction) {
            $0.webView?(
                webView, decidePolicyFor: navigationAction, decisionHandler: { decided($0, preferences) })
        }
        if isPassedWithout { return }
        decided(attached?.policy(for: navigationAction) ?? .allow, preferences)
    }

    /// Called by an app's delegate that passes calls on; WebKit calls the other method.
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
        self.webView(webView, decidePolicyFor: navigationAction, preferences: WKWebpagePreferences()) { policy, _ in
            decisionHandler(policy)
        }
    }

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
    ) {
        let depth = open.depth(.response, navigationResponse)
        let isPassed = pass(.response, about: navigationResponse) {
            $0.webView?(webView, decidePolicyFor: navigationResponse) { [weak self] policy in
                self?.open.set(depth, .response, navigationResponse)
                decisionHandler(policy)
            }
        }
        if isPassed { return }
        decisionHandler(attached?.policy(for: navigationResponse) ?? .allow)
    }

    @available(iOS 26.0, macOS 26.0, *)
    func webView(
        _ webView: WKWebView, shouldGoTo backForwardListItem: WKBackForwardListItem, willUseInstantBack: Bool,
        completionHandler: @escaping (Bool) -> Void
    ) {
        let depth = open.depth(.goTo, backForwardListItem)
        let isPassed = pass(.goTo, about: backForwardListItem) {
            $0.webView?(webView, shouldGoTo: backForwardListItem, willUseInstantBack: willUseInstantBack) {
                [weak self] isAllowed in
                // The handler has no actor, though WebKit wants it to be called on the main thread.
                if Thread.isMainThread {
                    MainActor.assumeIsolated { self?.open.set(depth, .goTo, backForwardListItem) }
                }
                completionHandler(isAllowed)
            }
        }
        if !isPassed { completionHandler(true) }
    }

    // MARK: Loads

    func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!) {
        // Our own part is done once, however often an app's delegate passes a call on.
        let start = open.depth(.start) == 0 && open.depth(.redirect) == 0 ? attached?.started() ?? .new : .new
        switch start {
        case .new: pass(.start) { $0.webView?(webView, didStartProvisionalNavigation: navigation) }
        case .redirect:
            pass(.redirect) { $0.webView?(webView, didReceiveServerRedirectForProvisionalNavigation: navigation) }
        case .retry: break
        }
    }

    func webView(_ webView: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation!) {
        pass(.redirect) { $0.webView?(webView, didReceiveServerRedirectForProvisionalNavigation: navigation) }
    }

    func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) {
        if open.depth(.failProvisional) == 0, attached?.failed(error) == true { return }
        pass(.failProvisional) { $0.webView?(webView, didFailProvisionalNavigation: navigation, withError: error) }
    }

    func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) {
        if open.depth(.commit) == 0 { attached?.committed(webView.url) }
        pass(.commit) { $0.webView?(webView, didCommit: navigation) }
    }

    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {
        attached?.finished()
        pass(.finish) { $0.webView?(webView, didFinish: navigation) }
    }

    func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {
        if open.depth(.fail) == 0 { attached?.useProxyAgain() }
        pass(.fail) { $0.webView?(webView, didFail: navigation, withError: error) }
    }

    // MARK: Certificates and passwords

    func webView(
        _ webView: WKWebView, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let (disposition, credential) = attached?.installation.disposition(for: challenge) {
            return completionHandler(disposition, credential)
        }
        let depth = open.depth(.challenge, challenge)
        let isPassed = pass(.challenge, about: challenge) {
            $0.webView?(webView, didReceive: challenge) { [weak self] disposition, credential in
                self?.open.set(depth, .challenge, challenge)
                completionHandler(disposition, credential)
            }
        }
        if isPassed { return }
        // As without a delegate: the system judges certificates, and no stored password is tried.
        let isServer = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        completionHandler(isServer ? .performDefaultHandling : .rejectProtectionSpace, nil)
    }

    func webView(
        _ webView: WKWebView, authenticationChallenge challenge: URLAuthenticationChallenge,
        shouldAllowDeprecatedTLS decisionHandler: @escaping @MainActor @Sendable (Bool) -> Void
    ) {
        let depth = open.depth(.deprecatedTLS, challenge)
        let isPassed = pass(.deprecatedTLS, about: challenge) {
            $0.webView?(
                webView, authenticationChallenge: challenge,
                shouldAllowDeprecatedTLS: { [weak self] isAllowed in
                    self?.open.set(depth, .deprecatedTLS, challenge)
                    decisionHandler(isAllowed)
                })
        }
        // The delegate that would have allowed it is gone.
        if !isPassed { decisionHandler(false) }
    }

    // MARK: The process

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        if pass(.terminate, { $0.webViewWebContentProcessDidTerminate?(webView) }) { return }
        attached?.processEnded()
    }

    // MARK: Downloads

    func webView(_ webView: WKWebView, navigationAction: WKNavigationAction, didBecome download: WKDownload) {
        let isPassed = pass(.actionDownload) {
            $0.webView?(webView, navigationAction: navigationAction, didBecome: download)
        }
        if !isPassed { attached?.options.events(.download(download)) }
    }

    func webView(_ webView: WKWebView, navigationResponse: WKNavigationResponse, didBecome download: WKDownload) {
        let isPassed = pass(.responseDownload) {
            $0.webView?(webView, navigationResponse: navigationResponse, didBecome: download)
        }
        if !isPassed { attached?.options.events(.download(download)) }
    }
}
#endif
