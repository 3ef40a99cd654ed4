import PageScripts

/// A web view that is kept for many navigations.
package struct SessionRequest: Hashable, Sendable, Codable {
    /// The `Accept-Language` of requests to scheme handlers: WebKitGTK leaves that to its network.
    package static let acceptLanguage = "en-US"

    /// The view, its proxy, and the limits of each step. Its URL, script, clearing and picture are not used.
    package var view: VisitRequest

    /// How requests reach the cache. With a scheme handler they are answered inside the web-view process.
    package var mode: InterceptionMode

    /// The cache behind a scheme handler; `nil` where ``mode`` needs none.
    package var cache: SessionCacheRequest?

    /// Whether the web view may show a page again as it was left. Default no: every document is then asked for.
    package var usesPageCache: Bool

    /// Whether each page that has loaded is looked at, and ``SessionNotice/blankPage(url:hasElements:)`` tells of those
    /// that show nothing. Default no: a picture of each page costs a few milliseconds.
    package var looksForBlankPages: Bool

    /// Whether a page whose web process has ended is loaded again, once; default yes. Else the step ends at once and
    /// says so (``VisitResult/webProcessTerminated``).
    package var recovers: Bool

    /// Parts of the injected scripts that are left out, by host.
    package var unpatched: [String: Set<PagePatch>]

    package init(
        view: VisitRequest, mode: InterceptionMode, cache: SessionCacheRequest? = nil, usesPageCache: Bool = false,
        looksForBlankPages: Bool = false, recovers: Bool = true, unpatched: [String: Set<PagePatch>] = [:]
    ) {
        self.view = view
        self.mode = mode
        self.cache = cache
        self.usesPageCache = usesPageCache
        self.looksForBlankPages = looksForBlankPages
        self.recovers = recovers
        self.unpatched = unpatched
    }

    /// Decodes a session; whatever is absent but the view and the mode gets its default.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            view: try values.decode(VisitRequest.self, forKey: .view),
            mode: try values.decode(InterceptionMode.self, forKey: .mode))
        cache = try values.decodeIfPresent(SessionCacheRequest.self, forKey: .cache)
        usesPageCache = try values.decodeIfPresent(Bool.self, forKey: .usesPageCache) ?? usesPageCache
        looksForBlankPages = try values.decodeIfPresent(Bool.self, forKey: .looksForBlankPages) ?? looksForBlankPages
        recovers = try values.decodeIfPresent(Bool.self, forKey: .recovers) ?? recovers
        unpatched = try values.decodeIfPresent([String: Set<PagePatch>].self, forKey: .unpatched) ?? unpatched
    }
}
