import HTTPTypes

/// The `No-Vary-Search` field, draft-ietf-httpbis-no-vary-search-10: which differences between the queries of two
/// URIs are ignored in the choice of a stored response.
///
/// The draft's "URL variation config" (§4). The default varies on everything. It also applies if the field is absent,
/// not a valid Dictionary, or in conflict with §5.1: that costs hits and never mixes up responses. `params` may also be
/// a boolean, as up to draft 03 and in Chromium: true for every parameter except those of `except`.
package struct NoVarySearch: Hashable, Sendable, CustomStringConvertible {
    /// Which parameters matter. "Vary params is a list if and only if the no-vary params is wildcard" (§4).
    package enum Parameters: Hashable, Sendable {
        /// Every parameter except these, from `params`.
        case allBut(Set<QueryName>)
        /// Only these parameters, from `except`.
        case only(Set<QueryName>)
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
    private static func names(_ member: StructuredField.Member) -> Set<QueryName>? {
        guard case .innerList(let items) = member else { return nil }
        var names: Set<QueryName> = []
        for item in items {
            guard case .string(let text) = item.value else { return nil }
            names.insert(QueryName(octets: FormEncoding.decoded(text.utf8)))
        }
        return names
    }

    /// The field value, which ``init(lines:)`` reads back; empty for the default, for which no field is sent.
    package var description: String {
        var members = ignoresKeyOrder ? ["key-order"] : []
        switch parameters {
        case .allBut(let names): if !names.isEmpty { members.append("params=" + Self.printed(names)) }
        case .only(let names): members.append("except=" + Self.printed(names))
        }
        return members.joined(separator: ", ")
    }

    private static func printed(_ names: Set<QueryName>) -> String {
        let strings = names.sorted().map { StructuredField.serialized(string: FormEncoding.encoded($0.octets)) }
        return "(" + strings.joined(separator: " ") + ")"
    }
}

extension NoVarySearch {
    /// The field's value for parameters that do not change a response: `params=("v")`.
    ///
    /// - Returns: `nil` without parameters. Names that no String of RFC 8941 can hold are left out.
    package static func field(ignoring parameters: [String]) -> String? {
        let names = parameters.filter { name in
            !name.isEmpty && name.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        }
        return names.isEmpty ? nil : "params=(" + names.map { "\"\($0)\"" }.joined(separator: " ") + ")"
    }
}
