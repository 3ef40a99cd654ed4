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
        return FetchText.lowercased(FetchText.trimmed(String(Substring(value.utf8.prefix { $0 != 0x2C })))) == "nosniff"
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
package enum ResourcePolicyCheck: Hashable, Sendable {
    case allowed
    case blocked(Reason)

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
    package static func decide(
        _ fields: HTTPFields, origin: WebOrigin?, target: WebOrigin, relation: SiteRelation = .crossSite,
        registrableDomain: Site.RegistrableDomain? = nil
    ) -> ResourcePolicyCheck {
        if let origin, origin.isSameOrigin(as: target) { return .allowed }
        // "get": two lines are one value, which is none of the three. They are case-sensitive.
        switch fields[.crossOriginResourcePolicy] {
        case "same-origin": return .blocked(.notSameOrigin)
        case "same-site":
            if relation != .crossSite { return .allowed }
            guard let origin else { return .blocked(.notSameSite) }
            let site = Site(origin, registrableDomain: registrableDomain)
            let other = Site(target, registrableDomain: registrableDomain)
            let isAsSecure = site.scheme == "https" || other.scheme != "https"
            return site.isSchemelesslySameSite(as: other) && isAsSecure ? .allowed : .blocked(.notSameSite)
        default: return .allowed
        }
    }
}
