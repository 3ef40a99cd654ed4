import HTTPCacheSemantics

/// How far a queue has come.
public struct PreloadSummary: Hashable, Sendable {
    /// What is listed, in all sets.
    public var items = 0
    public var verified = 0
    /// By reason.
    public var refused: [PreloadRefusal.Reason: Int] = [:]
    /// What waits, by reason.
    public var waiting: [PreloadRefusal.Reason: Int] = [:]
    /// Bytes of content that came from the network since the queue was made.
    public var transferred = ByteCount.zero
    /// When ``PreloadQueue/run()`` has something to do again; `nil` if nothing waits for a time.
    public var next: WallInstant?

    package init() {}

    /// Adds the counts of others that are not among these.
    package mutating func add(_ other: PreloadSummary) {
        items += other.items
        verified += other.verified
        refused.merge(other.refused, uniquingKeysWith: +)
        waiting.merge(other.waiting, uniquingKeysWith: +)
        transferred += other.transferred
        next = [next, other.next].compactMap(\.self).min()
    }

    /// Whether everything is verified or refused.
    package var isSettled: Bool { verified + refused.values.reduce(0, +) == items }
}
