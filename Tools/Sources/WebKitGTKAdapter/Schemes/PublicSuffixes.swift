import CWebKitGTK
import HTTPCacheSemantics

/// The names that belong to one owner, as WebKitGTK sees it.
enum PublicSuffixes {
    /// The registrable domain of a host, such as `example.co.uk`; `nil` for an address, or a public suffix itself. By
    /// the list in Larder: libsoup's function gives none where no list names the last label, and WebKit goes by the
    /// rule `*` there.
    static func registrableDomain(_ host: String) -> String? {
        HTTPCacheSemantics.PublicSuffixes.registrableDomain(host)
    }

    static func isPublicSuffix(_ host: String) -> Bool { soup_tld_domain_is_public_suffix(host) != 0 }
}
