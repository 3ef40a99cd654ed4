/// One member of `Cache-Status`, RFC 9211 §2: how this cache handled the request.
public struct CacheStatus: Hashable, Sendable, CustomStringConvertible {
    /// The name of the cache; printed as an sf-token where it is one, else as an sf-string (§2).
    public var cache: String
    /// Satisfied by the cache without forwarding (§2.1).
    public var isHit = false
    /// Why the request went towards the origin (§2.2).
    public var forward: ForwardReason?
    /// The status code of the next hop's answer, where it differs from the response's (§2.3).
    public var forwardStatus: Int?
    /// The remaining freshness in whole seconds, negative once stale (§2.4).
    public var timeToLive: Int64?
    /// Whether the response was stored (§2.5).
    public var isStored = false
    /// Whether another request's answer was shared (§2.6).
    public var isCollapsed = false
    /// More about the decision, such as the name of a rule; letters, digits, `-`, `_`, `.`, `:` and `/` (§2.8).
    public var detail: String?

    public init(cache: String = "Larder") {
        self.cache = cache
    }

    /// The member as a list field of RFC 8941, with a space after each semicolon like the examples of RFC 9211.
    ///
    /// `stored` and `collapsed` are only meaningful on forwarded requests, and `hit` excludes `fwd` (§2.1), so what
    /// contradicts is left out.
    public var description: String {
        var text = Self.name(cache)
        if isHit { text += "; hit" }
        if !isHit, let forward {
            text += "; fwd=\(forward.rawValue)"
            if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
            if isStored { text += "; stored" }
            if isCollapsed { text += "; collapsed" }
        }
        // RFC 8941 §3.3.1: an sf-integer has at most fifteen digits.
        if let timeToLive { text += "; ttl=\(min(999_999_999_999_999, max(-999_999_999_999_999, timeToLive)))" }
        if let detail, !detail.isEmpty { text += "; detail=\(Self.token(detail))" }
        return text
    }

    /// An sf-string holds printable ASCII, with quotes and backslashes escaped (RFC 8941 §3.3.3).
    private static func name(_ cache: String) -> String {
        if !cache.isEmpty, token(cache) == cache { return cache }
        var text = ""
        for scalar in cache.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append((0x20...0x7E).contains(scalar.value) ? scalar : "?")
        }
        return "\"" + text + "\""
    }

    /// An sf-token starts with a letter or `*`; anything that is no token character becomes `-`.
    private static func token(_ detail: String) -> String {
        let allowed = detail.utf8.map { byte -> UInt8 in
            ByteScanner.isTokenByte(byte) || byte == 0x3A || byte == 0x2F ? byte : 0x2D
        }
        let text = String(decoding: allowed, as: UTF8.self)
        guard let first = text.utf8.first,
            (0x41...0x5A).contains(first) || (0x61...0x7A).contains(first) || first == 0x2A
        else {
            return "*" + text
        }
        return text
    }
}
