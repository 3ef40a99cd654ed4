import CacheEngine
import HTTPTypes

/// What a ``RunningLoad`` is answered with.
package enum LoadAnswer: Sendable {
    /// The content is read to its end or cancelled, whatever happens to the load.
    case response(HTTPResponse, ResponseBody)
    /// The head and the content count where whoever asked does not follow the redirect.
    case redirect(LoadRedirect, HTTPResponse, ResponseBody)
    case failure(EngineError)

    /// A failure where a redirect wants the content once more and it can't be had.
    ///
    /// - Parameter content: What was sent; `nil` if it is not kept.
    func repeating(_ content: [UInt8]?) -> LoadAnswer {
        guard case .redirect(let redirect, _, _) = self, redirect.keepsContent, content == nil else { return self }
        discard()
        return .failure(
            EngineError(
                code: .redirectRefused,
                message: "A redirect wants the request's content once more; it was a stream longer than 1 MiB."))
    }

    /// Frees content that nobody will read.
    package func discard() {
        switch self {
        case .response(_, .stream(let source, _)), .redirect(_, _, .stream(let source, _)): source.cancel()
        default: break
        }
    }
}

/// The request that follows a redirect, as changes of the one before.
package struct LoadRedirect: Hashable, Sendable {
    /// Where to.
    package var url: String
    package var method: String
    /// Fields that the next request does not have (Fetch §4.4, "HTTP-redirect fetch").
    package var removedFields: [String]
    /// Whether the content is to be sent again; otherwise there is none.
    package var keepsContent: Bool

    package init(url: String, method: String, removedFields: [String], keepsContent: Bool) {
        self.url = url
        self.method = method
        self.removedFields = removedFields
        self.keepsContent = keepsContent
    }
}
