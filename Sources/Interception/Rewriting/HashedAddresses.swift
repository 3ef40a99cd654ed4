/// What pages name with a hash of its content (`integrity`): it is delivered as it is, since the engine compares.
struct HashedAddresses: Sendable {
    /// Pages name as many as they like; the latest are remembered.
    private static let most = 4_096
    private var known: Set<String> = []
    private var order: [String] = []

    mutating func insert(_ url: String) {
        guard known.insert(url).inserted else { return }
        if order.count >= Self.most { known.remove(order.removeFirst()) }
        order.append(url)
    }

    func contains(_ url: String) -> Bool { known.contains(url) }
}
