import HTTPCacheSemantics
import HTTPTypes

/// The engine's answer to one request.
package struct EngineResponse: Sendable {
    /// The head, without `Cache-Status`: the sender decides whether the client may see that.
    package var head: HTTPResponse
    /// The content. The recipient has to read it to its end or cancel it.
    package var body: ResponseBody
    /// How this cache handled the request.
    package var cacheStatus: CacheStatus
    /// Why ``head`` is an error answer of the cache's own; `nil` otherwise.
    package var failure: EngineError?

    package init(
        head: HTTPResponse, body: ResponseBody, cacheStatus: CacheStatus, failure: EngineError? = nil
    ) {
        self.head = head
        self.body = body
        self.cacheStatus = cacheStatus
        self.failure = failure
    }

    /// The answer to a validation in the background when another request for the key is in flight. No client sees it.
    static var unneeded: EngineResponse {
        EngineResponse(head: HTTPResponse(status: .noContent), body: .empty, cacheStatus: CacheStatus())
    }
}
