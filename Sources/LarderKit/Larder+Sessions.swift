#if canImport(FoundationNetworking) && !canImport(Network)
import FoundationNetworking
#endif
import CacheEngine
import Fetching
import Foundation
import HTTPTypes
import URLSessionCaching

extension Larder {
    /// Has the sessions that are made with a configuration answered by this ``Larder``: by the same store, ``rules``,
    /// ``account`` and ``connectivity`` as its web views, as they are when a request begins.
    ///
    /// ```swift
    /// let configuration = URLSessionConfiguration.default
    /// larder.register(in: configuration)
    /// let session = URLSession(configuration: configuration)
    /// ```
    ///
    /// Only requests for http and https go through it; other sessions are not concerned. Nothing is kept alive: when
    /// this ``Larder`` is gone, the sessions go on with the network of their own. Of several that are registered in one
    /// configuration, the last one counts.
    ///
    /// Set the configuration's cookies, `httpAdditionalHeaders`, `requestCachePolicy` and `timeoutIntervalForRequest`
    /// before; they count as they are now. The rest of it, such as proxies and TLS, is about a network that is not
    /// asked: the ``Larder`` asks with its own.
    ///
    /// An app sees the same as from `URLSession`, with these differences:
    /// - Responses have a field `Cache-Status` (RFC 9211). Decoded ones have neither `Content-Encoding` nor
    ///   `Content-Length`. A request with an `Accept-Encoding` of its own gets the content as it was sent, and so does
    ///   one with `Range`.
    /// - Nothing is stored in `URLCache`, so that nothing is kept twice.
    /// - Errors are those of `NSURLErrorDomain`; `NSUnderlyingErrorKey` has the `EngineError`.
    /// - A 401 is handed up as a response: no challenge is told, and no stored credential is tried.
    /// - `URLSessionTaskMetrics` have no times of the network, and `didSendBodyData` is not told.
    /// - A redirect with 307 or 308 fails where the content was a stream longer than 1 MiB. One that the delegate does
    ///   not follow becomes the response after five seconds.
    ///
    /// The system does not hand the requests of background sessions to anybody.
    ///
    /// On Linux this is for tests. Foundation there can't be told redirects, so the redirect itself is the response; it
    /// shows no content of upload tasks; without a delegate it gives the last piece of the content for the whole; and
    /// download tasks end the process.
    public func register(in configuration: URLSessionConfiguration) {
        configuration.register(
            owner: ObjectIdentifier(self), clock: clock, isAlive: { [weak self] in self != nil },
            answer: { [weak self] request, body in
                guard let self else {
                    let error = EngineError(code: .cancelled, message: "The Larder of this session is gone.")
                    return .failed(error)
                }
                return await ContentAnswers(cache: cache, context: contextForClients).answer(request, body)
            })
    }
}
