#if Proxy
import HTTPCacheSemantics
import HTTPTypes

/// Which fields of a trailer section are passed on, RFC 9110 §6.5.1.
package enum TrailerFields {
    /// "Many fields cannot be processed outside the header section because their evaluation is necessary prior to
    /// receiving the content, such as those that describe message framing, routing, authentication, request modifiers,
    /// response controls, or content format."
    private static let refused: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "age", "allow", "authorization",
        "cache-control", "clear-site-data", "connection", "content-encoding", "content-length", "content-location",
        "content-range", "content-security-policy", "content-type", "cookie", "date", "expect", "expires", "forwarded",
        "host", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive",
        "location", "max-forwards", "origin", "pragma", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "proxy-connection", "range", "referer", "retry-after", "set-cookie",
        "strict-transport-security", "te", "trailer", "transfer-encoding", "upgrade", "vary", "via", "warning",
        "www-authenticate",
    ]

    /// The fields that may be sent on, in a trailer section again: they are never merged into the header section, and
    /// a cache need not store them (RFC 9111 §3.1).
    ///
    /// - Parameter options: The message's `Connection` lines; what they nominate stays behind.
    package static func forwardable(_ trailers: HTTPFields, connection options: [String] = []) -> HTTPFields {
        guard !trailers.isEmpty else { return trailers }
        let nominated = Set(
            options.flatMap { $0.split(separator: ",") }.map { String($0).trimmingWhitespace.lowercased() })
        return trailers.filter {
            !refused.contains($0.name.canonicalName) && !nominated.contains($0.name.canonicalName)
                && !$0.name.canonicalName.hasPrefix("sec-") && !$0.name.canonicalName.hasPrefix("access-control-")
        }
    }
}
#endif
