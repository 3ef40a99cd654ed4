#if canImport(WebKit)
import Fetching
import Foundation
import HTTPCacheSemantics
import PageScripts
import ViewCare
import WebKit

/// An app's choices about its web views. Everything has a default.
@MainActor
public struct WebViewOptions {
    /// Which hosts the proxy answers for, and where it listens.
    public var proxy = WebViewProxyOptions()
    /// Opens a link to another app, such as `tel:`, that the user has followed; the system does unless set. Not called
    /// where the app's own navigation delegate decides about navigations.
    public var openExternal: @MainActor (URL) -> Void = ExternalLinks.open
    /// Told what happens; see ``WebViewEvent``.
    public var events: @MainActor (WebViewEvent) -> Void = { _ in }
    /// Whether a page whose process has ended is loaded once more; `true` unless set. With `false` ``errorPage`` is
    /// shown at the first end. Neither is done where the app's own navigation delegate has a method for it.
    public var recovers = true
    /// Shown in place of a page whose process has ended and that is not loaded again; HTML.
    public var errorPage = ErrorPage.html
    /// Whether the web view can be inspected with Safari; in debug builds unless set.
    public var allowsInspection = BuildKind.isDebug
    /// Which addresses of app-scheme pages are turned; `nil` for none. Those of the page's own host unless set.
    public var rewriting: AddressRewriting? = AddressRewriting()
    /// Parts of the injected scripts that are left out in the scheme modes, by host: in lower case, with a port
    /// where it is not the scheme's own. Nothing unless set. ``PagePatch`` says what a page does without then.
    public var unpatched: [String: Set<PagePatch>] = [:]
    /// Whether a domain is a public suffix, and the registrable domain of a host. Apple's platforms tell nobody their
    /// list; unless set, the public suffix list as it was when this version of Larder was made.
    public var isPublicSuffix: @Sendable (_ domain: String) -> Bool = { PublicSuffixes.isPublicSuffix($0) }
    /// The registrable domain of a host, such as `example.co.uk`; `nil` for a public suffix.
    public var registrableDomain: @Sendable (_ host: String) -> String? = { PublicSuffixes.registrableDomain($0) }
    /// Whether third parties get cookies in the scheme modes; blocked unless set, as WebKit does by itself.
    public var thirdPartyCookies = CookiePolicy.ThirdParty.blocked

    /// The defaults.
    public init() {}
}

/// Events of a web view that an app may want to know of.
public enum WebViewEvent {
    /// Another mode is in use from now on.
    case modeChanged(InstalledMode)
    /// The web view's process has ended. The page was loaded once more, or ``WebViewOptions/errorPage`` is shown.
    case processEnded(reloaded: Bool)
    /// The page shows nothing, 3 seconds after its load, or 10 after it began to come: a white screen. Nothing is done.
    ///
    /// - `hasElements`: Whether its body has any: a page without has not begun to draw itself.
    /// - `again`: Whether this page was reported the last time, too, so that loading it again did not help.
    case showsNothing(WKWebView, hasElements: Bool, again: Bool)
    /// A page at the app-cache scheme has asked for addresses of its own host, or of ``AddressRewriting/hosts``, past
    /// Larder: they were not stored, and do not come offline. Told at most four times a second; `view` is its name in
    /// reports. docs/rewriting.md says what is counted.
    case wentPast(view: String, requests: Int)
    /// A link to another app was opened with ``WebViewOptions/openExternal``.
    case openedExternal(URL)
    /// A navigation was refused; in words.
    case refused(URL?, reason: String)
    /// A download has begun, and the app's navigation delegate has no method for it: set its delegate, or it is
    /// cancelled.
    case download(WKDownload)
}
#endif
