import HTTPTypes

/// A condition of a ``Rule``. Its name in Swift is its key in a rules file, there with hyphens.
///
/// Texts are compared octet by octet, without decoding or normalisation: `/caf%C3%A9` and `/café` differ, as they may
/// to an origin. Only hosts, media types, extensions and field names compare without case. Several patterns in one
/// condition are alternatives; an empty list matches nothing.
public struct When: Hashable, Sendable {
    /// In the order in which the conditions of a rule are evaluated and printed: cheap and selective ones first.
    indirect enum Kind: Hashable, Sendable {
        case connectivity([Connectivity.Trait])
        case method([HTTPRequest.Method])
        case destination([Destination])
        case host([HostPattern])
        case fileExtension([[UInt8]])
        /// The names of query items that may have the hash.
        case hashedName([String])
        case pathPrefix([[UInt8]])
        case path([GlobPattern])
        case query(QueryItemPattern)
        case requestHeader(HTTPField.Name, [GlobPattern]?)
        case freshness(StatedFreshness)
        case contentType([MediaTypePattern])
        case responseHeader(HTTPField.Name, [GlobPattern]?)
        case all([When])
        case any([When])
        case not([When])
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// Whether the condition holds, does not hold, or is unknown until there is a response.
    enum Truth: Hashable { case no, unknown, yes }

    /// A part of an exchange that a condition may depend on, beside the request line and the destination.
    enum Input: Hashable {
        /// The state of the network or the device.
        case network
        /// A content hash in the file's name, where the condition may hold because of it.
        case hashedName
        case requestField(HTTPField.Name)
        /// The response's `Content-Type`.
        case contentType
        /// Other fields of the response.
        case responseFields
    }

    /// The one table of what conditions depend on.
    var inputs: Set<Input> {
        switch kind {
        case .connectivity: [.network]
        case .hashedName: [.hashedName]
        case .requestHeader(let name, _): [.requestField(name)]
        case .contentType: [.contentType]
        case .freshness, .responseHeader: [.responseFields]
        case .all(let inner), .any(let inner): inner.inputs
        case .not(let inner): inner.inputs.subtracting([.hashedName])
        case .method, .destination, .host, .fileExtension, .pathPrefix, .path, .query: []
        }
    }

    /// Whether it may be ``Truth/unknown`` without a response.
    var looksAtResponse: Bool { !inputs.isDisjoint(with: [.contentType, .responseFields]) }

    /// Conditions that must all hold, in canonical form: in the order of ``Kind``, and as one ``all(_:)`` if two of a
    /// kind would need the same key in a rules file.
    static func conjunction(_ conditions: [When]) -> [When] {
        let sorted = sorted(conditions)
        return areDistinct(sorted) ? sorted : [When(.all(sorted))]
    }

    static func sorted(_ conditions: [When]) -> [When] {
        conditions.indices.sorted { one, other in
            let (first, second) = (conditions[one].rank, conditions[other].rank)
            return first == second ? one < other : first < second
        }.map { conditions[$0] }
    }

    /// Whether they can be written as one object of a rules file.
    static func areDistinct(_ conditions: [When]) -> Bool {
        Set(conditions.map(\.slot)).count == conditions.count
    }

    private struct Slot: Hashable {
        var key: ConditionKey
        var name: [UInt8] = []
    }

    /// The place of the condition in an object: its key, and in that the name of a query item or field.
    private var slot: Slot {
        switch kind {
        case .query(let item): Slot(key: key, name: item.name)
        case .requestHeader(let name, _), .responseHeader(let name, _):
            Slot(key: key, name: Array(name.canonicalName.utf8))
        case .connectivity, .method, .destination, .host, .fileExtension, .hashedName, .pathPrefix, .path,
            .freshness, .contentType, .all, .any, .not:
            Slot(key: key)
        }
    }

    private var rank: Int { ConditionKey.allCases.firstIndex(of: key) ?? 0 }

    var key: ConditionKey {
        switch kind {
        case .connectivity: .connectivity
        case .method: .method
        case .destination: .destination
        case .host: .host
        case .fileExtension: .fileExtension
        case .hashedName: .hashedName
        case .pathPrefix: .pathPrefix
        case .path: .path
        case .query: .query
        case .requestHeader: .requestHeader
        case .freshness: .freshness
        case .contentType: .contentType
        case .responseHeader: .responseHeader
        case .all: .all
        case .any: .any
        case .not: .not
        }
    }
}

extension Sequence<When> {
    /// The inputs of all conditions together.
    var inputs: Set<When.Input> { reduce(into: []) { $0.formUnion($1.inputs) } }
}
