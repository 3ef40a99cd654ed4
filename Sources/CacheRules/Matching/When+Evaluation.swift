import HTTPCacheSemantics
import HTTPTypes

extension When {
    func holds(_ subject: borrowing Subject) -> Truth {
        switch kind {
        case .connectivity(let traits):
            let connectivity = subject.connectivity
            return Truth(traits.contains { connectivity.has($0) })
        case .method(let methods): return Truth(methods.contains(subject.method))
        case .destination(let destinations): return Truth(destinations.contains(subject.destination))
        case .host(let patterns):
            return Truth(patterns.contains(among: subject.prefilter.hosts) { $0.fits(subject) })
        case .fileExtension(let names):
            let fileExtension = subject.fileExtension
            return Truth(
                names.contains(among: subject.prefilter.extensions) {
                    !$0.isEmpty && fileExtension.equals(lowercase: $0)
                })
        case .hashedName(let items):
            // The name of a static file always has an extension.
            guard !subject.distrustsHashedNames, !subject.fileExtension.isEmpty, let path = subject.wholeTarget else {
                return .no
            }
            return Truth(HashedName(path: path, queryItems: items) != nil)
        case .pathPrefix(let prefixes):
            let path = subject.path
            return Truth(prefixes.contains(among: subject.prefilter.segments) { path.hasPrefix($0) })
        case .path(let globs):
            let path = subject.path
            return Truth(globs.contains(among: subject.prefilter.segments) { $0.fits(path) })
        case .query(let item): return Truth(item.fits(subject))
        case .requestHeader(let name, let values):
            return Truth(Self.hasLine(name, values, in: subject.requestFields))
        case .freshness(let stated):
            guard let fields = subject.responseFields else { return .unknown }
            guard stated == .olderThanPage else { return Truth(StatedFreshness(fields) == stated) }
            // A server states the freshness of a file for the query that it was asked with.
            return Truth(
                subject.isOlderThanPage && (subject.isOfOtherQuery || StatedFreshness(fields) == .unstated))
        case .contentType(let types):
            guard let fields = subject.responseFields else { return .unknown }
            guard let value = fields.combined(.contentType) else { return .no }
            return Truth(Subject.withBytes(value) { bytes in types.contains { $0.fits(bytes) } })
        case .responseHeader(let name, let values):
            guard let fields = subject.responseFields else { return .unknown }
            return Truth(Self.hasLine(name, values, in: fields))
        case .all(let conditions): return Self.all(conditions, subject)
        case .any(let conditions): return conditions.holds(subject)
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
