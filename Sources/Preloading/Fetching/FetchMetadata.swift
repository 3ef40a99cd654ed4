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
            } else {
                self = TargetURI.haveSameOrigin(item.origin ?? item.url, url) ? .sameOrigin : .sameSite
            }
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
