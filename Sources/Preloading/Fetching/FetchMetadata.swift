import HTTPCacheSemantics
import HTTPTypes

/// `Sec-Fetch-*`, Fetch Metadata Request Headers §2.
enum FetchMetadata {
    static let destination = HTTPField.Name("Sec-Fetch-Dest")
    private static let mode = HTTPField.Name("Sec-Fetch-Mode")
    private static let site = HTTPField.Name("Sec-Fetch-Site")

    /// §2.3, between a page and what it asks for.
    enum Relation: String {
        case sameOrigin = "same-origin"
        case sameSite = "same-site"
        case crossSite = "cross-site"
        /// The user, and no page, asks.
        case none

        init(of item: PreloadItem, to url: String) {
            if item.destination == .document {
                self = .none
            } else if !item.site.isEmpty {
                self = .crossSite
            } else if TargetURI.haveSameOrigin(item.origin ?? item.url, url) {
                self = .sameOrigin
            } else {
                self = Self.areSameSite(item.origin ?? item.url, url) ? .sameSite : .crossSite
            }
        }

        /// "Same site", HTML §7.1.1.2: scheme and registrable domain, or the very host.
        private static func areSameSite(_ one: String, _ other: String) -> Bool {
            guard let first = parts(one), let second = parts(other), first.scheme == second.scheme else { return false }
            if first.host == second.host { return true }
            guard !isAddress(first.host), !isAddress(second.host),
                let domain = PublicSuffixes.registrableDomain(first.host)
            else { return false }
            return domain == PublicSuffixes.registrableDomain(second.host)
        }

        private static func parts(_ url: String) -> (scheme: String, host: String)? {
            guard let parts = TargetURI.resolve(url, against: url).flatMap({ TargetURI.split($0) }),
                let authority = Authority(parts.authority)
            else { return nil }
            return (parts.scheme, authority.host)
        }

        private static func isAddress(_ host: String) -> Bool {
            host.utf8.contains(0x3A) || host.utf8.last.map { (0x30...0x39).contains($0) } == true
        }
    }

    static func add(to fields: inout HTTPFields, _ item: PreloadItem, _ relation: Relation) {
        if let name = destination { fields[name] = item.destination.destination.rawValue }
        if let name = mode { fields[name] = item.mode.rawValue }
        if let name = site { fields[name] = relation.rawValue }
    }

    /// The serialization of a URL's origin, HTML §7.1.1.
    static func origin(_ url: String) -> String? {
        TargetURI.resolve("/", against: url).map { String($0.dropLast()) }
    }
}
