import HTTPCacheSemantics

/// One `Set-Cookie` field, RFC 6265bis §5.6. The last of attributes that occur twice counts.
struct SetCookieField {
    var name: String
    var value: String
    /// Negative values are zero.
    var maxAge: Duration?
    var expires: WallInstant?
    /// In lower case, without a leading dot; empty counts as absent (§5.7 step 10).
    var domain = ""
    /// Whether there is a `Path` attribute, with a usable value or without.
    var hasPath = false
    /// `nil` stands for the default-path.
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var isPartitioned = false
    var sameSite = Cookie.SameSite.unset

    /// Longer attribute values are ignored (§5.6 step 6).
    private static let longestAttributeValue = 1_024

    /// Every text has a reading. Whether it makes a cookie is decided elsewhere.
    init(_ text: String) {
        let parts = text[...].utf8.split(separator: 0x3B, omittingEmptySubsequences: false)
        (name, value) = CookieNames.pair(parts.first ?? "".utf8[...])
        for part in parts.dropFirst() {
            let pair = CookieNames.pair(part)
            let (name, value) = part.contains(0x3D) ? pair : (pair.value, "")
            if value.utf8.count <= Self.longestAttributeValue { read(name, value) }
        }
    }

    private mutating func read(_ name: String, _ value: String) {
        // ASCII only: Unicode would read `ſecure` and others as an attribute.
        switch FetchText.lowercased(name) {
        case "expires": expires = CookieDate.parse(value.utf8) ?? expires
        case "max-age": maxAge = Self.seconds(value) ?? maxAge
        case "domain": domain = CookieDomain.canonical(value.utf8)
        case "path":
            hasPath = true
            path = value.utf8.first == 0x2F ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "partitioned": isPartitioned = true
        case "samesite":
            switch FetchText.lowercased(value) {
            case "none": sameSite = .none
            case "lax": sameSite = .lax
            case "strict": sameSite = .strict
            default: sameSite = .unset
            }
        default: break
        }
    }

    /// `Max-Age`, §5.6.2: digits, after a minus sign or not; anything else is ignored.
    private static func seconds(_ value: String) -> Duration? {
        let isNegative = value.utf8.first == 0x2D
        let seconds = DeltaSeconds.parse(Substring(value.utf8.dropFirst(isNegative ? 1 : 0)))
        return isNegative ? seconds.map { _ in .zero } : seconds
    }
}
