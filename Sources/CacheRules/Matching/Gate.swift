/// Which hosts, path segments, extensions, query items and circumstances a rule could hold for, or which an exchange has.
/// Two without a common member cannot meet, so most rules of a long list cost a few comparisons.
///
/// Names are hashed, so a gate may admit what the conditions then refuse, never the other way round. A single name can
/// be asked for by both of its bits; a rule of several names asks by the bits of each.
struct Gate: Sendable {
    private(set) var hosts: NameSet
    private(set) var segments: NameSet
    private(set) var extensions: NameSet
    private(set) var queryItems: NameSet
    private var circumstances: Circumstances

    /// Admits everything.
    static let open = Gate(names: .all, .all)

    private init(names: NameSet, _ circumstances: Circumstances) {
        (hosts, segments, extensions, queryItems) = (names, names, names, names)
        self.circumstances = circumstances
    }

    /// What an exchange has: its host with every domain above it, the segments of its path, its extension, the names in
    /// its query.
    init(
        host: UnsafeBufferPointer<UInt8>, path: UnsafeBufferPointer<UInt8>,
        fileExtension: UnsafeBufferPointer<UInt8>, query: UnsafeBufferPointer<UInt8>, _ circumstances: Circumstances
    ) {
        self.init(names: .empty, circumstances)
        var hash = NameSet.Hash()
        var place = host.count
        while place > 0 {
            place -= 1
            if host[place] == 0x2E { hosts.formUnion(hash.name) }
            hash.add(host[place].asciiLowercased)
        }
        hosts.formUnion(hash.name)
        segments = Self.segments(path)
        if !fileExtension.isEmpty {
            hash = NameSet.Hash()
            for byte in fileExtension { hash.add(byte.asciiLowercased) }
            extensions = hash.name
        }
        if !query.isEmpty { queryItems = Self.names(query) }
    }

    private static func segments(_ path: UnsafeBufferPointer<UInt8>) -> NameSet {
        var (names, hash, place) = (NameSet.empty, NameSet.Hash(), 1)
        while place < path.count {
            if path[place] == 0x2F {
                names.formUnion(hash.name)
                hash = NameSet.Hash()
            } else {
                hash.add(path[place])
            }
            place += 1
        }
        names.formUnion(hash.name)
        return names
    }

    private static func names(_ query: UnsafeBufferPointer<UInt8>) -> NameSet {
        var (names, hash, isName, place) = (NameSet.empty, NameSet.Hash(), true, 0)
        while place < query.count {
            switch query[place] {
            case 0x26:
                if isName { names.formUnion(hash.name) }
                (hash, isName) = (NameSet.Hash(), true)
            case 0x3D where isName:
                names.formUnion(hash.name)
                isName = false
            default: if isName { hash.add(query[place]) }
            }
            place += 1
        }
        if isName { names.formUnion(hash.name) }
        return names
    }

    /// A domain, as an exchange with a host in it has it.
    static func names(host: [UInt8]) -> NameSet { NameSet(host.reversed()) }

    /// The first segment, where the prefix does not end inside it; otherwise nothing.
    static func names(pathPrefix prefix: [UInt8]) -> NameSet {
        guard prefix.first == 0x2F, let end = prefix.dropFirst().firstIndex(of: 0x2F) else { return .empty }
        return NameSet(prefix[1..<end])
    }

    /// What conditions that must all hold leave possible.
    init(all conditions: [When]) {
        self = .open
        for condition in conditions {
            let gate = Gate(condition)
            // Both of two conditions on hosts may hold for one exchange, through different bits, so one has to do.
            if hosts == .all { hosts = gate.hosts }
            if segments == .all { segments = gate.segments }
            if extensions == .all { extensions = gate.extensions }
            if queryItems == .all { queryItems = gate.queryItems }
            if circumstances == .all { circumstances = gate.circumstances }
        }
    }

    private init(_ condition: When) {
        self = .open
        switch condition.kind {
        case .host(let patterns): hosts = patterns.union
        case .fileExtension(let names): extensions = names.union
        case .pathPrefix(let prefixes): segments = prefixes.union
        case .path(let globs): segments = globs.union
        case .query(let item): queryItems = item.names.representative
        case .connectivity(let traits): circumstances = traits.reduce([]) { $0.union(Circumstances($1)) }
        case .destination(let destinations): circumstances = destinations.reduce([]) { $0.union(Circumstances($1)) }
        case .freshness, .contentType, .responseHeader: circumstances = .response
        case .all(let inner): self = Gate(all: inner)
        case .any(let inner):
            self = Gate(names: .empty, [])
            for gate in inner.gates {
                hosts.formUnion(gate.hosts)
                segments.formUnion(gate.segments)
                extensions.formUnion(gate.extensions)
                queryItems.formUnion(gate.queryItems)
                circumstances.formUnion(gate.circumstances)
            }
        case .method, .hashedName, .requestHeader, .regularExpression, .not: break
        }
    }

    /// Whether the conditions may hold.
    func admits(_ exchange: Gate) -> Bool {
        !circumstances.isDisjoint(with: exchange.circumstances) && admitsNames(exchange)
    }

    /// Whether the conditions may hold now or once a response is known.
    func admitsInTheEnd(_ exchange: Gate) -> Bool {
        !circumstances.isDisjoint(with: exchange.circumstances.union(.response)) && admitsNames(exchange)
    }

    private func admitsNames(_ exchange: Gate) -> Bool {
        hosts.meets(exchange.hosts) && segments.meets(exchange.segments) && extensions.meets(exchange.extensions)
            && queryItems.meets(exchange.queryItems)
    }
}
