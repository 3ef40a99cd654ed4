import HTTPCacheSemantics
import HTTPTypes

/// The result of one refresh, see ``ResponseCache/refresh(_:)``.
package struct RefreshedResponse: Sendable {
    /// The request that was sent, with the fields that were taken from a stored response.
    package var request: HTTPRequest
    /// The origin's answer, or an error answer of the cache's own.
    package var head: HTTPResponse
    package var cacheStatus: CacheStatus
    /// Why there is no answer, or only a part of one.
    package var failure: EngineError?
}
