import AppleFoundation
import WebKit

/// An app's delegate, with the methods that a test gives it.
@MainActor
final class AppDelegate: NSObject, PartialNavigationDelegate {
    /// All that WebKit may call.
    nonisolated static let allMethods = [
        "action", "preferences", "response", "start", "redirect", "failProvisional", "commit", "finish", "fail",
        "challenge", "deprecatedTLS", "goTo", "terminate", "actionDownload", "responseDownload",
    ]

    var simulatedMethods: Set<String>
    private(set) var calls: [String] = []
    var policy = WKNavigationActionPolicy.allow
    var disposition = URLSession.AuthChallengeDisposition.cancelAuthenticationChallenge
    var credential: URLCredential?
    /// Takes the place of the method for challenges.
    var challenged: ((URLAuthenticationChallenge, @escaping ChallengeHandler) -> Void)?

    typealias ChallengeHandler = @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    /// Whether it decides when ``answer()`` is called, as asynchronous methods do.
    var answersLater = false
    /// The delegate that it stands in front of, to which it passes on whatever it is asked; not kept alive.
    weak var next: (any WKNavigationDelegate)?
    private var waiting: [@MainActor () -> Void] = []

    init(_ methods: Set<String> = []) {
        simulatedMethods = methods
        super.init()
    }

    /// Decides what waits.
    func answer() {
        let now = waiting
        waiting = []
        for decide in now { decide() }
    }

    private func decide(_ call: String, _ decision: @escaping @MainActor () -> Void) {
        calls.append(call)
        if answersLater { waiting.append(decision) } else { decision() }
    }

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
        decide("action") { [policy, next] in
            guard let next else { return decisionHandler(policy) }
            next.webView(webView, decidePolicyFor: navigationAction, decisionHandler: decisionHandler)
        }
    }
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction, preferences: WKWebpagePreferences,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void
    ) {
        decide("preferences") { [policy, next] in
            guard let next else { return decisionHandler(policy, preferences) }
            next.webView(
                webView, decidePolicyFor: navigationAction, preferences: preferences, decisionHandler: decisionHandler)
        }
    }
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
    ) {
        decide("response") { [next] in
            guard let next else { return decisionHandler(.cancel) }
            next.webView(webView, decidePolicyFor: navigationResponse, decisionHandler: decisionHandler)
        }
    }
    func webView(
        _ webView: WKWebView, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        decide("challenge") { [disposition, credential, challenged, next] in
            if let challenged { return challenged(challenge, completionHandler) }
            guard let next else { return completionHandler(disposition, credential) }
            next.webView(webView, didReceive: challenge, completionHandler: completionHandler)
        }
    }
    func webView(
        _ webView: WKWebView, authenticationChallenge challenge: URLAuthenticationChallenge,
        shouldAllowDeprecatedTLS decisionHandler: @escaping @MainActor @Sendable (Bool) -> Void
    ) {
        decide("deprecatedTLS") { [next] in
            guard let next else { return decisionHandler(true) }
            next.webView(webView, authenticationChallenge: challenge, shouldAllowDeprecatedTLS: decisionHandler)
        }
    }
    func webView(
        _ webView: WKWebView, shouldGoTo backForwardListItem: WKBackForwardListItem, willUseInstantBack: Bool,
        completionHandler: @escaping (Bool) -> Void
    ) {
        decide("goTo") { [next] in
            guard let next else { return completionHandler(false) }
            next.webView(
                webView, shouldGoTo: backForwardListItem, willUseInstantBack: willUseInstantBack,
                completionHandler: completionHandler)
        }
    }

    func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!) {
        calls.append("start")
        next?.webView(webView, didStartProvisionalNavigation: navigation)
    }
    func webView(_ webView: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation!) {
        calls.append("redirect")
        next?.webView(webView, didReceiveServerRedirectForProvisionalNavigation: navigation)
    }
    func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) {
        calls.append("failProvisional")
        next?.webView(webView, didFailProvisionalNavigation: navigation, withError: error)
    }
    func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) {
        calls.append("commit")
        next?.webView(webView, didCommit: navigation)
    }
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {
        calls.append("finish")
        next?.webView(webView, didFinish: navigation)
    }
    func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {
        calls.append("fail")
        next?.webView(webView, didFail: navigation, withError: error)
    }
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        calls.append("terminate")
        next?.webViewWebContentProcessDidTerminate(webView)
    }
    func webView(_ webView: WKWebView, navigationAction: WKNavigationAction, didBecome download: WKDownload) {
        calls.append("actionDownload")
        next?.webView(webView, navigationAction: navigationAction, didBecome: download)
    }
    func webView(_ webView: WKWebView, navigationResponse: WKNavigationResponse, didBecome download: WKDownload) {
        calls.append("responseDownload")
        next?.webView(webView, navigationResponse: navigationResponse, didBecome: download)
    }
}
