import HTTPTypes

/// Cache directives for one class of caches, RFC 9213: fields like `CDN-Cache-Control` that replace `Cache-Control` and
/// `Expires` in the caches that they are meant for.
package enum TargetedCacheControl {
    /// The target list (§2.2) of a shared cache: `CDN-Cache-Control` alone (§3). A private cache has an empty one.
    package static let sharedCacheTargets: [HTTPField.Name] = [.cdnCacheControl]

    /// The directives of the first field of a target list with a valid, non-empty value (§2.2).
    ///
    /// §2.1 maps directives to types, and values of other types are ignored: a directive is left out if its value is
    /// false, a Decimal, a negative Integer, an inner list or one of RFC 9651's further types, and `max-age` and
    /// similar directives with anything but an Integer. Parameters are ignored.
    ///
    /// - Parameter names: The target list, the most applicable name first.
    /// - Returns: The directives that replace `Cache-Control` and `Expires`, even if none of them could be read; `nil`
    ///   if those two fields decide.
    package static func directives(_ fields: HTTPFields, names: [HTTPField.Name]) -> CacheControl? {
        for name in names {
            guard fields.firstLine(name) != nil,
                let members = StructuredField.dictionary(lines: fields[values: name]), !members.isEmpty
            else { continue }
            return CacheControl(members.compactMap { directive($0.key, $0.member) })
        }
        return nil
    }

    /// Directives whose argument is delta-seconds: RFC 9111 §5.2.2.1 and §5.2.2.10, RFC 5861 §3 and §4.
    private static let durations: Set<String> = ["max-age", "s-maxage", "stale-if-error", "stale-while-revalidate"]

    private static func directive(_ name: String, _ member: StructuredField.Member) -> CacheControl.Directive? {
        guard case .item(let item) = member else { return nil }
        if case .integer(let number) = item.value {
            return number < 0 ? nil : CacheControl.Directive(name: name, argument: String(number))
        }
        // "the max-age directive … has an integer value", so `max-age="60"` is ignored.
        guard !durations.contains(name) else { return nil }
        switch item.value {
        case .boolean(true): return CacheControl.Directive(name: name)
        case .string(let text), .token(let text): return CacheControl.Directive(name: name, argument: text)
        default: return nil
        }
    }
}
