import HTTPCacheSemantics
import HTTPTypes

/// What became of a response that was asked for anew, see ``ResponseCache/refresh(_:)``.
public struct RefreshedResponse: Sendable {
    /// The request as it was decided about, with the fields that were taken from a stored response.
    public var request: HTTPRequest
    /// The origin's answer; one of ours where there is a ``failure``.
    public var head: HTTPResponse
    public var cacheStatus: CacheStatus
    /// Why there is no answer, or not the whole of it.
    public var failure: EngineError?
}
