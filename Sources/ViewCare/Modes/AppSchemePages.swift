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
