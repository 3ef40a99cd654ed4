/// The proxy behind web views: for which hosts it answers, and where it listens.
///
/// All configurations of a `Larder` that ask for the same share one proxy; others have one of their own, over the same
/// store. Without effect in other modes.
public struct WebViewProxyOptions: Hashable, Sendable {
    /// The hosts whose requests the store can answer; all but well-known sign-in and payment hosts unless set.
    public var intercepted = InterceptedHosts.allExcept([])
    /// The port at 127.0.0.1, 0 to 65535; 0, which takes a free one, unless set. Another one is for an app that has to
    /// know the port beforehand. Where it is taken, or is no port, web views connect by themselves, and the reason says
    /// so. It may change when the app comes back from the background and another program has it; web views follow.
    public var port = 0
    /// Whether responses carry `Cache-Status` (RFC 9211), which scripts of pages can read; not unless set.
    public var sendsCacheStatus = false
    /// Whether web views keep responses in their own cache as well; yes unless set. It then asks here before each use,
    /// so that it hides no rule, removal, account or deploy; files whose names contain a hash of their content are
    /// asked about after a day or two. With `false` all responses reach web views with `Cache-Control: no-store`, which
    /// also keeps pages out of the cache for going back.
    public var usesWebViewCache = true
    /// Whether the key of the proxy's certificate authority is a file of mode 0600 in the store's folder, and not in
    /// the keychain; not unless set. For programs on a Mac that are not signed, to which the keychain is closed.
    public var keepsKeyInStoreFolder = false

    /// The defaults.
    public init() {}
}

/// The hosts for which the proxy behind web views opens TLS, so that the store can answer. All
/// other traffic passes unread: those pages load as without Larder, and their passwords and cookies
/// stay between the web view and the host.
///
/// A host is a name without scheme, port or path: `shop.example` is that name alone,
/// `*.shop.example` every name below it and not itself. Case does not count. A name in any other
/// form names no host.
public enum InterceptedHosts: Hashable, Sendable {
    /// None: of pages in plain http alone the store answers anything.
    case none
    /// These alone, whatever they are. What an app should say that knows its sites: a host that is never named stays
    /// unread.
    case only([String])
    /// All but these, and but well-known hosts where people type a password or a card number
    /// (`InterceptPolicy.signInHosts`).
    case allExcept([String])
}
