#if canImport(WebKit)
import Foundation
import WebKit

/// Stands in front of an app's navigation delegate, which decides whatever it has a method for; what it has none for is done
/// as `NavigationDecision` says, or as WebKit would.
@MainActor
final class NavigationForwarder: ForwardingObject, WKNavigationDelegate {
    weak var attached: AttachedWebView?

    /// The app's delegate; not kept alive.
    var app: (any WKNavigationDelegate)? {
        get { receiver as? any WKNavigationDelegate }
        set { receiver = newValue }
    }

    // MARK: Policy

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction, preferences: WKWebpagePreferences,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void
    ) {
        if attached?.movesToAppScheme(navigationAction) == true { return decisionHandler(.cancel, preferences) }
        let decided: @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void = {
            [weak attached] policy, preferences in
            guard policy == .allow, let wait = attached?.wait(for: navigationAction) else {
                attached?.decided(navigationAction, policy)
                return decisionHandler(policy, preferences)
            }
            Task { @MainActor in
                await wait()
                attached?.decided(navigationAction, policy)
                decisionHandler(policy, preferences)
            }
        }
        if app?.webView?(
            webView, decidePolicyFor: navigationAction, preferences: preferences, decisionHandler: decided) != nil
        {
            return
        }
        if app?.webView?(
            webView, decidePolicyFor: navigationAction, decisionHandler: { decided($0, preferences) }) != nil
        {
            return
        }
        decided(attached?.policy(for: navigationAction) ?? .allow, preferences)
    }

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
    ) {
        if app?.webView?(webView, decidePolicyFor: navigationResponse, decisionHandler: decisionHandler) != nil {
            return
        }
        decisionHandler(attached?.policy(for: navigationResponse) ?? .allow)
    }

    // MARK: Loads

    func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!) {
        switch attached?.started() ?? .new {
        case .new: app?.webView?(webView, didStartProvisionalNavigation: navigation)
        case .redirect: app?.webView?(webView, didReceiveServerRedirectForProvisionalNavigation: navigation)
        case .retry: break
        }
    }

    func webView(_ webView: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation!) {
        app?.webView?(webView, didReceiveServerRedirectForProvisionalNavigation: navigation)
    }

    func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) {
        if attached?.failed(error) == true { return }
        app?.webView?(webView, didFailProvisionalNavigation: navigation, withError: error)
    }

    func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) {
        attached?.committed(webView.url)
        app?.webView?(webView, didCommit: navigation)
    }

    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {
        attached?.finished()
        app?.webView?(webView, didFinish: navigation)
    }

    func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {
        app?.webView?(webView, didFail: navigation, withError: error)
    }

    // MARK: Certificates and passwords

    func webView(
        _ webView: WKWebView, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let (disposition, credential) = attached?.disposition(for: challenge) {
            return completionHandler(disposition, credential)
        }
        if app?.webView?(webView, didReceive: challenge, completionHandler: completionHandler) != nil { return }
        // As without a delegate: the system judges certificates, and no stored password is tried.
        let isServer = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        completionHandler(isServer ? .performDefaultHandling : .rejectProtectionSpace, nil)
    }

    // MARK: The process

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        if app?.webViewWebContentProcessDidTerminate?(webView) != nil { return }
        attached?.processEnded()
    }

    // MARK: Downloads

    func webView(_ webView: WKWebView, navigationAction: WKNavigationAction, didBecome download: WKDownload) {
        if app?.webView?(webView, navigationAction: navigationAction, didBecome: download) != nil { return }
        attached?.options.events(.download(download))
    }

    func webView(_ webView: WKWebView, navigationResponse: WKNavigationResponse, didBecome download: WKDownload) {
        if app?.webView?(webView, navigationResponse: navigationResponse, didBecome: download) != nil { return }
        attached?.options.events(.download(download))
    }
}
#endif
