#if canImport(WebKit)
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ViewCare
import WebKit

/// Decisions about navigations where the app leaves them to us.
extension AttachedWebView {
    /// The decision where the app leaves it to us.
    func policy(for action: WKNavigationAction) -> WKNavigationActionPolicy {
        guard !action.shouldPerformDownload else { return .download }
        guard let url = action.request.url, !isOfOtherHandler(url) else { return .allow }
        let frame = action.targetFrame
        let decision = NavigationDecision.decide(
            url: url.absoluteString,
            from: asked(url) ? nil : source(of: action),
            isMainFrame: frame?.isMainFrame ?? true, opensWindow: frame == nil,
            isUserAction: [.linkActivated, .formSubmitted].contains(action.navigationType))
        switch decision {
        case .load, .download: return .allow
        case .loadInSameView(let same):
            // The app has windows of its own for what asks for one.
            guard webView?.uiDelegate == nil, !action.request.sendsForm else { return .allow }
            if let same = URL(string: TargetURI.strict(same)) {
                begin(URLRequest(url: same), by: initiator(of: action))
            }
            return .cancel
        case .handToApp: openExternal(url)
        case .refuse(let reason): options.events(.refused(url, reason: reason.rawValue))
        // Decided of responses only.
        case .stay: break
        }
        return .cancel
    }

    /// Whether the app, or we for it, began this navigation.
    private func asked(_ url: URL) -> Bool { committedURL == nil || begun?.request.url == url }

    /// Whether a handler of the app's own has the scheme.
    private func isOfOtherHandler(_ url: URL) -> Bool {
        guard let scheme = url.scheme, let handler = webView?.configuration.urlSchemeHandler(forURLScheme: scheme)
        else { return false }
        return handler !== installation
    }

    /// The origin that a navigation comes from; `nil` for the app and its user, who go back, forward and load again.
    /// WebKit names no frame for what the app begins, or the one that is shown.
    private func source(of action: WKNavigationAction) -> WebOrigin? {
        if action.navigationType == .backForward || action.navigationType == .reload { return nil }
        guard let source = action.source else { return action.targetFrame?.isMainFrame == true ? nil : .opaque }
        return WebOrigin(source.securityOrigin)
    }

    /// The initiator of a navigation, which WebKit knows. A document can have only documents of its own origin loaded
    /// again.
    private func initiator(of action: WKNavigationAction) -> RequestEvidence.Initiator? {
        if let begun, begun.request.url == action.request.url { return begun.by }
        if action.navigationType == .reload, let url = action.request.url {
            return .document([WebOrigin(url: url.absoluteString)])
        }
        if action.navigationType == .backForward { return .app }
        guard let source = action.source.map({ WebOrigin($0.securityOrigin) }) else { return .app }
        // A view's first load, from its empty document.
        return committedURL == nil && source.isOpaque ? .app : .document([source])
    }

    /// An https page of the hosts that are loaded at the app-cache scheme goes there, wherever the link to it stands.
    func movesToAppScheme(_ action: WKNavigationAction) -> Bool {
        guard action.targetFrame?.isMainFrame == true, action.request.httpMethod ?? "GET" == "GET",
            let pageURL = action.request.url.flatMap({ installation.pageURL(of: $0) })
        else { return false }
        begin(URLRequest(url: pageURL), by: initiator(of: action))
        return true
    }

    /// Waits for the content of a form before its navigation: WebKit stops what a page has under
    /// way when it navigates. `nil` where there is nothing to wait for.
    func wait(for action: WKNavigationAction) -> (@MainActor @Sendable () async -> Void)? {
        guard action.navigationType == .formSubmitted, let requests, let url = action.request.url?.absoluteString,
            requests.holdsForm(at: url)
        else { return nil }
        return { await requests.waitForForms(at: url) }
    }

    /// The app, or we for it, have decided about a navigation.
    func decided(_ action: WKNavigationAction, _ policy: WKNavigationActionPolicy) {
        // A later request for the same address is another one's.
        defer { if begun?.request.url == action.request.url { begun = nil } }
        if policy != .allow, begun?.request.url == action.request.url { refusedRedirect() }
        if policy == .allow, action.targetFrame?.isMainFrame == true, !staysInDocument(action.request.url) {
            useProxyAgain()
            installation.forgetViews()
        }
        guard policy == .allow, let frame = action.targetFrame, let url = action.request.url else { return }
        if frame.isMainFrame {
            wanted = action.request
            visits.announce(url.absoluteString, in: name, at: clock.uptime())
        }
        madeRequests?.navigations.add(url.absoluteString, isTopLevel: frame.isMainFrame, by: initiator(of: action))
    }

    /// Whether a navigation leads to another place of the document that is shown, if anywhere.
    private func staysInDocument(_ url: URL?) -> Bool {
        url?.absoluteString.withoutFragment == committedURL?.withoutFragment
    }

    func policy(for response: WKNavigationResponse) -> WKNavigationResponsePolicy {
        guard let shown = response.response as? HTTPURLResponse else {
            return response.canShowMIMEType ? .allow : .cancel
        }
        switch NavigationDecision.decide(response: HTTPResponse(shown), canShow: response.canShowMIMEType) {
        case .download: return .download
        case .stay: return .cancel
        default: return .allow
        }
    }
}

extension WebOrigin {
    /// The origin of a frame's document; opaque where it has none.
    @MainActor
    init(_ origin: WKSecurityOrigin) {
        let port = origin.port > 0 ? ":\(origin.port)" : ""
        self.init(url: "\(origin.protocol)://\(origin.host)\(port)/")
    }
}

extension HTTPResponse {
    /// The part of a response that decides about a download.
    fileprivate init(_ response: HTTPURLResponse) {
        self.init(status: .init(code: min(max(response.statusCode, 100), 999)))
        headerFields[.contentDisposition] = response.value(forHTTPHeaderField: "Content-Disposition")
    }
}
#endif
