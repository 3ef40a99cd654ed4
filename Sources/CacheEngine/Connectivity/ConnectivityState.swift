import CacheRules

/// The connectivity in force: the manual override, else the source's last report, else a network with unknown traits. A
/// value without clock, thread or platform.
struct ConnectivityState: Hashable, Sendable {
    private var reported: Connectivity?
    private var override: Connectivity?

    init(reported: Connectivity? = nil) {
        self.reported = reported
    }

    var current: Connectivity { override ?? reported ?? .connected }
    var manual: Connectivity? { override }

    /// Takes a report of the source.
    ///
    /// - Returns: The connectivity in force from now on; `nil` if it has not changed.
    mutating func report(_ connectivity: Connectivity) -> Connectivity? {
        change { $0.reported = connectivity }
    }

    /// Sets the manual override, or with `nil` removes it.
    ///
    /// - Returns: As for ``report(_:)``.
    mutating func override(_ connectivity: Connectivity?) -> Connectivity? {
        change { $0.override = connectivity }
    }

    private mutating func change(_ change: (inout Self) -> Void) -> Connectivity? {
        let before = current
        change(&self)
        return current == before ? nil : current
    }
}
