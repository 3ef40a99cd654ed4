/// When the steps of loading the main document happened.
///
/// The fields of `PerformanceNavigationTiming` (W3C Navigation Timing Level 2): milliseconds since the navigation
/// started; 0 for a step that did not happen or is withheld.
package struct NavigationTiming: Hashable, Sendable, Codable {
    /// The end of the last redirect.
    package var redirectEnd: Double
    /// The start of the fetch that was not redirected.
    package var fetchStart: Double
    /// The first byte of the request.
    package var requestStart: Double
    /// The first byte of the response.
    package var responseStart: Double
    /// The last byte of the response.
    package var responseEnd: Double
    /// The parser is done with the document.
    package var domInteractive: Double
    /// The handlers of `DOMContentLoaded` are done.
    package var domContentLoadedEventEnd: Double
    /// The `load` event begins.
    package var loadEventStart: Double
    /// The handlers of `load` are done.
    package var loadEventEnd: Double
    /// How many redirects led to the document.
    package var redirectCount: Int
}
