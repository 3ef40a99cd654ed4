/// A sub-resource that did not load, or was answered with a status of 400 or more.
package struct FailedResource: Hashable, Sendable, Codable {
    /// The last URL that was tried.
    package var url: String
    /// The failure, as the web view put it, or `HTTP 404` and the like.
    package var message: String
    /// The HTTP status, if an answer came.
    package var status: Int?

    /// A resource and what went wrong with it.
    package init(url: String, message: String, status: Int? = nil) {
        self.url = url
        self.message = message
        self.status = status
    }
}
