/// One member of `Cache-Status`, RFC 9211 §2: how one cache handled the request.
public struct CacheStatus: Hashable, Sendable, CustomStringConvertible {
    /// The name of the cache, a Token (§2).
    package static let cache = "Larder"

    /// Satisfied by the cache without forwarding (§2.1).
    public var isHit = false
    /// Why the request went towards the origin (§2.2).
    public var forward: ForwardReason?
    /// The status code of the next hop's answer, where it differs from the response's; three digits (§2.3).
    package var forwardStatus: Int?
    /// The remaining freshness in whole seconds, negative once stale; at most fifteen digits (§2.4).
    package var timeToLive: Int64?
    /// Whether the response was stored (§2.5).
    package var isStored = false
    /// Whether another request's answer was shared (§2.6).
    package var isCollapsed = false
    /// More about the decision, such as the name of a rule; printable ASCII, not empty (§2.8).
    public var detail: String?

    package init() {}

    /// The member as text of the List, with a space after each semicolon as in the examples of §3.
    ///
    /// `stored` and `collapsed` are only meaningful on forwarded requests, and `hit` excludes `fwd` (§2.1), so
    /// contradicting parameters are left out, as is an invalid status. Values that RFC 9651 can't express are replaced:
    /// a character beyond printable ASCII by `?`, a number of more than fifteen digits by the nearest one.
    public var description: String {
        var text = Self.cache
        if isHit { text += "; hit" }
        if !isHit, let forward {
            text += "; fwd=\(forward.rawValue)"
            if let forwardStatus, Self.statusCodes.contains(forwardStatus) { text += "; fwd-status=\(forwardStatus)" }
            if isStored { text += "; stored" }
            if isCollapsed { text += "; collapsed" }
        }
        // RFC 9651 §3.3.1: an Integer has at most fifteen digits.
        if let timeToLive { text += "; ttl=\(min(999_999_999_999_999, max(-999_999_999_999_999, timeToLive)))" }
        if let detail, !detail.isEmpty {
            text += "; detail=\(StructuredField.isToken(detail) ? detail : StructuredField.serialized(string: detail))"
        }
        return text
    }

    /// Three digits, RFC 9110 §15.
    static let statusCodes = 100...999
}

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
