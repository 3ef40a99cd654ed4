import HTTPCacheSemantics
import HTTPTypes

/// The engine's answer to one request.
public struct EngineResponse: Sendable {
    /// The head, without `Cache-Status`: whoever sends it decides whether the client may see that.
    public var head: HTTPResponse
    /// The content. Whoever gets it reads it to its end or cancels it.
    public var body: ResponseBody
    /// How this cache handled the request.
    public var cacheStatus: CacheStatus
    /// Why ``head`` is an error answer of ours, when it is one.
    public var failure: EngineError?

    public init(
        head: HTTPResponse, body: ResponseBody, cacheStatus: CacheStatus, failure: EngineError? = nil
    ) {
        self.head = head
        self.body = body
        self.cacheStatus = cacheStatus
        self.failure = failure
    }

    /// What a validation in the background gets when another request is on its way already. Nobody sees it.
    static var unneeded: EngineResponse {
        EngineResponse(head: HTTPResponse(status: .noContent), body: .empty, cacheStatus: CacheStatus())
    }
}
