import HTTPCacheSemantics

/// An origin, HTML §7.1.1: scheme, host and port, or an opaque one.
///
/// `==` compares serializations, for tables and keys. Whether one origin may see another's bytes is the question of
/// ``isSameOrigin(as:)``, which never holds for an opaque origin: two documents whose origin is `null` are strangers.
package struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// In lower case; `nil` in an opaque origin.
    package let scheme: String?
    /// `nil` in an opaque origin. The port is `nil` where it is the scheme's default.
    package let authority: Authority?

    /// An opaque origin, serialized as `null`: of a sandboxed frame, a `data:` URL, or a redirect that hides its
    /// source.
    package static let opaque = WebOrigin(parts: nil, nil)

    private init(parts scheme: String?, _ authority: Authority?) {
        self.scheme = scheme
        self.authority = authority
    }

    /// - Parameters:
    ///   - scheme: In any case.
    ///   - authority: The scheme's default port is left out of the origin.
    package init(scheme: String, authority: Authority) {
        let scheme = FetchText.lowercased(scheme)
        let port = authority.port == TargetURI.defaultPort(of: scheme) ? nil : authority.port
        self.init(parts: scheme, Authority(host: authority.host, port: port))
    }

    /// The origin of a URL, URL standard §4.7.
    ///
    /// `blob:` URLs have the origin of the http or https URL inside. `file:`, `data:`, `about:`, `javascript:`, a URL
    /// without a host, and a text that is no absolute URL have an opaque origin, which is the strictest answer.
    package init(url: String) {
        self = Self.tuple(of: url, insideBlob: false) ?? .opaque
    }

    /// Reads the value of `Origin`, RFC 6454 §7.1 and Fetch §3.2.
    ///
    /// - Returns: `nil` unless the text is `null` or a serialized origin without path, userinfo or white space.
    package init?(serialized text: String) {
        if text == "null" {
            self = .opaque
            return
        }
        guard let parts = TargetURI.split(text), let authority = Self.authority(parts.authority),
            // Parts that `split` left out show here: a path, a fragment, userinfo.
            FetchText.lowercased(text) == parts.scheme + "://" + FetchText.lowercased(parts.authority)
        else { return nil }
        self = WebOrigin(scheme: parts.scheme, authority: authority)
    }

    /// The ASCII serialization, HTML §7.1.1: `https://host`, `https://host:8443`, or `null`.
    package var description: String {
        guard let scheme, let authority else { return "null" }
        return "\(scheme)://\(authority)"
    }

    package var isOpaque: Bool { authority == nil }

    /// The same host and port at https.
    package var upgraded: WebOrigin { authority.map { WebOrigin(scheme: "https", authority: $0) } ?? self }

    /// "Same origin", HTML §7.1.1. Never holds for an opaque origin, not even for itself: a value can't tell one opaque
    /// origin from another.
    package func isSameOrigin(as other: WebOrigin) -> Bool { !isOpaque && self == other }

    /// Whether the origin is potentially trustworthy (Secure Contexts §3.1). An origin of the app-cache scheme counts
    /// as its https origin.
    package var isPotentiallyTrustworthy: Bool {
        !isOpaque && TrustworthyOrigin.isPotentiallyTrustworthy(origin: onNetwork.description)
    }

    /// Whether servers see it at https. Loopback is as trustworthy, but what is not encrypted there is mixed content
    /// all the same.
    var isHTTPS: Bool { onNetwork.scheme == "https" }

    /// The origin that servers see: `https://h` for a page at `app-cache-https://h`, otherwise the origin itself.
    package var onNetwork: WebOrigin {
        guard scheme == AppCacheScheme.name, let authority else { return self }
        return WebOrigin(scheme: "https", authority: authority)
    }

    private static func tuple(of url: String, insideBlob: Bool) -> WebOrigin? {
        switch URLReference.resolve(url, against: nil) {
        case .web(let web): return web.origin
        case .unusable: return nil
        case .other(let scheme, let url):
            if scheme == "blob" {
                // "If pathURL's scheme is not http, https or file, then return a new opaque origin."
                let inner = String(url.dropFirst("blob:".count))
                return insideBlob || !(inner.hasPrefix("http") || inner.hasPrefix(AppCacheScheme.name))
                    ? nil : tuple(of: inner, insideBlob: true)
            }
            guard !["file", "data", "about", "javascript"].contains(scheme), let parts = TargetURI.split(url),
                let authority = authority(parts.authority)
            else { return nil }
            return WebOrigin(scheme: scheme, authority: authority)
        }
    }

    private static func authority(_ text: String) -> Authority? { text.utf8.contains(0x25) ? nil : Authority(text) }
}

/// A site, HTML §7.1.1.1: a scheme and a registrable domain.
///
/// A closure names the registrable domain, such as one over `PublicSuffixes`. Without it the whole host is the site,
/// which is stricter: `a.shop.test` and `b.shop.test` are then two sites.
package struct Site: Hashable, Sendable, CustomStringConvertible {
    /// Gives the registrable domain of a host in lower case; `nil` if the host is itself a public suffix.
    package typealias RegistrableDomain = @Sendable (_ host: String) -> String?

    /// `nil` in an opaque origin.
    package let scheme: String?
    /// The registrable domain, or the whole host where there is none; `nil` in an opaque origin.
    package let host: String?

    /// - Parameter registrableDomain: Not asked for IP addresses, which have none. An answer that is no suffix of the
    ///   host, at a dot, is ignored.
    package init(_ origin: WebOrigin, registrableDomain: RegistrableDomain? = nil) {
        let origin = origin.onNetwork
        scheme = origin.scheme
        host = origin.authority.map { Self.domain(of: $0.host, registrableDomain) }
    }

    /// "Same site": the same scheme too. Never holds for opaque origins.
    package func isSameSite(as other: Site) -> Bool { scheme == other.scheme && isSchemelesslySameSite(as: other) }

    /// "Schemelessly same site". Never holds for opaque origins.
    package func isSchemelesslySameSite(as other: Site) -> Bool { host != nil && host == other.host }

    /// The serialization, HTML §7.1.1.1: `https://shop.test`, or `null` for that of an opaque origin.
    package var description: String {
        guard let scheme, let host else { return "null" }
        return "\(scheme)://\(host)"
    }

    private static func domain(of host: String, _ registrableDomain: RegistrableDomain?) -> String {
        guard let registrableDomain, !CookieDomain.isAddress(host), let domain = registrableDomain(host),
            !domain.isEmpty,
            host == domain || host.hasSuffix("." + domain)
        else { return host }
        return domain
    }
}

/// How far the URLs of a request are from the origin that asks, Fetch Metadata §2.3. A redirect never brings it nearer.
package enum SiteRelation: String, Comparable, CaseIterable, Sendable {
    case sameOrigin = "same-origin"
    case sameSite = "same-site"
    case crossSite = "cross-site"

    /// - Parameter origin: The requesting origin; an unknown or opaque one is cross-site.
    package init(_ origin: WebOrigin?, to target: WebOrigin, registrableDomain: Site.RegistrableDomain? = nil) {
        if origin?.isSameOrigin(as: target) == true {
            self = .sameOrigin
        } else {
            let site = Site(origin ?? .opaque, registrableDomain: registrableDomain)
            self = site.isSameSite(as: Site(target, registrableDomain: registrableDomain)) ? .sameSite : .crossSite
        }
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: SiteRelation, right: SiteRelation) -> Bool { left.rank < right.rank }
}
