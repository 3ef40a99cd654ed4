/// When the steps of loading the main document happened.
///
/// The fields of `PerformanceNavigationTiming` (W3C Navigation Timing Level 2): milliseconds since the navigation
/// started; 0 for a step that did not happen or is withheld.
public struct NavigationTiming: Hashable, Sendable, Codable {
    /// The end of the last redirect.
    public var redirectEnd: Double
    /// The start of the fetch that was not redirected.
    public var fetchStart: Double
    /// The first byte of the request.
    public var requestStart: Double
    /// The first byte of the response.
    public var responseStart: Double
    /// The last byte of the response.
    public var responseEnd: Double
    /// The parser is done with the document.
    public var domInteractive: Double
    /// The handlers of `DOMContentLoaded` are done.
    public var domContentLoadedEventEnd: Double
    /// The `load` event begins.
    public var loadEventStart: Double
    /// The handlers of `load` are done.
    public var loadEventEnd: Double
    /// How many redirects led to the document.
    public var redirectCount: Int

    /// The times of one navigation.
    public init(
        redirectEnd: Double, fetchStart: Double, requestStart: Double, responseStart: Double, responseEnd: Double,
        domInteractive: Double, domContentLoadedEventEnd: Double, loadEventStart: Double, loadEventEnd: Double,
        redirectCount: Int
    ) {
        self.redirectEnd = redirectEnd
        self.fetchStart = fetchStart
        self.requestStart = requestStart
        self.responseStart = responseStart
        self.responseEnd = responseEnd
        self.domInteractive = domInteractive
        self.domContentLoadedEventEnd = domContentLoadedEventEnd
        self.loadEventStart = loadEventStart
        self.loadEventEnd = loadEventEnd
        self.redirectCount = redirectCount
    }
}
