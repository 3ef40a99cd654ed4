import CWebKitGTK

/// Registrable domains by the public-suffix list that libsoup brings, the one that WebKitGTK itself goes by.
enum PublicSuffixes {
    /// The registrable domain of a host, such as `example.co.uk`; `nil` for an address, or a public suffix itself.
    static func registrableDomain(_ host: String) -> String? {
        host.withCString { String(copying: soup_tld_get_base_domain($0, nil)) }
    }

    static func isPublicSuffix(_ host: String) -> Bool { soup_tld_domain_is_public_suffix(host) != 0 }
}
