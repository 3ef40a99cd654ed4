#if canImport(WebKit)
import Fetching
import Foundation
import HTTPCacheSemantics

extension Cookie {
    /// - Returns: `nil` for what no `Cookie` field could carry.
    init(_ cookie: HTTPCookie) {
        let sameSite: SameSite =
            switch cookie.sameSitePolicy {
            case .sameSiteStrict: .strict
            case .sameSiteLax: .lax
            // As WebKit reads it, which writes `None` in this way.
            default: .none
            }
        self.init(
            name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path,
            expires: cookie.expiresDate.map { WallInstant(sinceEpoch: .seconds(Self.seconds($0))) },
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly, sameSite: sameSite)
    }

    /// The same for Foundation; `nil` where Foundation would make another one of it, above all one that scripts can
    /// read.
    var httpCookie: HTTPCookie? {
        guard !isPartitioned else { return nil }
        if let made = HTTPCookie(properties: properties), matches(made) { return made }
        return readBack.flatMap { matches($0) ? $0 : nil }
    }

    private func matches(_ made: HTTPCookie) -> Bool {
        made.name == name && made.value == value && made.isHTTPOnly == isHTTPOnly && made.isSecure == isSecure
            && Cookie(made).isSameCookie(as: self)
    }

    private var writtenDomain: String { isHostOnly ? domain : "." + domain }

    private var properties: [HTTPCookiePropertyKey: Any] {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: writtenDomain, .path: path,
        ]
        if isSecure { properties[.secure] = "TRUE" }
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        if let expires { properties[.expires] = Date(timeIntervalSince1970: expires.sinceEpoch / .seconds(1)) }
        switch sameSite {
        case .strict: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteStrict.rawValue
        case .lax: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteLax.rawValue
        case .none, .unset: break
        }
        return properties
    }

    /// The cookie as read from a `Set-Cookie` field, which says `HttpOnly` in a documented way.
    private var readBack: HTTPCookie? {
        guard let url = URL(string: "https://\(domain.contains(":") ? "[\(domain)]" : domain)/") else { return nil }
        var line = "\(name)=\(value); Path=\(path)"
        if !isHostOnly { line += "; Domain=\(domain)" }
        if let expires { line += "; Expires=\(HTTPDate.print(expires))" }
        if isSecure { line += "; Secure" }
        if isHTTPOnly { line += "; HttpOnly" }
        switch sameSite {
        case .strict: line += "; SameSite=Strict"
        case .lax: line += "; SameSite=Lax"
        case .none, .unset: break
        }
        let made = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": line], for: url)
        return made.count == 1 ? made.first : nil
    }

    /// Whole seconds; a date that is none or beyond all calendars is clamped.
    private static func seconds(_ date: Date) -> Int64 {
        let seconds = date.timeIntervalSince1970
        guard seconds.isFinite else { return 0 }
        return Int64(min(max(seconds, -62_135_596_800), 253_402_300_799))
    }
}
#endif
