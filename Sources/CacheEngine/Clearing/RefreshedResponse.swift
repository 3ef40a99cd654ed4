import HTTPCacheSemantics
import HTTPTypes

/// The result of one refresh, see ``ResponseCache/refresh(_:)``.
public struct RefreshedResponse: Sendable {
    /// The request that was sent, with the fields that were taken from a stored response.
    public var request: HTTPRequest
    /// The origin's answer, or an error answer of the cache's own.
    public var head: HTTPResponse
    public var cacheStatus: CacheStatus
    /// Why there is no answer, or only a part of one.
    public var failure: EngineError?
}
