import HTTPCacheSemantics
import HTTPTypes

/// The engine's answer to one request.
public struct EngineResponse: Sendable {
    /// The head, without `Cache-Status`: the sender decides whether the client may see that.
    public var head: HTTPResponse
    /// The content. The recipient has to read it to its end or cancel it.
    public var body: ResponseBody
    /// How this cache handled the request.
    public var cacheStatus: CacheStatus
    /// Why ``head`` is an error answer of the cache's own; `nil` otherwise.
    public var failure: EngineError?

    public init(
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
