/// Why the cache forwarded a request, RFC 9211 §2.2.
public enum ForwardReason: String, Hashable, Sendable, CaseIterable {
    /// "The cache was configured to not handle this request."
    case bypass
    /// "The request method's semantics require the request to be forwarded."
    case method
    /// "The cache did not contain any responses that matched the request URI."
    case uriMiss = "uri-miss"
    /// "… matched the request URI, but could not select a response based upon this request's header fields."
    case varyMiss = "vary-miss"
    /// "The cache did not contain any responses that could be used to satisfy this request."
    case miss
    /// "… able to select a fresh response, but the request's semantics (e.g., Cache-Control request directives) did
    /// not allow its use."
    case request
    /// "The cache was able to select a response for the request, but it was stale."
    case stale
    /// "… contained a partial response … but it did not contain all of the requested ranges."
    case partial
}
