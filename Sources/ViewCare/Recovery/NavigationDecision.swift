import CacheRules
import Fetching
import HTTPTypes

/// The result of a navigation: a page in the view, another app, a download, or nothing.
package enum NavigationDecision: Hashable, Sendable {
    /// The web view goes on.
    case load
    /// The same view loads the URL: a new window was asked for, and the app opens none.
    case loadInSameView(url: String)
    /// The app asks the system to open the URL, after whatever question it finds right.
    case handToApp(url: String)
    /// The response is stored as a file.
    case download(Reason)
    case refuse(Reason)
    /// The page stays as it is.
    case stay

    package enum Reason: String, CaseIterable, Sendable {
        /// `javascript:` and `data:` documents in the main frame: they would stand under no origin that the user can
        /// see.
        case scriptURL = "script-url"
        /// `file:`, `blob:`, `about:` (but `about:blank` and `about:srcdoc`), and the app-cache scheme from foreign
        /// pages.
        case localScheme = "local-scheme"
        /// A frame, or a page without a click, asked for another app.
        case noUserAction = "no-user-action"
        /// The text is no absolute URL.
        case malformed = "malformed-url"
        /// `Content-Disposition: attachment`, RFC 6266 §4.2.
        case attachment
        /// The view can't show the type.
        case typeNotShown = "type-not-shown"
    }

    /// Decides before the request.
    ///
    /// - Parameters:
    ///   - url: Absolute, as the navigation delegate shows it.
    ///   - source: The origin of the page that asks; `nil` if the app itself does.
    ///   - isMainFrame: Whether the main frame navigates.
    ///   - opensWindow: Whether the page asks for a new window, as `target=_blank` does.
    ///   - isUserAction: Whether the user clicked, tapped or typed.
    package static func decide(
        url: String, from source: WebOrigin?, isMainFrame: Bool, opensWindow: Bool = false, isUserAction: Bool
    ) -> NavigationDecision {
        let fills = isMainFrame || opensWindow
        switch URLReference.resolve(url, against: nil) {
        // In a frame the web view's own rules hold, however long the document is that its address holds.
        case .unusable(.tooLong) where !fills: return .load
        case .unusable: return .refuse(.malformed)
        // Without an opener: the page gets no handle on what it opened, and keeps none in a view that is replaced.
        case .web(let web): return opensWindow ? .loadInSameView(url: web.urlWithFragment) : .load
        case .other(let scheme, let text):
            switch scheme {
            case "javascript", "data":
                // In a frame the web view's own rules hold: such a document has the frame's or an opaque origin.
                return fills ? .refuse(.scriptURL) : .load
            case "about":
                return ["about:blank", "about:srcdoc"].contains(FetchText.lowercased(text.prefix { $0 != "#" }))
                    ? .load : .refuse(.localScheme)
            case "blob": return fills ? .refuse(.localScheme) : .load
            case AppCacheScheme.name:
                guard AppCacheScheme.networkURL(of: url) != nil else { return .refuse(.malformed) }
                // Only pages at this scheme, and the app, may lead to one.
                guard source == nil || source?.scheme == AppCacheScheme.name else { return .refuse(.localScheme) }
                return opensWindow ? .loadInSameView(url: url) : .load
            default:
                guard URLReference.isForApp(scheme: scheme) else { return .refuse(.localScheme) }
                return source == nil || isUserAction ? .handToApp(url: text) : .refuse(.noUserAction)
            }
        }
    }

    /// Decides about a response to a navigation.
    ///
    /// - Parameter canShow: Whether the view can show the media type.
    package static func decide(response: HTTPResponse, canShow: Bool) -> NavigationDecision {
        // HTML §7.4.2.2: the web view keeps to it at http and https only.
        if response.status.code == 204 || response.status.code == 205 { return .stay }
        if DocumentType.isAttachment(response.headerFields) { return .download(.attachment) }
        return canShow ? .load : .download(.typeNotShown)
    }
}
