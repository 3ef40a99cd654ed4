/// Properties of a condition that do not depend on an exchange.
extension When {
    /// Whether it holds for every request that a store could answer.
    var alwaysHolds: Bool {
        switch kind {
        case .connectivity(let traits): traits.contains(.connected) && traits.contains(.disconnected)
        case .host(let patterns): patterns.patterns.contains { $0.text == "*" }
        case .pathPrefix(let prefixes): prefixes.patterns.contains([0x2F])
        case .path(let globs): globs.patterns.contains { $0.text == "**" || $0.text == "/**" }
        case .all(let inner): inner.allSatisfy(\.alwaysHolds)
        case .any(let inner): inner.conditions.contains(where: \.alwaysHolds)
        case .not(let inner): inner.contains(where: \.neverHolds)
        case .method, .destination, .fileExtension, .hashedName, .query, .requestHeader, .regularExpression, .freshness,
            .contentType, .responseHeader:
            false
        }
    }

    /// Whether it never holds: an empty list of alternatives, or a negation of what always holds.
    var neverHolds: Bool {
        switch kind {
        case .connectivity(let traits): traits.isEmpty
        case .method(let methods): methods.isEmpty
        case .destination(let destinations): destinations.isEmpty
        case .host(let patterns): patterns.patterns.isEmpty
        case .fileExtension(let names): names.patterns.isEmpty
        case .pathPrefix(let prefixes): prefixes.patterns.isEmpty
        case .path(let globs): globs.patterns.isEmpty
        case .query(let item): item.values?.isEmpty ?? false
        case .requestHeader(_, let values), .responseHeader(_, let values): values?.isEmpty ?? false
        case .regularExpression(let expressions): expressions.isEmpty
        case .contentType(let types): types.isEmpty
        case .all(let inner): inner.contains(where: \.neverHolds)
        case .any(let inner): inner.conditions.allSatisfy(\.neverHolds)
        case .not(let inner): inner.allSatisfy(\.alwaysHolds)
        case .hashedName, .freshness: false
        }
    }

    /// The conditions that must all hold.
    var conjuncts: [When] {
        if case .all(let inner) = kind { inner.flatMap(\.conjuncts) } else { [self] }
    }

    /// - Parameter name: The name of the rule with these conditions.
    static func warning(neverHolds name: String) -> String {
        "\"\(name)\" never holds: one of its conditions is an empty list, or excludes everything."
    }
}
