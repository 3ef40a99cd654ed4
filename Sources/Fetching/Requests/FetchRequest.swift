import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// A web view's request as the Fetch standard §2.2.5 describes requests, as far as a scheme task shows it.
public struct FetchRequest: Hashable, Sendable {
    /// Fetch §2.2.5, "mode".
    public enum Mode: String, Sendable, CaseIterable {
        case navigate, cors, sameOrigin = "same-origin", noCORS = "no-cors", webSocket = "websocket"
    }

    /// Fetch §2.2.5, "credentials mode".
    public enum Credentials: String, Sendable, CaseIterable {
        case omit, sameOrigin = "same-origin", include
    }

    /// Fetch §2.2.5, "redirect mode".
    public enum Redirect: String, Sendable, CaseIterable {
        case follow, error, manual
    }

    /// Method, URL and fields. An app-cache URL has become the https URL that it stands for.
    public var head: HTTPRequest
    /// Of the URL, without `#`; `nil` without one. Never sent.
    public var fragment: String?
    /// The origin that asks, as servers see it; `nil` if nothing told it. An unknown origin is the same as no other.
    public var origin: WebOrigin?
    public var mode: Mode
    public var credentials: Credentials
    public var redirect: Redirect
    public var destination: Destination
    /// Whether this is, or may be, a synchronous `XMLHttpRequest`, whose response no web view checks.
    public var isSynchronous: Bool
    /// Whether the response replaces the view's main document.
    public var isTopLevelNavigation: Bool
    /// Whether the web view itself surely holds the asking origin and the URL's for different ones, so that it keeps an
    /// opaque response opaque. `false` if that is only likely.
    public var isSurelyCrossOrigin: Bool
    /// The URL that `Referer` is made from, without fragment; `nil` if none is to be sent.
    public var referrer: String?
    public var referrerPolicy: ReferrerPolicy
    /// The origin as the web view has it, in which alone its own CORS check would believe: at the app-cache scheme that
    /// is not ``origin``. `nil` if nothing showed it.
    public var shownOrigin: WebOrigin?
    /// Of the view's main document, which need not be an http or https URL; `nil` if unknown.
    public var topLevelURL: String?
    /// Fetch §2.2.5, "cache mode"; `nil` if unknown.
    public var cacheMode: CacheMode?
    /// Whether an `EventSource` asks (HTML §9.2), as far as that can be told. A worker's `fetch` can look like one.
    public var isEventSource = false
    /// The user name and password of the URL, which is without them everywhere else; `nil` without any.
    public var urlCredentials: BasicCredentials?

    /// A request of which everything is known. ``init(_:)`` makes one from what a scheme task shows.
    public init(
        head: HTTPRequest, fragment: String? = nil, origin: WebOrigin?, mode: Mode,
        credentials: Credentials = .sameOrigin, redirect: Redirect = .follow, destination: Destination = .unknown,
        isSynchronous: Bool = false, isTopLevelNavigation: Bool = false, isSurelyCrossOrigin: Bool = false,
        referrer: String? = nil, referrerPolicy: ReferrerPolicy = .strictOriginWhenCrossOrigin,
        shownOrigin: WebOrigin? = nil, topLevelURL: String? = nil
    ) {
        self.head = head
        self.fragment = fragment
        self.origin = origin
        self.mode = mode
        self.credentials = credentials
        self.redirect = redirect
        self.destination = destination
        self.isSynchronous = isSynchronous
        self.isTopLevelNavigation = isTopLevelNavigation
        self.isSurelyCrossOrigin = isSurelyCrossOrigin
        self.referrer = referrer
        self.referrerPolicy = referrerPolicy
        self.shownOrigin = shownOrigin
        self.topLevelURL = topLevelURL
    }

    /// Absolute and normalised, without fragment.
    public var url: String { head.targetURL }

    /// The origin of ``url``.
    public var targetOrigin: WebOrigin { WebOrigin(url: url) }

    /// Whether the asking origin is the URL's own. An unknown origin is not.
    public var isSameOrigin: Bool { origin?.isSameOrigin(as: targetOrigin) ?? false }
}

extension FetchRequest {
    /// The URL of the top-level document that the request is for: its own if it is that document. `nil` if unknown.
    public var topLevelDocument: String? { isTopLevelNavigation ? url : topLevelURL }

    /// The site of ``topLevelDocument``.
    package func topLevelSite(_ registrableDomain: Site.RegistrableDomain?) -> Site? {
        topLevelDocument.map { Site(WebOrigin(url: $0), registrableDomain: registrableDomain) }
    }

    /// The site under which a cache keeps the response apart (Fetch, "determine the HTTP cache partition").
    ///
    /// What counts is the top-level document, not the frame that asks: a frame of `ads.test` in a page of `shop.test`
    /// finds what other resources of `shop.test` pages stored, and nothing of any other site. Documents without an
    /// origin, such as `data:` and `about:blank`, have one site for all of them, `null`.
    ///
    /// - Returns: The site of the top-level document for a URL of another site; empty for its own site, for the
    ///   document itself, and where it is unknown.
    public func cacheSite(registrableDomain: Site.RegistrableDomain? = nil) -> String {
        guard !isTopLevelNavigation, let site = topLevelSite(registrableDomain),
            !site.isSameSite(as: Site(targetOrigin, registrableDomain: registrableDomain))
        else { return "" }
        return site.description
    }
}
