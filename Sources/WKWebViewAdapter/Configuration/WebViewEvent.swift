#if canImport(WebKit)
import Foundation
import WebKit

/// What a web view has met that an app may want to know of.
public enum WebViewEvent {
    /// Another mode is in use from now on.
    case modeChanged(InstalledMode)
    /// The web view's process has ended. The page was loaded once more, or ``WebViewOptions/errorPage`` is shown.
    case processEnded(reloaded: Bool)
    /// A link to another app was opened with ``WebViewOptions/openExternal``.
    case openedExternal(URL)
    /// A navigation was refused; in words.
    case refused(URL?, reason: String)
    /// A download has begun, and the app's navigation delegate has no method for it: set its delegate, or it is cancelled.
    case download(WKDownload)
}
#endif
