import AppleFoundation

/// Not in Apple's module, where a delegate's methods are optional and are called as `delegate.webView?(view, didFinish: …)`: the
/// result is `nil` where the delegate has not the method. This has the same calls.
@MainActor
public struct OptionalNavigationMethods {
    fileprivate let delegate: any WKNavigationDelegate

    private func call(_ name: String, _ method: () -> Void) -> Void? {
        if (delegate as? any PartialNavigationDelegate)?.simulatedMethods.contains(name) == false { return nil }
        return method()
    }

    public func callAsFunction(
        _ view: WKWebView, decidePolicyFor action: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) -> Void? {
        call("action") { delegate.webView(view, decidePolicyFor: action, decisionHandler: decisionHandler) }
    }
    public func callAsFunction(
        _ view: WKWebView, decidePolicyFor action: WKNavigationAction, preferences: WKWebpagePreferences,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void
    ) -> Void? {
        call("preferences") {
            delegate.webView(
                view, decidePolicyFor: action, preferences: preferences, decisionHandler: decisionHandler)
        }
    }
    public func callAsFunction(
        _ view: WKWebView, decidePolicyFor response: WKNavigationResponse,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
    ) -> Void? {
        call("response") { delegate.webView(view, decidePolicyFor: response, decisionHandler: decisionHandler) }
    }
    public func callAsFunction(_ view: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!) -> Void? {
        call("start") { delegate.webView(view, didStartProvisionalNavigation: navigation) }
    }
    public func callAsFunction(
        _ view: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation!
    ) -> Void? {
        call("redirect") {
            delegate.webView(view, didReceiveServerRedirectForProvisionalNavigation: navigation)
        }
    }
    public func callAsFunction(
        _ view: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) -> Void? {
        call("failProvisional") {
            delegate.webView(view, didFailProvisionalNavigation: navigation, withError: error)
        }
    }
    public func callAsFunction(_ view: WKWebView, didCommit navigation: WKNavigation!) -> Void? {
        call("commit") { delegate.webView(view, didCommit: navigation) }
    }
    public func callAsFunction(_ view: WKWebView, didFinish navigation: WKNavigation!) -> Void? {
        call("finish") { delegate.webView(view, didFinish: navigation) }
    }
    public func callAsFunction(
        _ view: WKWebView, didFail navigation: WKNavigation!, withError error: any Error
    ) -> Void? {
        call("fail") { delegate.webView(view, didFail: navigation, withError: error) }
    }
    public func callAsFunction(
        _ view: WKWebView, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Void? {
        call("challenge") {
            delegate.webView(view, didReceive: challenge, completionHandler: completionHandler)
        }
    }
    public func callAsFunction(
        _ view: WKWebView, authenticationChallenge challenge: URLAuthenticationChallenge,
        shouldAllowDeprecatedTLS decisionHandler: @escaping @MainActor @Sendable (Bool) -> Void
    ) -> Void? {
        call("deprecatedTLS") {
            delegate.webView(
                view, authenticationChallenge: challenge, shouldAllowDeprecatedTLS: decisionHandler)
        }
    }
    public func callAsFunction(
        _ view: WKWebView, shouldGoTo item: WKBackForwardListItem, willUseInstantBack: Bool,
        completionHandler: @escaping (Bool) -> Void
    ) -> Void? {
        call("goTo") {
            delegate.webView(
                view, shouldGoTo: item, willUseInstantBack: willUseInstantBack, completionHandler: completionHandler)
        }
    }
    public func callAsFunction(
        _ view: WKWebView, navigationAction: WKNavigationAction, didBecome download: WKDownload
    ) -> Void? {
        call("actionDownload") {
            delegate.webView(view, navigationAction: navigationAction, didBecome: download)
        }
    }
    public func callAsFunction(
        _ view: WKWebView, navigationResponse: WKNavigationResponse, didBecome download: WKDownload
    ) -> Void? {
        call("responseDownload") {
            delegate.webView(view, navigationResponse: navigationResponse, didBecome: download)
        }
    }
}

/// Not in Apple's module: the same for the one method with another name.
@MainActor
public struct OptionalTerminationMethod {
    fileprivate let delegate: any WKNavigationDelegate

    public func callAsFunction(_ view: WKWebView) -> Void? {
        if (delegate as? any PartialNavigationDelegate)?.simulatedMethods.contains("terminate") == false { return nil }
        return delegate.webViewWebContentProcessDidTerminate(view)
    }
}

/// Not in Apple's module: a delegate that has not all methods.
@MainActor
public protocol PartialNavigationDelegate: WKNavigationDelegate {
    /// The names in ``OptionalNavigationMethods``.
    var simulatedMethods: Set<String> { get }
}

extension WKNavigationDelegate {
    /// Not in Apple's module.
    public var webView: OptionalNavigationMethods? { OptionalNavigationMethods(delegate: self) }
    /// Not in Apple's module.
    public var webViewWebContentProcessDidTerminate: OptionalTerminationMethod? {
        OptionalTerminationMethod(delegate: self)
    }
}
