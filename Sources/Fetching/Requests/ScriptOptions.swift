import HTTPCacheSemantics

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
