import HTTPCacheSemantics

/// Hosts whose names do not stand for their content, with the time at which that was seen last.
extension [String: WallInstant] {
    /// So many are remembered.
    static var mostHosts: Int { 1_000 }

    /// Notes one more; the one that was seen first goes where there are too many.
    mutating func note(_ host: String, at time: WallInstant) {
        self[host] = time
        guard count > Self.mostHosts, let first = self.min(by: { $0.value < $1.value })?.key else { return }
        self[first] = nil
    }
}
