import HTTPCacheSemantics

/// The order of eviction on disk: the lowest priority first.
///
/// The priority of a response is the clock plus its value: the milliseconds that it saves for each
/// byte that it takes, times its uses. The clock is the priority of the response evicted last, so it
/// advances only on evictions, and later responses overtake those that are not used again. That is
/// GreedyDual-Size with frequency (Cherkasova, 1998), with bounded costs and uses;
/// docs/decisions/0008 says why.
///
/// A priority changes only when its response is used. So an index sorted by it always has the next
/// response to evict in front, and until an eviction it does not matter when a use is written.
package struct GreedyDualSizeFrequency: Hashable, Sendable {
    /// The most uses that count, which bounds how long formerly popular responses stay.
    package static let countedUses = 8
    /// The greatest measured cost that counts: a slow origin can't keep its responses stored for
    /// good.
    package static let longestCost = Duration.seconds(1)

    /// The priority of the response evicted last: zero or more, in milliseconds for a byte. Stored
    /// with the store.
    package private(set) var clock: Double

    /// - Parameter clock: The clock of the store; zero for an empty one. Any other value than a finite
    ///   positive number counts as zero.
    package init(clock: Double = 0) {
        self.clock = clock.isFinite ? max(0, clock) : 0
    }

    /// The priority of a response that was stored or used just now.
    ///
    /// 60 ms and the time for the bytes at 4 Mbit/s are added to the measured cost, because on another
    /// network, or from a busy origin, a response may cost more than measured.
    ///
    /// - Parameters:
    ///   - uses: The uses, including the request for which it was stored; at least one.
    ///   - size: Its size in the store, including its head.
    ///   - cost: The measured time from the request to the end of the body; zero if not measured.
    /// - Returns: A finite number above ``clock``.
    package func priority(uses: Int, size: ByteCount, cost: Duration) -> Double {
        let bytes = Double(max(1, size.bytes))
        let measured = min(max(cost, .zero), Self.longestCost) / .milliseconds(1)
        let saved = measured + 60 + bytes / 500
        return clock + Double(min(max(1, uses), Self.countedUses)) * saved / bytes
    }

    /// Advances the clock after an eviction. The order of calls does not matter.
    ///
    /// - Parameter priority: The stored priority of the evicted response.
    package mutating func noteEviction(ofPriority priority: Double) {
        if priority.isFinite { clock = max(clock, priority) }
    }
}

/// The most bytes of heads and bodies in a store; the index is not counted.
public struct StoreBudget: Hashable, Sendable {
    /// The limit for the whole store. A body that several entries share counts once.
    public var total: ByteCount
    /// The limit for one host of a partition, with all sites; none by default. Here every entry counts in full.
    public var host: ByteCount?
    /// The limit for one partition, such as an account, with all sites; none by default. Here every entry counts in
    /// full.
    public var partition: ByteCount?

    /// - Parameters:
    ///   - total: 512 MiB by default. A response that would take more than a quarter of it is not stored.
    public init(total: ByteCount = .mebibytes(512), host: ByteCount? = nil, partition: ByteCount? = nil) {
        (self.total, self.host, self.partition) = (total, host, partition)
    }

    /// The longest body that is stored.
    var longestBody: ByteCount { ByteCount(total.bytes / 4) }
}
