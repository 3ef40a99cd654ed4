#if Proxy
/// Leaves by host, up to a limit: beyond it the one that was asked for longest ago is dropped.
struct LeafTable<Leaf: Sendable>: Sendable {
    private var leaves: [String: (leaf: Leaf, use: UInt64)] = [:]
    private var uses: UInt64 = 0
    private let limit: Int

    /// - Parameter limit: At least 1.
    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    var count: Int { leaves.count }

    mutating func find(_ host: String) -> Leaf? {
        guard let known = leaves[host] else { return nil }
        uses &+= 1
        leaves[host]?.use = uses
        return known.leaf
    }

    mutating func keep(_ leaf: Leaf, for host: String) {
        uses &+= 1
        if leaves[host] == nil, leaves.count >= limit, let oldest = leaves.min(by: { $0.value.use < $1.value.use }) {
            leaves[oldest.key] = nil
        }
        leaves[host] = (leaf, uses)
    }
}
#endif
