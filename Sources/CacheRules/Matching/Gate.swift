/// Sets of at most 64 members that say which hosts, path segments, extensions and query items a rule could hold for, or
/// which an exchange has. Two sets without a common bit cannot meet, so most rules of a long list cost a few
/// comparisons.
///
/// Bits stand for a hash (a Bloom filter: B. H. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors",
/// 1970), so a gate may admit what the conditions then refuse, never the other way round. What an exchange has sets two
/// bits, so that a single name can be asked for by both; a rule of several names asks by the first of each.
struct Gate: Sendable {
    private(set) var hosts: UInt64
    private(set) var segments: UInt64
    private(set) var extensions: UInt64
    private(set) var queryItems: UInt64

    /// Admits everything.
    static let open = Gate(bits: .max)

    private init(bits: UInt64) {
        (hosts, segments, extensions, queryItems) = (bits, bits, bits, bits)
    }

    /// What an exchange has: its host with every domain above it, the segments of its path, its extension, the names in
    /// its query.
    init(
        host: UnsafeBufferPointer<UInt8>, path: UnsafeBufferPointer<UInt8>,
        fileExtension: UnsafeBufferPointer<UInt8>, query: UnsafeBufferPointer<UInt8>
    ) {
        self.init(bits: 0)
        var hash = Hash()
        var place = host.count
        while place > 0 {
            place -= 1
            if host[place] == 0x2E { hosts |= hash.bits }
            hash.add(host[place].asciiLowercased)
        }
        hosts |= hash.bits
        segments = Self.segments(path)
        extensions = fileExtension.isEmpty ? 0 : Hash(lowercasing: fileExtension).bits
        if !query.isEmpty { queryItems = Self.names(query) }
    }

    private static func segments(_ path: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var (bits, hash, place) = (UInt64(0), Hash(), 1)
        while place < path.count {
            if path[place] == 0x2F {
                bits |= hash.bits
                hash = Hash()
            } else {
                hash.add(path[place])
            }
            place += 1
        }
        return bits | hash.bits
    }

    private static func names(_ query: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var (bits, hash, isName, place) = (UInt64(0), Hash(), true, 0)
        while place < query.count {
            switch query[place] {
            case 0x26:
                if isName { bits |= hash.bits }
                (hash, isName) = (Hash(), true)
            case 0x3D where isName:
                bits |= hash.bits
                isName = false
            default: if isName { hash.add(query[place]) }
            }
            place += 1
        }
        return isName ? bits | hash.bits : bits
    }

    /// The bits of a text, as an exchange that has it as a segment or as the name of a query item has them.
    static func bits(_ text: some Sequence<UInt8>) -> UInt64 { Hash(text).bits }

    /// Those of a domain, as an exchange with a host in it has them.
    static func bits(host: [UInt8]) -> UInt64 { Hash(host.reversed()).bits }

    /// Those of the first segment, where the prefix does not end inside it; otherwise zero.
    static func bits(pathPrefix prefix: [UInt8]) -> UInt64 {
        guard prefix.first == 0x2F, let end = prefix.dropFirst().firstIndex(of: 0x2F) else { return 0 }
        return Hash(prefix[1..<end]).bits
    }

    func mayHave(queryItem bits: UInt64) -> Bool { queryItems & bits == bits }

    /// What conditions that must all hold leave possible.
    init(all conditions: [When]) {
        self = .open
        for condition in conditions {
            let gate = Gate(condition)
            // Both of two conditions on hosts may hold for one exchange, through different bits, so one has to do.
            if hosts == .max { hosts = gate.hosts }
            if segments == .max { segments = gate.segments }
            if extensions == .max { extensions = gate.extensions }
            if queryItems == .max { queryItems = gate.queryItems }
        }
    }

    private init(_ condition: When) {
        self = .open
        switch condition.kind {
        case .host(let patterns): hosts = patterns.union
        case .fileExtension(let names): extensions = names.union
        case .pathPrefix(let prefixes): segments = prefixes.union
        case .path(let globs): segments = globs.union
        case .query(let item): queryItems = item.bits & (~item.bits + 1)
        case .all(let inner): self = Gate(all: inner)
        case .any(let inner):
            self = Gate(bits: 0)
            for gate in inner.gates {
                hosts |= gate.hosts
                segments |= gate.segments
                extensions |= gate.extensions
                queryItems |= gate.queryItems
            }
        default: break
        }
    }

    func admits(_ exchange: Gate) -> Bool {
        Self.meet(hosts, exchange.hosts) && Self.meet(segments, exchange.segments)
            && Self.meet(extensions, exchange.extensions) && Self.meet(queryItems, exchange.queryItems)
    }

    private static func meet(_ possible: UInt64, _ there: UInt64) -> Bool { possible == .max || possible & there != 0 }

    /// FNV-1a.
    private struct Hash {
        private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

        init() {}

        init(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { add(byte) }
        }

        init(lowercasing bytes: UnsafeBufferPointer<UInt8>) {
            for byte in bytes { add(byte.asciiLowercased) }
        }

        mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

        var bits: UInt64 {
            let mixed = (value ^ (value >> 32)) &* 0x9E37_79B9_7F4A_7C15
            return 1 << (mixed >> 58) | 1 << (mixed >> 52 & 63)
        }
    }
}
