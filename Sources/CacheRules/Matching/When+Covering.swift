/// Which conditions hold wherever others do.
extension When {
    /// Whether this condition holds for every exchange for which all of the others do.
    ///
    /// - Returns: `false` also where their texts alone do not tell.
    func covers(_ others: [When]) -> Bool {
        if alwaysHolds { return true }
        return switch kind {
        case .all(let inner): inner.allSatisfy { $0.covers(others) }
        case .any(let inner): inner.conditions.contains { $0.covers(others) } || others.contains { covers($0) }
        default: others.contains { covers($0) }
        }
    }

    private func covers(_ other: When) -> Bool {
        switch (kind, other.kind) {
        case (_, _) where self == other: true
        case (_, .any(let inner)): inner.conditions.allSatisfy { covers($0.conjuncts) }
        case (.connectivity(let mine), .connectivity(let theirs)): Set(theirs).isSubset(of: mine)
        case (.method(let mine), .method(let theirs)): Set(theirs).isSubset(of: mine)
        case (.destination(let mine), .destination(let theirs)): Set(theirs).isSubset(of: mine)
        case (.host(let mine), .host(let theirs)):
            theirs.patterns.allSatisfy { pattern in mine.patterns.contains { $0.covers(pattern) } }
        case (.fileExtension(let mine), .fileExtension(let theirs)): Set(theirs.patterns).isSubset(of: mine.patterns)
        case (.hashedName(let mine), .hashedName(let theirs)): Set(theirs).isSubset(of: mine)
        case (.pathPrefix(let mine), .pathPrefix(let theirs)):
            theirs.patterns.allSatisfy { prefix in mine.patterns.contains { prefix.starts(with: $0) } }
        case (.pathPrefix(let mine), .path(let theirs)):
            // What stands before the first character with a meaning is in every path that fits.
            theirs.patterns.allSatisfy { glob in
                let start = glob.text.utf8.prefix { !"*?\\".utf8.contains($0) }
                return mine.patterns.contains { start.starts(with: $0) }
            }
        case (.path(let mine), .path(let theirs)): Set(theirs.patterns).isSubset(of: mine.patterns)
        case (.query(let mine), .query(let theirs)): mine.values == nil && mine.name == theirs.name
        case (.requestHeader(let mine, nil), .requestHeader(let theirs, _)),
            (.responseHeader(let mine, nil), .responseHeader(let theirs, _)):
            mine == theirs
        case (.contentType(let mine), .contentType(let theirs)):
            theirs.allSatisfy { type in mine.contains { $0.covers(type) } }
        default: false
        }
    }
}
