import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// Whether `X-Content-Type-Options: nosniff` lets a response be used as a script or style sheet, Fetch §3.6.
package enum SniffingCheck {
    package static func allows(_ fields: HTTPFields, for destination: Destination) -> Bool {
        guard hasNoSniff(fields) else { return true }
        switch destination {
        case .script, .worker, .sharedWorker, .serviceWorker:
            return fields.mediaType.map { MediaTypeKind($0) } == .javaScript
        case .style: return fields.mediaType == "text/css"
        default: return true
        }
    }

    /// "Determine nosniff": the first value counts, in any case.
    package static func hasNoSniff(_ fields: HTTPFields) -> Bool {
        guard let value = fields[.xContentTypeOptions] else { return false }
        return FetchText.lowercased(ListField.trimmed(Substring(value.utf8.prefix { $0 != 0x2C }))) == "nosniff"
    }
}

/// Keeps captions of another origin from a page, which reads the text of each cue.
///
/// A `<track>` without `crossorigin` may have files of its document's own origin only (HTML §4.8.11.11.3: mode
/// "same-origin"). WebKit 2.50 asks for others too, without CORS, and lets the page read them, also from its own
/// network.
package enum CaptionCheck {
    /// Bytes that tell.
    package static let headerLength = 9

    /// Whether content begins as captions must, WebVTT §4.1; what does not, WebKit reads no cue of.
    package static func areCaptions(_ bytes: some Sequence<UInt8>) -> Bool {
        let start = Array(bytes.prefix(headerLength))
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        return text.starts(with: "WEBVTT".utf8)
    }

    package static let refusal = FetchError(
        code: .crossOrigin,
        message: "Captions of another origin need the attribute crossorigin, and that origin's permission.")
}

/// Whether `Cross-Origin-Resource-Policy` lets a page use a response that it may not read, Fetch §3.7.
package enum ResourcePolicyCheck {
    package enum Reason: String, CaseIterable, Sendable {
        /// `same-origin`, and the page's origin is another one or unknown.
        case notSameOrigin = "not-same-origin"
        /// `same-site`, and the page's site is another one or unknown, or the page is at http and the response at
        /// https.
        case notSameSite = "not-same-site"
    }

    /// - Parameters:
    ///   - origin: The requesting origin; `nil` if unknown.
    ///   - target: The origin of the response.
    ///   - relation: `Sec-Fetch-Site`, as the web view itself says, which knows all sites.
    ///   - registrableDomain: See ``Site``.
    /// - Returns: `nil` where it may be used.
    package static func refusal(
        _ fields: HTTPFields, origin: WebOrigin?, target: WebOrigin, relation: SiteRelation = .crossSite,
        registrableDomain: Site.RegistrableDomain? = nil
    ) -> Reason? {
        if let origin, origin.isSameOrigin(as: target) { return nil }
        // "get": two lines are one value, which is none of the three. They are case-sensitive.
        switch fields[.crossOriginResourcePolicy] {
        case "same-origin": return .notSameOrigin
        case "same-site":
            if relation != .crossSite { return nil }
            guard let origin else { return .notSameSite }
            let site = Site(origin, registrableDomain: registrableDomain)
            let other = Site(target, registrableDomain: registrableDomain)
            let isAsSecure = site.scheme == "https" || other.scheme != "https"
            return site.isSchemelesslySameSite(as: other) && isAsSecure ? nil : .notSameSite
        default: return nil
        }
    }
}

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
                .split { [0x20, 0x09, 0x0C].contains($0) }.map { String(Substring($0)) }
            if words.first == "frame-ancestors" { return Array(words.dropFirst()) }
        }
        return nil
    }

    /// HTML §7.6, "check a navigation response's adherence to `X-Frame-Options`".
    private static func options(_ fields: HTTPFields, isSameOrigin: Bool) -> Bool {
        let values = Set(
            fields[values: FetchField.xFrameOptions].flatMap { $0.utf8.split(separator: 0x2C) }
                .map { FetchText.lowercased(ListField.trimmed(Substring($0))) })
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
