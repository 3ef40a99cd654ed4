import FoundationNetworking

// c:@T@NSHTTPCookieStringPolicy | iOS 13.0, macOS 10.15 | Sendable | M
public struct HTTPCookieStringPolicy: RawRepresentable, Hashable, Sendable {
    // identifier unknown | iOS 13.0, macOS 10.15 | Sendable | M
    public let rawValue: String
    // identifier unknown | iOS 13.0, macOS 10.15 | Sendable | M
    public init(rawValue: String) { self.rawValue = rawValue }
    // c:@NSHTTPCookieSameSiteLax | iOS 13.0, macOS 10.15 | Sendable | M
    public static let sameSiteLax = HTTPCookieStringPolicy(rawValue: "lax")
    // c:@NSHTTPCookieSameSiteStrict | iOS 13.0, macOS 10.15 | Sendable | M
    public static let sameSiteStrict = HTTPCookieStringPolicy(rawValue: "strict")
}

extension HTTPCookiePropertyKey {
    // c:@NSHTTPCookieSameSitePolicy | iOS 13.0, macOS 10.15 | Sendable | M
    public static let sameSitePolicy = HTTPCookiePropertyKey(rawValue: "SameSite")
}

extension HTTPCookie {
    // c:objc(cs)NSHTTPCookie(py)sameSitePolicy | iOS 13.0, macOS 10.15 | nonisolated | M
    public var sameSitePolicy: HTTPCookieStringPolicy? {
        (properties?[.sameSitePolicy] as? String).map { HTTPCookieStringPolicy(rawValue: $0.lowercased()) }
    }
}
