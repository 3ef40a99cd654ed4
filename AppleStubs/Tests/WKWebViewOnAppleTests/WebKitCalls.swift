import AppleFoundation
import Locking
import WebKit

/// Calls a delegate's methods as WebKit does, by the names of `AppDelegate.allMethods`.
@MainActor
enum WebKitCalls {
    /// The number of times that the method's handler was called; at once 1 for methods without one.
    typealias Answers = LockedBox<Int>

    /// - Parameters:
    ///   - url: What the main frame navigates to, if the method is about that.
    ///   - host: Whose certificate or password it is about.
    /// - Returns: `nil` where WebKit does not call the method by itself: the older one of two.
    static func make(
        _ method: String, in view: WKWebView, to delegate: any WKNavigationDelegate, url: String = "https://a.test/",
        type: WKNavigationType = .linkActivated, isMainFrame: Bool = true, host: String = "a.test",
        error: URLError.Code = .timedOut
    ) -> Answers? {
        let answers = Answers(0)
        let url = URL(string: url) ?? URL(fileURLWithPath: "/")
        let frame = WKFrameInfo(simulating: URLRequest(url: url), isMainFrame: isMainFrame, in: view)
        let action = WKNavigationAction(simulating: URLRequest(url: url), type, from: frame, to: frame)
        let response = WKNavigationResponse(
            simulating: URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil))
        let challenge = URLAuthenticationChallenge(
            simulating: URLProtectionSpace(simulating: host, method: "", trust: nil))
        let answer: @MainActor @Sendable () -> Void = { answers.withLock { $0 += 1 } }
        switch method {
        case "action": return nil
        case "preferences":
            delegate.webView(view, decidePolicyFor: action, preferences: WKWebpagePreferences()) { _, _ in answer() }
        case "response": delegate.webView(view, decidePolicyFor: response) { _ in answer() }
        case "challenge": delegate.webView(view, didReceive: challenge) { _, _ in answer() }
        case "deprecatedTLS":
            delegate.webView(view, authenticationChallenge: challenge, shouldAllowDeprecatedTLS: { _ in answer() })
        case "goTo":
            delegate.webView(view, shouldGoTo: WKBackForwardListItem(simulating: url), willUseInstantBack: false) {
                _ in answers.withLock { $0 += 1 }
            }
        default:
            tell(method, in: view, to: delegate, url, error)
            answer()
        }
        return answers
    }

    private static func tell(
        _ method: String, in view: WKWebView, to delegate: any WKNavigationDelegate, _ url: URL, _ error: URLError.Code
    ) {
        let download = WKDownload(simulating: URLRequest(url: url), in: view)
        switch method {
        case "start": delegate.webView(view, didStartProvisionalNavigation: nil)
        case "redirect": delegate.webView(view, didReceiveServerRedirectForProvisionalNavigation: nil)
        case "failProvisional":
            delegate.webView(view, didFailProvisionalNavigation: nil, withError: URLError(error))
        case "commit": delegate.webView(view, didCommit: nil)
        case "finish": delegate.webView(view, didFinish: nil)
        case "fail": delegate.webView(view, didFail: nil, withError: URLError(error))
        case "terminate": delegate.webViewWebContentProcessDidTerminate(view)
        case "actionDownload":
            let frame = WKFrameInfo(simulating: URLRequest(url: url), isMainFrame: true, in: view)
            let action = WKNavigationAction(simulating: URLRequest(url: url), from: frame, to: frame)
            delegate.webView(view, navigationAction: action, didBecome: download)
        default:
            let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
            delegate.webView(
                view, navigationResponse: WKNavigationResponse(simulating: response), didBecome: download)
        }
    }
}
