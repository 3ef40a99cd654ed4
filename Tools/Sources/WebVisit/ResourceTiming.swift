/// When the document loaded one resource, and how large it was.
///
/// The fields of `PerformanceResourceTiming` (W3C Resource Timing): milliseconds since the navigation started, sizes in
/// bytes. For another origin without `Timing-Allow-Origin` the inner times and the sizes are 0.
package struct ResourceTiming: Hashable, Sendable, Codable {
    /// The URL that was asked for.
    package var name: String
    /// The requester, such as `script`, `img`, `css`, `fetch`.
    package var initiatorType: String
    /// When the fetch began.
    package var startTime: Double
    /// When the request was sent.
    package var requestStart: Double
    /// The first byte of the response.
    package var responseStart: Double
    /// The last byte of the response, or the failure.
    package var responseEnd: Double
    /// From ``startTime`` to ``responseEnd``.
    package var duration: Double
    /// Header section and encoded body as received; 0 also for the web view's own cache.
    package var transferSize: Int
    /// The body before content codings were removed.
    package var encodedBodySize: Int
    /// The body after content codings were removed.
    package var decodedBodySize: Int
    /// The HTTP status, if the web view told.
    package var responseStatus: Int?
}
