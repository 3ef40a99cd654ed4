/// One visit to one page by a new web process, with an empty data store unless ``dataDirectory`` names one.
///
/// Every property but ``url`` has a default, in Swift and in JSON.
package struct VisitRequest: Hashable, Sendable, Codable {
    /// The longest side of a view, in CSS pixels.
    package static let greatestSide = 8_192

    /// The page to open, absolute.
    package var url: String

    /// The proxy for every request of the visit, as a URI without credentials; `nil` connects directly, whatever the
    /// environment says.
    package var proxy: String?

    /// The name for the proxy's Basic challenge, given only when the proxy answers 407. `nil` for a proxy that asks
    /// for none.
    ///
    /// Use a secret of this one visit: WebKitGTK 2.50 repeats `Proxy-Authorization` inside the tunnels, where the
    /// origin of a tunnel that the proxy does not open can read it.
    package var proxyUser: String?

    /// The password that goes with ``proxyUser``.
    package var proxyPassword: String?

    /// The name for a challenge of ``url``'s own origin, given once for each request that it refuses; `nil` gives none,
    /// and the page sees the 401. What the page asks of other origins gets none either.
    package var siteUser: String?

    /// The password that goes with ``siteUser``.
    package var sitePassword: String?

    /// How the cache is used for the page itself, as Fetch's `cache` says it; `nil` for no wish.
    package var cacheMode: String?

    /// The width of the view in CSS pixels. Default 390.
    package var width: Int

    /// The height of the view in CSS pixels. Default 844.
    package var height: Int

    /// Pixels of the device for one of CSS. Default 1.
    package var density = 1

    /// Where to write a picture of the view, as PNG; `nil` takes none.
    package var screenshotPath: String?

    /// The longest time that the page may take to settle. Default 60 seconds. A visit that takes longer still has a
    /// result, with ``VisitResult/timedOut`` set.
    package var timeoutSeconds: Double

    /// How long nothing may be loading before the page counts as settled. Default 500 milliseconds.
    package var quietMilliseconds: Int

    /// How long after the load event one pending load can hold up settling (long polling never ends). Default 10 000
    /// milliseconds. Event streams and media hold up nothing once they are answered.
    package var pendingLimitMilliseconds: Int

    /// Certificates to accept before the first request is sent.
    package var trusted: [TrustedLeaf]

    /// Where the web view keeps cookies and storage from visit to visit, absolute; it is made when it is not there. One
    /// visit at a time. `nil`, the default, keeps nothing. Cookies without a lifetime end with the visit anyway.
    package var dataDirectory: String?

    /// Whether the web view has an HTTP cache of its own in ``dataDirectory``. What that answers reaches no proxy, so
    /// the default is no. Needs a directory.
    package var usesDiskCache: Bool

    /// Whether `<link rel=dns-prefetch>` resolves names, which no proxy sees. Default yes.
    package var prefetchesNames: Bool

    /// The data to remove when the page has settled, before ``script`` runs; `nil` removes nothing.
    package var clearing: WebsiteDataClearing?

    /// The body of an asynchronous JavaScript function to run in the page when it has settled, or `nil`.
    package var script: String?

    /// The longest time that ``script``, and settling after it, may take. Default 30 seconds.
    package var scriptTimeoutSeconds: Double

    /// A visit to one page.
    package init(
        url: String,
        proxy: String? = nil,
        proxyUser: String? = nil,
        proxyPassword: String? = nil,
        siteUser: String? = nil,
        sitePassword: String? = nil,
        width: Int = 390,
        height: Int = 844,
        screenshotPath: String? = nil,
        timeoutSeconds: Double = 60,
        quietMilliseconds: Int = 500,
        pendingLimitMilliseconds: Int = 10_000,
        trusted: [TrustedLeaf] = [],
        dataDirectory: String? = nil,
        usesDiskCache: Bool = false,
        prefetchesNames: Bool = true,
        clearing: WebsiteDataClearing? = nil,
        script: String? = nil,
        scriptTimeoutSeconds: Double = 30
    ) {
        self.url = url
        self.proxy = proxy
        self.proxyUser = proxyUser
        self.proxyPassword = proxyPassword
        self.siteUser = siteUser
        self.sitePassword = sitePassword
        self.width = width
        self.height = height
        self.screenshotPath = screenshotPath
        self.timeoutSeconds = timeoutSeconds
        self.quietMilliseconds = quietMilliseconds
        self.pendingLimitMilliseconds = pendingLimitMilliseconds
        self.trusted = trusted
        self.dataDirectory = dataDirectory
        self.usesDiskCache = usesDiskCache
        self.prefetchesNames = prefetchesNames
        self.clearing = clearing
        self.script = script
        self.scriptTimeoutSeconds = scriptTimeoutSeconds
    }

    /// Decodes a visit; whatever is absent gets its default.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(url: try values.decode(String.self, forKey: .url))
        proxy = try values.decodeIfPresent(String.self, forKey: .proxy)
        proxyUser = try values.decodeIfPresent(String.self, forKey: .proxyUser)
        proxyPassword = try values.decodeIfPresent(String.self, forKey: .proxyPassword)
        siteUser = try values.decodeIfPresent(String.self, forKey: .siteUser)
        sitePassword = try values.decodeIfPresent(String.self, forKey: .sitePassword)
        cacheMode = try values.decodeIfPresent(String.self, forKey: .cacheMode)
        width = try values.decodeIfPresent(Int.self, forKey: .width) ?? width
        height = try values.decodeIfPresent(Int.self, forKey: .height) ?? height
        density = try values.decodeIfPresent(Int.self, forKey: .density) ?? density
        screenshotPath = try values.decodeIfPresent(String.self, forKey: .screenshotPath)
        timeoutSeconds = try values.decodeIfPresent(Double.self, forKey: .timeoutSeconds) ?? timeoutSeconds
        quietMilliseconds = try values.decodeIfPresent(Int.self, forKey: .quietMilliseconds) ?? quietMilliseconds
        pendingLimitMilliseconds =
            try values.decodeIfPresent(Int.self, forKey: .pendingLimitMilliseconds) ?? pendingLimitMilliseconds
        trusted = try values.decodeIfPresent([TrustedLeaf].self, forKey: .trusted) ?? trusted
        dataDirectory = try values.decodeIfPresent(String.self, forKey: .dataDirectory)
        usesDiskCache = try values.decodeIfPresent(Bool.self, forKey: .usesDiskCache) ?? usesDiskCache
        prefetchesNames = try values.decodeIfPresent(Bool.self, forKey: .prefetchesNames) ?? prefetchesNames
        clearing = try values.decodeIfPresent(WebsiteDataClearing.self, forKey: .clearing)
        script = try values.decodeIfPresent(String.self, forKey: .script)
        scriptTimeoutSeconds =
            try values.decodeIfPresent(Double.self, forKey: .scriptTimeoutSeconds) ?? scriptTimeoutSeconds
    }
}
