import HTTPTypes

/// The names in `Cookie` and `Set-Cookie` fields, read as browsers do (RFC 6265bis §5.6): a pair without `=` has no
/// name.
package enum CookieNames {
    /// How many `Set-Cookie` fields of one response are read.
    private static let fieldLimit = 100

    /// The cookies that a response sets or removes, and the last value of each.
    package static func set(by fields: HTTPFields) -> [String: String] {
        let pairs = fields[values: .setCookie].prefix(fieldLimit).map { pair($0.utf8.prefix { $0 != 0x3B }) }
        return Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The names of cookies that one `Cookie` field has and the other has not, or with other values.
    package static func differing(_ one: String?, _ other: String?) -> Set<String> {
        let (one, other) = (values(in: one), values(in: other))
        return Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
    }

    /// The values by name. One name may have several, for several paths.
    package static func values(in cookie: String?) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for part in (cookie ?? "").utf8.split(separator: 0x3B) {
            let (name, value) = pair(part)
            if !name.isEmpty || !value.isEmpty { values[name, default: []].append(value) }
        }
        return values
    }

    package static func pair(_ octets: Substring.UTF8View) -> (name: String, value: String) {
        guard let sign = octets.firstIndex(of: 0x3D) else { return ("", ListField.trimmed(Substring(octets))) }
        let value = octets[octets.index(after: sign)...]
        return (ListField.trimmed(Substring(octets[..<sign])), ListField.trimmed(Substring(value)))
    }
}
