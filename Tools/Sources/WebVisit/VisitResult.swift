/// The result of one visit. Times are milliseconds since the navigation, unless said otherwise.
package struct VisitResult: Hashable, Sendable, Codable {
    /// The URL that was asked for.
    package var requestedURL: String
    /// The URL of the document at the end, after redirects and script navigations.
    package var finalURL: String?
    /// The document's title.
    package var title: String?
    /// The HTTP status of the main document, if an answer came.
    package var mainStatus: Int?
    /// Why the main document did not load, or `nil` if it did.
    package var loadError: LoadError?
    /// The download that came instead of a page, if one did.
    package var download: OfferedDownload?
    /// The URL of another app, such as `tel:`, to which the address was redirected; no page was loaded then.
    package var handedToApp: String?
    /// The page, or the script and what it set in motion, did not come to rest in time; the other properties say what
    /// was known by then.
    package var timedOut = false
    /// How the wait for the page ended; `nil` for what waits for none.
    package var ending: VisitEnding?
    /// Requests that were under way when the wait ended, at most ``pendingCount``.
    package var pendingURLs: [String] = []
    /// Whether every pixel of the view has the same colour at the end, so that nobody sees a page; `nil` where there is
    /// no page, or it can't be asked.
    package var isBlank: Bool?
    /// From the start of the visit until the page had settled, before any script ran.
    package var settledMilliseconds: Double?
    /// The times of the main document, if there is one.
    package var navigation: NavigationTiming?
    /// Bytes of the main document before content codings were removed, if the web view tells.
    package var documentBytes: Int?
    /// When text or an image was first painted, if the web view reported it.
    package var firstContentfulPaint: Double?
    /// When the largest text or image was painted, if the web view reports it (WebKitGTK 2.50 does not).
    package var largestContentfulPaint: Double?
    /// The document's loads, in order of start, without those of frames and workers.
    package var resources: [ResourceTiming] = []

    /// How many of the ``resources`` the web view answered from its own cache, as far as it tells: not those of other
    /// origins that do not allow it (`Timing-Allow-Origin`), and not the document. WebKitGTK 2.50 states no length for
    /// them (Resource Timing §4.3 has 0 for `transferSize`; it says 300 where its disk was read).
    ///
    /// - Parameter asked: URLs that were asked for, whatever the web view says.
    package func ownCacheAnswers(besides asked: Set<String>) -> Int {
        resources.count {
            // Another origin that does not allow it has no start either.
            $0.encodedBodySize == 0 && $0.responseStatus == 200 && $0.requestStart > 0 && !asked.contains($0.name)
        }
    }
    /// The script of the service worker that controls the page, and may answer it from its own CacheStorage; `nil` for
    /// none.
    package var serviceWorker: String?
    /// Resources that failed to load or were answered with an error status, in any frame.
    package var failedResources: [FailedResource] = []
    /// Warnings and errors that the page or the web view wrote to the console.
    package var console: [ConsoleMessage] = []
    /// Why the web process ended during the visit (`crashed`, `exceededMemoryLimit`), or `nil` if it lived.
    package var webProcessTerminated: String?
    /// The picture, if one was asked for and taken.
    package var screenshot: Screenshot?
    /// The script's result as JSON; `null` for `undefined`, `nil` if it did not run or failed.
    package var scriptResult: String?
    /// Why the script, or a step that looks into the page, failed.
    package var scriptError: String?

    /// The most that ``pendingURLs`` has.
    package static let pendingCount = 20

    /// The result of a visit of which nothing is known yet.
    package init(requestedURL: String) { self.requestedURL = requestedURL }
}
