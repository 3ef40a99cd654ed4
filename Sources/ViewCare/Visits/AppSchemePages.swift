import Fetching

/// The hosts whose pages a web view loads at the app-cache scheme.
package struct AppSchemePages: Hashable, Sendable {
    /// In lower case, with a port where it is not 443.
    package let hosts: Set<String>

    /// - Parameter hosts: In any case, such as `shop.example` or `shop.example:8443`.
    package init(hosts: some Sequence<String>) {
        self.hosts = Set(hosts.map { FetchText.lowercased($0) })
    }

    /// The URL at which the web view asks for an https page of these hosts; `nil` for every other URL.
    package func pageURL(of url: String) -> String? {
        guard case .web(let web) = URLReference.resolve(url, against: nil), let authority = web.origin.authority,
            web.origin.scheme == "https", hosts.contains(authority.description)
        else { return nil }
        return AppCacheScheme.pageURL(of: web.urlWithFragment)
    }
}

/// The hosts for which the proxy behind web views opens TLS, so that the store can answer. All
/// other traffic passes unread: those pages load as without Larder, and their passwords and cookies
/// stay between the web view and the host.
///
/// A host is a name without scheme, port or path: `shop.example` is that name alone,
/// `*.shop.example` every name below it and not itself. Case does not count. A name in any other
/// form names no host.
public enum InterceptedHosts: Hashable, Sendable {
    /// None: of pages in plain http alone the store answers anything.
    case none
    /// These alone, whatever they are. What an app should say that knows its sites: a host that is never named stays unread.
    case only([String])
    /// All but these, and but well-known hosts where people type a password or a card number
    /// (`InterceptPolicy.signInHosts`).
    case allExcept([String])
}

/// How far a page's load is.
public struct LoadProgress: Hashable, Sendable {
    /// From 0 to 1, as the web view estimates it by bytes.
    public var fraction: Double
    /// Whether the page is loading.
    public var isLoading: Bool
    /// As people know it: https also where the page is loaded at the app-cache scheme. `nil` without a page.
    public var url: String?
    /// The page's title, once it has one.
    public var title: String?

    /// Progress, for previews and tests of an app that shows it.
    public init(fraction: Double = 0, isLoading: Bool = false, url: String? = nil, title: String? = nil) {
        self.fraction = fraction.isFinite ? min(max(0, fraction), 1) : 0
        self.isLoading = isLoading
        self.url = url.map { AppCacheScheme.networkURL(of: $0) ?? $0 }
        self.title = title
    }
}
