/// Content to be saved that came instead of a page. It was not saved.
package struct OfferedDownload: Hashable, Sendable, Codable {
    /// Where it came from, after redirects.
    package var url: String
    /// Without parameters; empty where none is stated.
    package var mediaType: String
    /// The last component of the name that the answer or its URL suggests.
    package var fileName: String?
    /// `attachment` (RFC 6266 §4.2), or `type-not-shown` for a media type that the web view can't show.
    package var reason: String

    package init(url: String, mediaType: String, fileName: String?, reason: String) {
        (self.url, self.mediaType, self.fileName, self.reason) = (url, mediaType, fileName, reason)
    }
}
