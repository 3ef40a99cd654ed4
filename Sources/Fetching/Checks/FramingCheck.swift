import HTTPCacheSemantics
import HTTPTypes

/// Whether a document lets another one show it in a frame: `frame-ancestors` (CSP §6.4.2.1), and where a response has
/// no such directive, `X-Frame-Options` (HTML §7.6).
///
/// WebKit asks both in its network process, which no scheme handler's answer passes. Of the ancestors only the document
/// in the address bar is known here; one between it and the frame goes unchecked.
package enum FramingCheck {
    /// - Parameters:
    ///   - target: The origin of the response.
    ///   - ancestor: The origin of the document in the address bar; `nil` if unknown, which counts as a stranger.
    package static func allows(_ fields: HTTPFields, target: WebOrigin, ancestor: WebOrigin?) -> Bool {
        let (target, ancestor) = (target.onNetwork, (ancestor ?? .opaque).onNetwork)
        let policies = fields[values: .contentSecurityPolicy].flatMap { $0.utf8.split(separator: 0x2C) }
        let lists = policies.compactMap { ancestors(String(Substring($0))) }
        guard lists.isEmpty else {
            // Every policy has to allow it.
            return lists.allSatisfy { $0.contains { matches($0, target: target, ancestor: ancestor) } }
        }
        return options(fields, isSameOrigin: ancestor.isSameOrigin(as: target))
    }

    /// The sources of the first `frame-ancestors` in lower case; `nil` without it.
    private static func ancestors(_ policy: String) -> [String]? {
        for directive in policy.utf8.split(separator: 0x3B) {
            let words = FetchText.lowercased(Substring(directive)).utf8
                .split { FetchText.isWhitespace($0) || $0 == 0x0C }.map { String(Substring($0)) }
            if words.first == "frame-ancestors" { return Array(words.dropFirst()) }
        }
        return nil
    }

    /// HTML §7.6, "check a navigation response's adherence to `X-Frame-Options`".
    private static func options(_ fields: HTTPFields, isSameOrigin: Bool) -> Bool {
        let values = Set(
            fields[values: FetchField.xFrameOptions].flatMap { $0.utf8.split(separator: 0x2C) }
                .map { FetchText.lowercased(FetchText.trimmed(String(Substring($0)))) })
        if values.count > 1 { return values.isDisjoint(with: ["deny", "allowall", "sameorigin"]) }
        switch values.first {
        case "deny": return false
        case "sameorigin": return isSameOrigin
        default: return true
        }
    }

    /// CSP §6.7.2, "does url match expression in origin".
    private static func matches(_ source: String, target: WebOrigin, ancestor: WebOrigin) -> Bool {
        guard let scheme = ancestor.scheme, let authority = ancestor.authority else { return false }
        let isNetwork = scheme == "http" || scheme == "https"
        if source == "*" { return isNetwork || scheme == target.scheme }
        if source == "'self'" {
            if ancestor.isSameOrigin(as: target) { return true }
            // "scheme-part match" lets http lead to https, on default ports.
            return authority == target.authority && authority.port == nil && target.scheme == "http"
                && scheme == "https"
        }
        if source.hasSuffix(":"), !source.dropLast().contains(":") {
            return matches(scheme, asked: String(source.dropLast()))
        }
        var rest = source[...]
        var wanted = target.scheme ?? ""
        if let end = source.firstRange(of: "://") {
            wanted = String(source[..<end.lowerBound])
            rest = source[end.upperBound...]
        }
        // An origin has no path, so a path other than the whole host names none.
        let name = rest.prefix { $0 != "/" }
        guard ["", "/"].contains(rest.dropFirst(name.count)), matches(scheme, asked: wanted) else { return false }
        return matches(authority, pattern: name, secure: scheme == "https")
    }

    private static func matches(_ scheme: String, asked: String) -> Bool {
        scheme == asked || (asked == "http" && scheme == "https")
    }

    /// "host-part match" and "port-part match".
    private static func matches(_ authority: Authority, pattern: Substring, secure: Bool) -> Bool {
        let parts = pattern.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let host = parts.first ?? ""
        let port = parts.count > 1 ? String(parts[1]) : nil
        let isPort =
            switch port {
            case nil: authority.port == nil
            case "*": true
            case let port?:
                Int(port) == (authority.port ?? (secure ? 443 : 80))
                    || (port == "80" && secure && authority.port == nil)
            }
        guard isPort, !host.isEmpty else { return false }
        if host == "*" { return true }
        if host.hasPrefix("*.") { return authority.host.hasSuffix(host.dropFirst()) }
        return authority.host == host
    }
}
