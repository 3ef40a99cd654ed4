/// Which domains are public suffixes, for platforms that have a list and show it to nobody, as Apple's.
///
/// Larder ships no public suffix list. This knows the shape of those second levels that registries of countries sell
/// below, such as `co.uk` and `com.br`, and takes every single label for a suffix. It errs in both directions: it knows none
/// of the hosts that give names to strangers, such as `github.io`. An app whose pages are on such a host passes a list of its
/// own.
package enum PublicSuffixGuess {
    /// Second levels that registries of countries have in common; RFC 1591 §2 names the roles that they copy.
    private static let shared: Set<String> = [
        "ac", "co", "com", "edu", "gob", "gouv", "gov", "govt", "go", "id", "info", "ltd", "me", "mil", "ne", "net",
        "nom", "or", "org", "plc", "sch",
    ]

    /// - Parameter domain: In lower case, without a final dot.
    package static func isPublicSuffix(_ domain: String) -> Bool {
        let labels = domain.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard labels.count == 2 else { return labels.count < 2 }
        return labels[1].count == 2 && shared.contains(String(Substring(labels[0])))
    }

    /// The registrable domain of a host, such as `example.co.uk`; `nil` for a public suffix itself.
    package static func registrableDomain(_ host: String) -> String? {
        let labels = host.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        for count in 1..<max(2, labels.count + 1) where count <= labels.count {
            let domain = labels.suffix(count).map { String(Substring($0)) }.joined(separator: ".")
            if !isPublicSuffix(domain) { return domain }
        }
        return nil
    }
}
