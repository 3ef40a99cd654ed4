import HTTPCacheSemantics

/// In which order the stored responses on disk go when the budget is used up: the lowest priority first.
///
/// The priority of a response is the clock plus what it is worth: the milliseconds that it saves for
/// each byte that it takes up, times how often it was asked for. The clock is the priority of the
/// response that was evicted last, so it runs only when something goes, and whatever is not asked for
/// again is overtaken by what comes later. That is GreedyDual-Size with frequency (Cherkasova, 1998),
/// with costs and uses that have an upper bound; docs/decisions/0008 says why.
///
/// A priority changes only when its response is asked for. So an index that is sorted by it always
/// has the next one to go in front, and as long as nothing is evicted it makes no difference when a
/// use is written down.
public struct GreedyDualSizeFrequency: Hashable, Sendable {
    /// Uses beyond so many add nothing. It bounds how long past favour lasts.
    public static let countedUses = 8
    /// Measured costs beyond this count as this much: an origin that dawdles can't buy its responses
    /// a place for good.
    public static let longestCost = Duration.seconds(1)

    /// The priority of what was evicted last: zero or more, in milliseconds for a byte. It is to be
    /// kept with the store.
    public private(set) var clock: Double

    /// - Parameter clock: That of the store; zero for an empty one. Anything but a finite number above
    ///   zero counts as zero.
    public init(clock: Double = 0) {
        self.clock = clock.isFinite ? max(0, clock) : 0
    }

    /// The priority of a response that was stored or asked for just now.
    ///
    /// To the measured cost come 60 ms and the time that the bytes take at 4 Mbit/s, because on another
    /// network, or with the origin in another mood, a response may cost more than it did.
    ///
    /// - Parameters:
    ///   - uses: How often it was asked for; the request that it was stored for counts, too. At least one.
    ///   - size: What it takes up in the store, its head included.
    ///   - cost: From sending the request to the end of the body, as it was measured; zero where it was not.
    /// - Returns: A finite number above ``clock``.
    public func priority(uses: Int, size: ByteCount, cost: Duration) -> Double {
        let bytes = Double(max(1, size.bytes))
        let measured = min(max(cost, .zero), Self.longestCost) / .milliseconds(1)
        let saved = measured + 60 + bytes / 500
        return clock + Double(min(max(1, uses), Self.countedUses)) * saved / bytes
    }

    /// Sets the clock forward after an eviction. Calls in any order of the priorities give the same clock.
    ///
    /// - Parameter priority: That of the response that went, as it was stored.
    public mutating func noteEviction(ofPriority priority: Double) {
        if priority.isFinite { clock = max(clock, priority) }
    }
}
