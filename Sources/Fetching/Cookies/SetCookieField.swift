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
        case "samesite": sameSite = Cookie.SameSite(rawValue: FetchText.lowercased(value)) ?? .unset
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

/// The cookie-date of `Expires`, RFC 6265bis §5.1.1: four tokens in any order, unlike the strict `HTTP-date`.
enum CookieDate {
    /// - Returns: `nil` if the text is not a cookie-date, or names a day that no calendar has.
    static func parse(_ text: some Collection<UInt8>) -> WallInstant? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.split(whereSeparator: isDelimiter) {
            let token = Array(token)
            let name = String(decoding: token.prefix(3), as: UTF8.self)
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = HTTPDate.month(named: name) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1_900 }
        if (0...69).contains(year) { year += 2_000 }
        guard year >= 1_601, time.hour <= 23, time.minute <= 59, time.second <= 59 else { return nil }
        let civil = CivilDate(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
        return civil.isPossible ? WallInstant(unixSeconds: civil.unixSeconds) : nil
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// `hms-time [ non-digit *OCTET ]`
    private static func time(_ token: [UInt8]) -> (Int, Int, Int)? {
        let fields = token.split(separator: 0x3A, maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[..<2].joined().allSatisfy(ByteScanner.isDigit),
            let hour = number(Array(fields[0]), digits: 1...2), let minute = number(Array(fields[1]), digits: 1...2),
            let second = number(Array(fields[2]), digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// `2DIGIT [ non-digit *OCTET ]` and its like: the leading digits, if there are as many as allowed.
    private static func number(_ token: [UInt8], digits: ClosedRange<Int>) -> Int? {
        let leading = token.prefix(while: ByteScanner.isDigit)
        guard digits.contains(leading.count) else { return nil }
        return leading.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
