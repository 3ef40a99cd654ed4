import CacheRules

/// Which connectivity counts: the manual override, else what the source said last, else a network of which nothing is
/// known. A value without clock, thread or platform.
struct ConnectivityState: Hashable, Sendable {
    private var reported: Connectivity?
    private var override: Connectivity?

    init(reported: Connectivity? = nil) {
        self.reported = reported
    }

    var current: Connectivity { override ?? reported ?? .connected }
    var manual: Connectivity? { override }

    /// The source said something.
    ///
    /// - Returns: What counts from now on; `nil` where that is what counted before.
    mutating func report(_ connectivity: Connectivity) -> Connectivity? {
        change { $0.reported = connectivity }
    }

    /// A person or a program decided, or with `nil` gave the decision back.
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
