#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import CacheEngine
import Foundation
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.
import HTTPTypes
import URLSessionCaching

/// Requests of the app itself, rather than of a page. Named as in `URLSession`.
extension Larder {
    /// The content at an http or https URL; see ``data(for:upTo:)``.
    public func data(
        from url: URL, upTo limit: ByteCount = .mebibytes(64)
    ) async throws -> (Data, HTTPURLResponse) {
        try await data(for: URLRequest(url: url), upTo: limit)
    }

    /// The content that a request leads to, decoded, with up to 20 redirects followed, and the head of its response.
    ///
    /// A status of 400 or more is no error: look at `statusCode`. The response's `url` is the one behind the redirects,
    /// and its field `Cache-Status` says whether the store answered (RFC 9211).
    ///
    /// The store answers as it would a web view. Stored gzip or deflate is decoded here; then the
    /// response has no `Content-Encoding`, no `Content-Length` and no digests, and its `ETag` is
    /// weak. Other codings can't be decoded; the origin is then asked for the content as it is
    /// (`Accept-Encoding: identity`). A request with an `Accept-Encoding` of its own gets the
    /// content as it was sent, and so does one with `Range`.
    ///
    /// These parts of the request count:
    /// - `cachePolicy`: as the ``HTTPCacheSemantics/CacheMode`` that names it.
    /// - `timeoutInterval`: the longest that nothing may arrive, in seconds; 60 unless set, and where it is 0 or less.
    ///   Where the origin does not answer in this time, a stale response may (RFC 9111 §4.2.4).
    /// - `httpMethod`, `httpBody`, and the fields but `Host`, `Content-Length` and those of the connection. A redirect
    ///   to another origin loses `Authorization` and `Cookie`; one with 303, or a POST with 301 or 302, becomes a GET.
    ///
    /// Cookies are neither sent nor kept unless the request has them in its fields.
    ///
    /// - Parameter limit: The most that is read into memory, decoded; 64 MiB unless set.
    /// - Throws: `EngineError` alone: no answer could be had, not the whole of one, one that can't be decoded, one
    ///   longer than the limit, or behind more than 20 redirects; `timedOut`; `cancelled` when the task is cancelled;
    ///   `invalidRequest` for what is no http or https URL, and for an `httpBodyStream`.
    public func data(
        for request: URLRequest, upTo limit: ByteCount = .mebibytes(64)
    ) async throws -> (Data, HTTPURLResponse) {
        let asked = try ContentRequest(request)
        return try await ContentAnswers(cache: cache, context: exchangeContext())
            .content(for: asked, upTo: limit, clock: clock)
    }
}
