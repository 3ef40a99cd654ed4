/// What one visit saw. Times are milliseconds since the navigation started, unless said otherwise.
public struct VisitResult: Hashable, Sendable, Codable {
    /// The URL that was asked for.
    public var requestedURL: String
    /// The URL of the document at the end, after redirects and script navigations.
    public var finalURL: String?
    /// The document's title.
    public var title: String?
    /// The HTTP status of the main document, if an answer came.
    public var mainStatus: Int?
    /// Why the main document did not load, or `nil` if it did.
    public var loadError: LoadError?
    /// What came instead of a page, if it was a download.
    public var download: OfferedDownload?
    /// The URL of another app, such as `tel:`, to which the address was redirected; no page was loaded then.
    public var handedToApp: String?
    /// The page, or the script and what it set in motion, did not come to rest in time; the other properties say what
    /// was known by then.
    public var timedOut = false
    /// How the wait for the page ended; `nil` for what waits for none.
    public var ending: VisitEnding?
    /// Requests that were under way when the wait ended, at most ``pendingCount``.
    public var pendingURLs: [String] = []
    /// Whether every pixel of the view has the same colour at the end, so that nobody sees a page; `nil` where there is no
    /// page, or it can't be asked.
    public var isBlank: Bool?
    /// From the start of the visit until the page had settled, before any script ran.
    public var settledMilliseconds: Double?
    /// The times of the main document, if there is one.
    public var navigation: NavigationTiming?
    /// Bytes of the main document before content codings were removed, if the web view tells.
    public var documentBytes: Int?
    /// When text or an image was first painted, if the web view reported it.
    public var firstContentfulPaint: Double?
    /// When the largest text or image was painted, if the web view reports it (WebKitGTK 2.50 does not).
    public var largestContentfulPaint: Double?
    /// What the document loaded, in order of start. Frames and workers keep lists of their own, not included.
    public var resources: [ResourceTiming] = []
    /// What failed to load or was answered with an error status, in any frame.
    public var failedResources: [FailedResource] = []
    /// Warnings and errors that the page or the web view wrote to the console.
    public var console: [ConsoleMessage] = []
    /// Why the web process ended during the visit (`crashed`, `exceededMemoryLimit`), or `nil` if it lived.
    public var webProcessTerminated: String?
    /// The picture, if one was asked for and taken.
    public var screenshot: Screenshot?
    /// What the script returned, as JSON text; `null` for `undefined`. `nil` if it did not run or failed.
    public var scriptResult: String?
    /// Why the script, or a step that looks into the page, failed.
    public var scriptError: String?

    /// The most that ``pendingURLs`` has.
    public static let pendingCount = 20

    /// The result of a visit of which nothing is known yet.
    public init(requestedURL: String) { self.requestedURL = requestedURL }
}
