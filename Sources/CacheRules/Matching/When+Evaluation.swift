import HTTPCacheSemantics
import HTTPTypes

extension When {
    func holds(_ subject: borrowing Subject) -> Truth {
        let exchange = subject.exchange
        switch kind {
        case .connectivity(let traits):
            let connectivity = exchange.pointee.connectivity
            return Truth(traits.contains { connectivity.has($0) })
        case .method(let methods): return Truth(methods.contains(exchange.pointee.request.method))
        case .destination(let destinations): return Truth(destinations.contains(exchange.pointee.destination))
        case .host(let patterns): return Truth(patterns.contains { $0.fits(subject) })
        case .fileExtension(let names):
            let fileExtension = subject.fileExtension
            return Truth(names.contains { !$0.isEmpty && fileExtension.equals(lowercase: $0) })
        case .hashedName(let items):
            // The name of a static file always has an extension.
            guard !exchange.pointee.distrustsHashedNames, !subject.fileExtension.isEmpty,
                let path = exchange.pointee.request.path
            else { return .no }
            return Truth(HashedName(path: path, queryItems: items) != nil)
        case .pathPrefix(let prefixes):
            let path = subject.path
            return Truth(prefixes.contains { path.hasPrefix($0) })
        case .path(let globs):
            let path = subject.path
            return Truth(globs.contains { $0.fits(path) })
        case .query(let item): return Truth(item.fits(subject))
        case .requestHeader(let name, let values):
            return Truth(Self.hasLine(name, values, in: exchange.pointee.request.headerFields))
        case .freshness(let stated):
            guard let fields = exchange.pointee.response?.headerFields else { return .unknown }
            guard stated == .olderThanPage else { return Truth(StatedFreshness(fields) == stated) }
            // A server states the freshness of a file for the query that it was asked with.
            let isOlder = exchange.pointee.isOlderThanPage
            return Truth(isOlder && (exchange.pointee.isOfOtherQuery || StatedFreshness(fields) == .unstated))
        case .contentType(let types):
            guard let fields = exchange.pointee.response?.headerFields else { return .unknown }
            guard let value = fields.combined(.contentType) else { return .no }
            return Truth(Subject.withBytes(value) { bytes in types.contains { $0.fits(bytes) } })
        case .responseHeader(let name, let values):
            guard let fields = exchange.pointee.response?.headerFields else { return .unknown }
            return Truth(Self.hasLine(name, values, in: fields))
        case .all(let conditions): return Self.all(conditions, subject)
        case .any(let conditions): return Self.any(conditions, subject)
        case .not(let conditions):
            return switch Self.all(conditions, subject) {
            case .yes: .no
            case .unknown: .unknown
            case .no: .yes
            }
        }
    }

    static func all(_ conditions: [When], _ subject: borrowing Subject) -> Truth {
        var (truth, place) = (Truth.yes, 0)
        // An index, because an iterator would retain one more reference.
        while place < conditions.count {
            switch conditions[place].holds(subject) {
            case .no: return .no
            case .unknown: truth = .unknown
            case .yes: break
            }
            place += 1
        }
        return truth
    }

    private static func any(_ conditions: [When], _ subject: borrowing Subject) -> Truth {
        var truth = Truth.no
        for condition in conditions {
            switch condition.holds(subject) {
            case .yes: return .yes
            case .unknown: truth = .unknown
            case .no: break
            }
        }
        return truth
    }

    private static func hasLine(_ name: HTTPField.Name, _ values: [GlobPattern]?, in fields: HTTPFields) -> Bool {
        var next = fields.position(of: name)
        guard let values else { return next != nil }
        while let place = next {
            if fields[place].withUnsafeBytesOfValue({ bytes in values.contains { $0.fits(bytes) } }) { return true }
            next = fields.position(of: name, from: place + 1)
        }
        return false
    }
}

extension When.Truth {
    fileprivate init(_ holds: Bool) { self = holds ? .yes : .no }
}

/// Which conditions hold wherever others do.
extension When {
    /// Whether all of some conditions hold wherever all of the others do.
    ///
    /// - Returns: `false` also where their texts alone do not tell, and where the others never hold.
    static func covers(_ conditions: [When], _ others: [When]) -> Bool {
        let theirs = others.flatMap(\.conjuncts)
        return !theirs.contains(where: \.neverHolds) && conditions.allSatisfy { $0.covers(theirs) }
    }

    /// Whether this condition holds for every exchange for which all of the others do.
    ///
    /// - Returns: `false` also where their texts alone do not tell.
    func covers(_ others: [When]) -> Bool {
        if alwaysHolds { return true }
        return switch kind {
        case .all(let inner): inner.allSatisfy { $0.covers(others) }
        case .any(let inner): inner.contains { $0.covers(others) } || others.contains { covers($0) }
        case .connectivity, .method, .destination, .host, .fileExtension, .hashedName, .pathPrefix, .path, .query,
            .requestHeader, .freshness, .contentType, .responseHeader, .not:
            others.contains { covers($0) }
        }
    }

    private func covers(_ other: When) -> Bool {
        if self == other { return true }
        switch (kind, other.kind) {
        case (_, .any(let inner)): return inner.allSatisfy { covers($0.conjuncts) }
        case (.pathPrefix(let mine), .path(let theirs)):
            // The literal start of a pattern is in every path that fits.
            return theirs.allSatisfy { glob in
                let start = glob.text.utf8.prefix { !"*?\\".utf8.contains($0) }
                return mine.contains { start.starts(with: $0) }
            }
        default: return key == other.key && coversOwnKind(other.kind)
        }
    }

    /// Compares conditions of one kind. Exhaustive, so that a new kind has to say what it covers.
    private func coversOwnKind(_ other: Kind) -> Bool {
        switch kind {
        case .connectivity(let mine):
            if case .connectivity(let theirs) = other { return Set(theirs).isSubset(of: mine) }
        case .method(let mine): if case .method(let theirs) = other { return Set(theirs).isSubset(of: mine) }
        case .destination(let mine): if case .destination(let theirs) = other { return Set(theirs).isSubset(of: mine) }
        case .host(let mine):
            guard case .host(let theirs) = other else { return false }
            return theirs.allSatisfy { pattern in mine.contains { $0.covers(pattern) } }
        case .fileExtension(let mine):
            if case .fileExtension(let theirs) = other { return Set(theirs).isSubset(of: mine) }
        case .hashedName(let mine): if case .hashedName(let theirs) = other { return Set(theirs).isSubset(of: mine) }
        case .pathPrefix(let mine):
            guard case .pathPrefix(let theirs) = other else { return false }
            return theirs.allSatisfy { prefix in mine.contains { prefix.starts(with: $0) } }
        case .path(let mine): if case .path(let theirs) = other { return Set(theirs).isSubset(of: mine) }
        case .query(let mine):
            if case .query(let theirs) = other { return mine.values == nil && mine.name == theirs.name }
        case .requestHeader(let mine, nil): if case .requestHeader(mine, _) = other { return true }
        case .responseHeader(let mine, nil): if case .responseHeader(mine, _) = other { return true }
        case .contentType(let mine):
            guard case .contentType(let theirs) = other else { return false }
            return theirs.allSatisfy { type in mine.contains { $0.covers(type) } }
        case .requestHeader, .responseHeader, .freshness, .all, .any, .not: return false
        }
        return false
    }
}

/// Properties of a condition that do not depend on an exchange.
extension When {
    /// Whether it holds for every request that a store could answer.
    var alwaysHolds: Bool {
        switch kind {
        case .connectivity(let traits): traits.contains(.connected) && traits.contains(.disconnected)
        case .host(let patterns): patterns.contains { $0.text == "*" }
        case .pathPrefix(let prefixes): prefixes.contains([0x2F])
        case .path(let globs): globs.contains { $0.text == "**" || $0.text == "/**" }
        case .all(let inner): inner.allSatisfy(\.alwaysHolds)
        case .any(let inner): inner.contains(where: \.alwaysHolds)
        case .not(let inner): inner.contains(where: \.neverHolds)
        case .method, .destination, .fileExtension, .hashedName, .query, .requestHeader, .freshness,
            .contentType, .responseHeader:
            false
        }
    }

    /// Whether it never holds: an empty list of alternatives, or a negation of what always holds.
    var neverHolds: Bool {
        switch kind {
        case .connectivity(let traits): traits.isEmpty
        // Methods are compared with case (RFC 9110 §9.1), and those that web views use are in upper case.
        case .method(let methods): methods.allSatisfy { $0.rawValue == $0.rawValue.lowercased() }
        case .destination(let destinations): destinations.isEmpty
        case .host(let patterns): patterns.isEmpty
        case .fileExtension(let names): names.isEmpty
        case .pathPrefix(let prefixes):
            prefixes.allSatisfy { $0.contains(0x3F) || Self.isUnwritten(String(decoding: $0, as: UTF8.self)) }
        case .path(let globs): globs.allSatisfy { Self.isUnwritten($0.text) }
        case .query(let item): item.values?.isEmpty ?? false
        case .requestHeader(_, let values), .responseHeader(_, let values): values?.isEmpty ?? false
        case .contentType(let types): types.isEmpty
        case .all(let inner): inner.contains(where: \.neverHolds)
        case .any(let inner): inner.allSatisfy(\.neverHolds)
        case .not(let inner): inner.allSatisfy(\.alwaysHolds)
        case .hashedName, .freshness: false
        }
    }

    /// Whether no request has such a path: octets that requests percent-encode, or dots as a segment (RFC 3986 §5.2.4).
    private static func isUnwritten(_ path: String) -> Bool {
        !path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            || path.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// The conditions that must all hold.
    var conjuncts: [When] {
        if case .all(let inner) = kind { inner.flatMap(\.conjuncts) } else { [self] }
    }

    /// - Parameter name: The name of the rule with these conditions.
    static func warning(neverHolds name: String) -> String {
        "\"\(name)\" never holds: one of its conditions is an empty list, excludes everything, or is a method or path "
            + "that no request has; write methods in upper case, paths without a query, é as %C3%A9 and a space as %20."
    }
}
