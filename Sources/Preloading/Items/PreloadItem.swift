import HTTPCacheSemantics

/// One thing to fetch ahead of need.
public struct PreloadItem: Hashable, Sendable {
    /// An absolute http or https URL.
    public var url: String
    /// `nil` takes what comes, as a page would, up to ``PreloadConfiguration/largestContent``.
    package var content: ExpectedContent?
    /// Type and subtype that the response has to have, such as `text/javascript`; `nil` for any that fits ``destination``.
    package var type: String?
    package var destination: PreloadDestination
    /// When the item is fetched.
    public var group: PreloadGroup
    /// The origin of the pages that will ask for it, such as `https://shop.test`; `nil` for the URL's own. It is what
    /// `Origin` and `Sec-Fetch-Site` say.
    package var origin: String?
    /// As in `ExchangeContext.site`: the site of those pages if the URL is of another site, else empty.
    package var site: String
    /// Whether the pages ask for it with `crossorigin`, where they need not. Not heeded for fonts, which WebKit loads
    /// without.
    package var usesCORS = false
    /// The name of its group in a manifest.
    package var label = ""
    /// Parameters of a query that do not change the content: pages may add any of them.
    package var ignoredParameters: [String] = []
    /// What a document of a release needs; `nil` for what is no document of a release.
    package var needs: DocumentNeeds?

    package init(
        url: String, content: ExpectedContent? = nil, type: String? = nil, destination: PreloadDestination,
        group: PreloadGroup = .page, origin: String? = nil, site: String = ""
    ) {
        self.url = url
        self.content = content
        self.type = type
        self.destination = destination
        self.group = group
        self.origin = origin
        self.site = site
    }

    /// A URL whose destination is guessed by its extension, see ``PreloadDestination/init(guessedFromPath:)``.
    public init(url: String, group: PreloadGroup = .page) {
        let path = TargetURI.split(url)?.path ?? "/"
        self.init(url: url, destination: PreloadDestination(guessedFromPath: path), group: group)
    }

    var mode: PreloadDestination.Mode {
        usesCORS && destination.mode == .noCORS && destination != .font ? .cors : destination.mode
    }
}
