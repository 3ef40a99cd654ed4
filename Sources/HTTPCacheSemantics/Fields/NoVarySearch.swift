import HTTPTypes

/// The `No-Vary-Search` field, draft-ietf-httpbis-no-vary-search-10: which differences between the queries of two
/// URIs are ignored in the choice of a stored response.
///
/// The draft's "URL variation config" (§4). The default varies on everything. It also applies if the field is absent,
/// not a valid Dictionary, or in conflict with §5.1: that costs hits and never mixes up responses. `params` may also be
/// a boolean, as up to draft 03 and in Chromium: true for every parameter except those of `except`.
package struct NoVarySearch: Hashable, Sendable {
    /// Which parameters matter. "Vary params is a list if and only if the no-vary params is wildcard" (§4).
    ///
    /// Names are the octets of their UTF-8, decoded: "no Unicode normalization is performed" (§6.1), whereas `String`
    /// compares canonical equivalence.
    package enum Parameters: Hashable, Sendable {
        /// Every parameter except these, from `params`.
        case allBut(Set<[UInt8]>)
        /// Only these parameters, from `except`.
        case only(Set<[UInt8]>)
    }

    /// Whether the order of parameters with different names does not matter, from `key-order`.
    package var ignoresKeyOrder: Bool
    /// The parameters that matter.
    package var parameters: Parameters

    /// Without arguments the default: everything matters.
    package init(ignoresKeyOrder: Bool = false, parameters: Parameters = .allBut([])) {
        self.ignoresKeyOrder = ignoresKeyOrder
        self.parameters = parameters
    }

    /// Reads every line of the field.
    package init(_ fields: HTTPFields) {
        self.init(lines: fields[values: .noVarySearch])
    }

    /// - Parameter lines: The values of the field's lines, in order.
    package init(lines: [String]) {
        self = Self.parsed(StructuredField.dictionary(lines: lines) ?? []) ?? NoVarySearch()
    }

    /// §5.1; `nil` where that section returns the default. Unknown keys are ignored (§3).
    private static func parsed(_ members: [(key: String, member: StructuredField.Member)]) -> NoVarySearch? {
        var result = NoVarySearch()
        var (hasList, hasExceptions) = (false, false)
        var ignoresAll: Bool?
        for (key, member) in members {
            switch key {
            case "key-order":
                guard case .item(let item) = member, case .boolean(let isIgnored) = item.value else { return nil }
                result.ignoresKeyOrder = isIgnored
            case "params":
                if case .item(let item) = member, case .boolean(let isIgnored) = item.value {
                    ignoresAll = isIgnored
                } else {
                    guard let names = names(member) else { return nil }
                    hasList = true
                    result.parameters = .allBut(names)
                }
            case "except":
                guard let names = names(member) else { return nil }
                hasExceptions = true
                result.parameters = .only(names)
            default: break
            }
        }
        // `except` contradicts a list of names and a false `params`: neither ignores all other parameters.
        if hasExceptions, hasList || ignoresAll == false { return nil }
        if ignoresAll == true, !hasExceptions { result.parameters = .only([]) }
        return result
    }

    /// §5.3 for each item of an inner list of Strings.
    private static func names(_ member: StructuredField.Member) -> Set<[UInt8]>? {
        guard case .innerList(let items) = member else { return nil }
        var names: Set<[UInt8]> = []
        for item in items {
            guard case .string(let text) = item.value else { return nil }
            names.insert(FormEncoding.decoded(text.utf8))
        }
        return names
    }
}

extension NoVarySearch {
    /// The field's value for parameters that do not change a response: `params=("v")`, and `params` for `*`.
    ///
    /// - Returns: `nil` without parameters. Names that no String of RFC 8941 can hold are left out.
    package static func field(ignoring parameters: [String]) -> String? {
        if parameters.contains("*") { return "params" }
        let names = parameters.filter { name in
            !name.isEmpty && name.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        }
        return names.isEmpty ? nil : "params=(" + names.map { "\"\($0)\"" }.joined(separator: " ") + ")"
    }
}

extension NoVarySearch {
    /// Whether two URIs are "equivalent modulo URL variation config", §6: a response stored for one, with this value
    /// in its `No-Vary-Search`, may answer a request for the other.
    ///
    /// Takes at most n·log n steps for n octets in both queries.
    ///
    /// - Parameters:
    ///   - stored: The absolute URI of the stored response. Userinfo and fragment are ignored.
    ///   - presented: The absolute URI of the presented request.
    /// - Returns: False if either is not an absolute URI with a host.
    package func match(_ stored: String, _ presented: String) -> Bool {
        guard let stored = Parts(stored), let presented = Parts(presented), stored.base == presented.base else {
            return false
        }
        // Even an empty query differs from an absent one by default.
        if self == NoVarySearch() { return stored.query == presented.query }
        return significant(stored.query) == significant(presented.query)
    }

    /// A URI in the form of cache keys, split before its query.
    private struct Parts {
        var base: String
        /// Without the question mark; `nil` if there is none.
        var query: String?

        init?(_ uri: String) {
            guard let parts = TargetURI.split(uri) else { return nil }
            let text = TargetURI.normalized(scheme: parts.scheme, authority: parts.authority, path: parts.path)
            let mark = text.utf8.firstIndex(of: 0x3F)
            base = String(text[..<(mark ?? text.endIndex)])
            query = mark.map { String(text[text.utf8.index(after: $0)...]) }
        }
    }

    /// The parameters that matter, sorted if their order does not.
    private func significant(_ query: String?) -> [FormEncoding.Parameter] {
        guard let query else { return [] }
        let all = FormEncoding.parameters(query.utf8)
        let kept =
            switch parameters {
            case .allBut(let names): all.filter { !names.contains($0.name) }
            case .only(let names): all.filter { names.contains($0.name) }
            }
        guard ignoresKeyOrder else { return kept }
        // The sort is stable: the order of values of one name matters.
        return kept.enumerated()
            .sorted { left, right in
                left.element.name == right.element.name
                    ? left.offset < right.offset : left.element.name.lexicographicallyPrecedes(right.element.name)
            }
            .map(\.element)
    }
}

/// `application/x-www-form-urlencoded`, URL Standard §5: names and values in a query.
enum FormEncoding {
    /// One name and its value, decoded, as UTF-8.
    struct Parameter: Hashable, Sendable {
        var name: [UInt8]
        var value: [UInt8]
    }

    /// The parser of §5.1: splits at `&`, skips empty items, splits each item at its first `=`.
    static func parameters(_ query: some Collection<UInt8>) -> [Parameter] {
        query.split(separator: 0x26).map { sequence in
            let end = sequence.firstIndex(of: 0x3D)
            let value = end.map { sequence[sequence.index(after: $0)...] }
            return Parameter(
                name: decoded(sequence[..<(end ?? sequence.endIndex)]), value: value.map { decoded($0) } ?? [])
        }
    }

    /// `+` is a space, `%` and two digits are an octet, and invalid UTF-8 becomes U+FFFD.
    static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        let octets = PercentEncoding.decoded(text.map { $0 == 0x2B ? 0x20 : $0 })
        guard octets.contains(where: { $0 >= 0x80 }) else { return octets }
        return Array(String(decoding: octets, as: UTF8.self).utf8)
    }
}
