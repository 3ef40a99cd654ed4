/// The public suffix list: domains below which strangers register names, such as `com`, `co.uk` and `github.io`.
///
/// A site, a cookie and a certificate must not reach over such a domain. The list of this version is as old as Larder's
/// release; an app that needs a newer one passes its own to the web view's options. All functions take names in lower
/// case, in punycode and without a final dot, and no addresses. The algorithm is that of
/// <https://github.com/publicsuffix/list/wiki/Format>.
package enum PublicSuffixes {
    /// Whether names directly below a domain belong to different people; always for a single label.
    package static func isPublicSuffix(_ domain: String) -> Bool { registrableDomain(domain) == nil }

    /// Whether a registry sells the names below a domain. `github.io` is no such domain, though it is a public suffix:
    /// its owner answers for all names below and has certificates for `*.github.io`.
    package static func isRegistrySuffix(_ domain: String) -> Bool {
        registrableDomain(domain, amongPrivate: false) == nil
    }

    /// The registrable domain of a host, such as `example.co.uk`; `nil` for a public suffix itself and for what is no
    /// name.
    package static func registrableDomain(_ host: String) -> String? { registrableDomain(host, amongPrivate: true) }

    private static func registrableDomain(_ host: String, amongPrivate: Bool) -> String? {
        let labels = host.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty }) else { return nil }
        // Without a rule the last label is the suffix: the algorithm's rule "*".
        var (suffix, key) = (1, [UInt8]())
        for (index, label) in labels.reversed().enumerated() {
            if index > 0 { key.append(0x2E) }
            key += label
            guard let rule = find(key) else { continue }
            if rule == .exception {
                suffix = index
                break
            }
            if rule.names(amongPrivate) { suffix = max(suffix, index + 1) }
            if rule.namesChildren(amongPrivate) { suffix = max(suffix, index + 2) }
        }
        guard suffix < labels.count else { return nil }
        return labels.suffix(suffix + 1).map { String(Substring($0)) }.joined(separator: ".")
    }

    /// The rules for one name. The table has it as a capital letter: 0 for no rule, 1 for one of registries and 2 for a
    /// private one, plus three times the same for the wildcard below the name.
    private struct Rule: Equatable {
        static let exception = Rule(code: 9)
        let code: UInt8

        func names(_ amongPrivate: Bool) -> Bool { Self.counts(code % 3, amongPrivate) }
        func namesChildren(_ amongPrivate: Bool) -> Bool { Self.counts(code / 3, amongPrivate) }

        private static func counts(_ kind: UInt8, _ amongPrivate: Bool) -> Bool {
            kind == 1 || kind == 2 && amongPrivate
        }
    }

    /// Finds a name, whose labels are in reverse order, by halves: each name in the table ends with its capital letter.
    private static func find(_ key: [UInt8]) -> Rule? {
        let table = UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
        var (low, high) = (0, table.count)
        while low < high {
            var start = (low + high) / 2
            while start > low, !isCapital(table[start - 1]) { start -= 1 }
            var end = start
            while !isCapital(table[end]) { end += 1 }
            let name = table[start..<end]
            if name.elementsEqual(key) { return Rule(code: table[end] - 0x41) }
            if name.lexicographicallyPrecedes(key) { low = end + 1 } else { high = start }
        }
        return nil
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
}
