import HTTPTypes

/// A request as a web view shows it to its scheme handler.
package struct WebViewRequest {
    package var method: String
    /// Absolute, with its fragment.
    package var url: String
    package var fields: HTTPFields
    /// The URL of the document that the view shows, or that it loads; `nil` without one.
    package var topLevelURL: String?
    /// See ``RequestEvidence/alwaysShowsForeignOrigin``.
    package var alwaysShowsForeignOrigin: Bool
    /// Reads the content, to its end: empty where there is none, `nil` where it is longer than so many bytes or breaks
    /// off. Called at most once, and only for content that holds no Blob or File.
    package var content: (_ limit: Int) -> [UInt8]?

    package init(
        method: String, url: String, fields: HTTPFields, topLevelURL: String?, alwaysShowsForeignOrigin: Bool = false,
        content: @escaping (_ limit: Int) -> [UInt8]?
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.topLevelURL = topLevelURL
        self.alwaysShowsForeignOrigin = alwaysShowsForeignOrigin
        self.content = content
    }
}
