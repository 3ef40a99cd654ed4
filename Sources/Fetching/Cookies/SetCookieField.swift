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

    private typealias Octets = Substring.UTF8View

    /// Every text has a reading. Whether it makes a cookie is decided elsewhere.
    init(_ text: String) {
        let parts = text[...].utf8.split(separator: 0x3B, omittingEmptySubsequences: false)
        let pair = parts.first ?? "".utf8[...]
        if let equals = pair.firstIndex(of: 0x3D) {
            name = Self.text(pair[..<equals])
            value = Self.text(pair[pair.index(after: equals)...])
        } else {
            name = ""
            value = Self.text(pair)
        }
        for part in parts.dropFirst() {
            let equals = part.firstIndex(of: 0x3D)
            let value = equals.map { Self.trimmed(part[part.index(after: $0)...]) } ?? "".utf8[...]
            guard value.count <= Self.longestAttributeValue else { continue }
            read(Self.trimmed(part[..<(equals ?? part.endIndex)]), value)
        }
    }

    private mutating func read(_ name: Octets, _ value: Octets) {
        switch Self.lowercased(name) {
        case "expires": expires = CookieDate.parse(value) ?? expires
        case "max-age": maxAge = Self.seconds(value) ?? maxAge
        case "domain": domain = CookieDomain.canonical(value)
        case "path":
            hasPath = true
            path = value.first == 0x2F ? Self.text(value) : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "partitioned": isPartitioned = true
        case "samesite":
            switch Self.lowercased(value) {
            case "none": sameSite = .none
            case "lax": sameSite = .lax
            case "strict": sameSite = .strict
            default: sameSite = .unset
            }
        default: break
        }
    }

    /// `Max-Age`, §5.6.2: digits, after a minus sign or not; anything else is ignored.
    private static func seconds(_ value: Octets) -> Duration? {
        let isNegative = value.first == 0x2D
        let seconds = DeltaSeconds.parse(Substring(isNegative ? value.dropFirst() : value))
        return isNegative ? seconds.map { _ in .zero } : seconds
    }

    private static func trimmed(_ octets: Octets) -> Octets {
        func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = octets.drop(while: isWhitespace)
        guard let last = start.lastIndex(where: { !isWhitespace($0) }) else { return start[start.endIndex...] }
        return start[...last]
    }

    private static func text(_ octets: Octets) -> String { String(Substring(trimmed(octets))) }

    /// ASCII only: Unicode would read `ſecure` and others as an attribute.
    private static func lowercased(_ octets: Octets) -> String {
        String(decoding: octets.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
}
