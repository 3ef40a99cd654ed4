/// The hosts, path segments, extensions, query items and circumstances for which a rule can hold, or which an exchange
/// has. If the two have none in common, the rule does not hold, so most rules of a long list take a few comparisons.
///
/// Names are hashed, so a prefilter may admit exchanges that the conditions then reject, never the other way round. A
/// single name is matched by both of its bits; a rule with several names is matched by the bits of each.
struct Prefilter: Sendable {
    private(set) var hosts: NameSet
    private(set) var segments: NameSet
    private(set) var extensions: NameSet
    private(set) var queryItems: NameSet
    private var circumstances: Circumstances

    /// Admits everything.
    static let open = Prefilter(names: .all, .all)

    private init(names: NameSet, _ circumstances: Circumstances) {
        (hosts, segments, extensions, queryItems) = (names, names, names, names)
        self.circumstances = circumstances
    }

    /// The names of an exchange: its host and every domain above it, the segments of its path, its extension, the
    /// names in its query.
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

    /// The name of a domain, as in the prefilter of an exchange with a host in it.
    static func names(host: [UInt8]) -> NameSet { NameSet(host.reversed()) }

    /// The first segment, unless the prefix ends inside it; otherwise empty.
    static func names(pathPrefix prefix: [UInt8]) -> NameSet {
        guard prefix.first == 0x2F, let end = prefix.dropFirst().firstIndex(of: 0x2F) else { return .empty }
        return NameSet(prefix[1..<end])
    }

    /// The prefilter of conditions that must all hold.
    init(all conditions: [When]) {
        self = .open
        for condition in conditions {
            let prefilter = Prefilter(condition)
            // Two conditions on hosts may both hold for one exchange through different bits, so only one of them
            // counts.
            if hosts == .all { hosts = prefilter.hosts }
            if segments == .all { segments = prefilter.segments }
            if extensions == .all { extensions = prefilter.extensions }
            if queryItems == .all { queryItems = prefilter.queryItems }
            if circumstances == .all { circumstances = prefilter.circumstances }
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
        case .all(let inner): self = Prefilter(all: inner)
        case .any(let inner):
            self = Prefilter(names: .empty, [])
            for prefilter in inner.prefilters {
                hosts.formUnion(prefilter.hosts)
                segments.formUnion(prefilter.segments)
                extensions.formUnion(prefilter.extensions)
                queryItems.formUnion(prefilter.queryItems)
                circumstances.formUnion(prefilter.circumstances)
            }
        case .method, .hashedName, .requestHeader, .not: break
        }
    }

    /// Whether the conditions may hold.
    func admits(_ exchange: Prefilter) -> Bool {
        !circumstances.isDisjoint(with: exchange.circumstances) && admitsNames(exchange)
    }

    /// Whether the conditions may hold now or once a response is known.
    func admitsInTheEnd(_ exchange: Prefilter) -> Bool {
        !circumstances.isDisjoint(with: exchange.circumstances.union(.response)) && admitsNames(exchange)
    }

    private func admitsNames(_ exchange: Prefilter) -> Bool {
        hosts.meets(exchange.hosts) && segments.meets(exchange.segments) && extensions.meets(exchange.extensions)
            && queryItems.meets(exchange.queryItems)
    }
}

/// The traits of an exchange other than names: those of its network, whether its response is for a page, and whether
/// there is a response.
struct Circumstances: OptionSet, Sendable {
    let rawValue: UInt8

    static let connected = Circumstances(rawValue: 1 << 0)
    static let disconnected = Circumstances(rawValue: 1 << 1)
    static let expensive = Circumstances(rawValue: 1 << 2)
    static let constrained = Circumstances(rawValue: 1 << 3)
    static let lowPower = Circumstances(rawValue: 1 << 4)
    static let page = Circumstances(rawValue: 1 << 5)
    static let noPage = Circumstances(rawValue: 1 << 6)
    static let response = Circumstances(rawValue: 1 << 7)
    static let all = Circumstances(rawValue: .max)
}

extension Circumstances {
    init(_ connectivity: Connectivity, _ destination: Destination, hasResponse: Bool) {
        self = Circumstances(destination)
        formUnion(connectivity.hasNetwork ? .connected : .disconnected)
        if connectivity.has(.expensive) { formUnion(.expensive) }
        if connectivity.has(.constrained) { formUnion(.constrained) }
        if connectivity.has(.lowPower) { formUnion(.lowPower) }
        if hasResponse { formUnion(.response) }
    }

    init(_ trait: Connectivity.Trait) {
        switch trait {
        case .connected: self = .connected
        case .disconnected: self = .disconnected
        case .expensive: self = .expensive
        case .constrained: self = .constrained
        case .lowPower: self = .lowPower
        }
    }

    init(_ destination: Destination) {
        self = destination.isPage ? .page : .noPage
    }
}
