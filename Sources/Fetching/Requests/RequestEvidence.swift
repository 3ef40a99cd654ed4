import HTTPCacheSemantics
import HTTPTypes

/// A request as a scheme task shows it, and what its adapter knows besides.
///
/// WebKit sets `Origin`, `Referer` and `Sec-Fetch-*` itself; a page can't (Fetch §2.2.2, "forbidden request-header").
/// Their values are evidence here.
package struct RequestEvidence: Hashable, Sendable {
    package enum Navigation: Hashable, Sendable {
        /// The navigation delegate announced this URL for the main frame, or for another frame.
        case topLevel, frame
        /// It asks for a document as a frame does, and nobody announced it: a script can make such a request too.
        case unannouncedFrame
        /// The navigation delegate announced no such navigation.
        case none
    }

    /// The initiator of a navigation, as far as the engine proves it.
    package enum Initiator: Hashable, Sendable {
        /// The app, or its user.
        case app
        /// A document of one of these origins.
        case document(Set<WebOrigin>)
    }

    package var method: HTTPRequest.Method
    /// Absolute, with its fragment, as the task shows it: of the schemes https, http or app-cache-https.
    package var url: String
    package var fields: HTTPFields
    /// The URL of the view's main document (`mainDocumentURL` on Apple platforms).
    package var topLevelURL: String?
    /// `nil` if the adapter does not ask the navigation delegate.
    package var navigation: Navigation?
    /// `nil` if nothing proves it.
    package var initiator: Initiator?
    /// Whether the request came with ``UploadScript/ownRequestField``, which the engine sends to another origin with
    /// CORS only.
    package var needsCORSElsewhere = false
    package var options: ScriptOptions
    /// Begins the status text where redirects were followed, so that the injected script can tell
    /// the page where they led (``UploadScript/redirectMark``); `nil` for requests that the script
    /// has not seen. Apple's platforms show no status text of a handler: there the address stays
    /// that of the request.
    package var redirectMark: String?
    /// Whether the injected script has seen that this is a `fetch`, an `XMLHttpRequest` or a beacon.
    package var isFetch = false

    package init(
        method: HTTPRequest.Method, url: String, fields: HTTPFields, topLevelURL: String? = nil,
        navigation: Navigation? = nil, options: ScriptOptions = ScriptOptions()
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.topLevelURL = topLevelURL
        self.navigation = navigation
        self.options = options
    }
}

/// Options that a script gave its request, and that the request does not show, as the injected script saw them; `nil`
/// where nothing tells.
package struct ScriptOptions: Hashable, Sendable {
    /// `credentials` of `fetch`, or `withCredentials`.
    package var credentials: FetchRequest.Credentials?
    /// `redirect` of `fetch`.
    package var redirect: FetchRequest.Redirect?
    /// Whether `mode` of `fetch` is `same-origin`. A page can say so of a request to another origin.
    package var isForOwnOrigin: Bool
    /// `cache` of `fetch` for a request that fetches; `no-store` where the page has set a condition itself (Fetch
    /// §4.6). With `nil` fields alone decide.
    package var cacheMode: CacheMode?
    /// `referrerPolicy` of `fetch`.
    package var referrerPolicy: ReferrerPolicy?
    /// Whether the request goes on when its page is left, as beacons do.
    package var isKeepalive: Bool
    /// `timeout` of `XMLHttpRequest`.
    package var timeout: Duration?

    package init(
        credentials: FetchRequest.Credentials? = nil, redirect: FetchRequest.Redirect? = nil,
        isForOwnOrigin: Bool = false, cacheMode: CacheMode? = nil, referrerPolicy: ReferrerPolicy? = nil,
        isKeepalive: Bool = false, timeout: Duration? = nil
    ) {
        (self.credentials, self.redirect, self.isForOwnOrigin) = (credentials, redirect, isForOwnOrigin)
        (self.cacheMode, self.referrerPolicy) = (cacheMode, referrerPolicy)
        (self.isKeepalive, self.timeout) = (isKeepalive, timeout)
    }
}
