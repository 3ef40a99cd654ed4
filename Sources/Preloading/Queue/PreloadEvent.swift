import HTTPCacheSemantics

/// An event of a ``PreloadQueue``.
public enum PreloadEvent: Hashable, Sendable {
    /// A list was added.
    case queued(set: String, count: Int)
    case started(PreloadItem, set: String)
    /// The item is in the store, and has the expected content.
    ///
    /// - `transferred`: Bytes of content that came from the network for it, now.
    case verified(PreloadItem, set: String, from: Source, transferred: Int64)
    case refused(PreloadItem, set: String, PreloadRefusal)
    /// It is tried again later, or put in its place with its release. A page can ask for it meanwhile.
    case waiting(PreloadItem, set: String, PreloadWait)
    /// Nothing can be done now.
    case done(PreloadSummary)

    /// Where a verified response came from.
    public enum Source: String, Hashable, Sendable {
        /// It was stored already, and nothing was sent.
        case store
        /// It came from the network, or the rest of it did.
        case network
        /// It was stored already, and the origin confirmed it.
        case validated
    }
}

/// The reason why an item waits before it is fetched.
public struct PreloadWait: Hashable, Sendable {
    /// One of ``PreloadRefusal/Reason/retryAfter``, `status`, `truncated`, `validatorChanged`, `network`, `budget`,
    /// `constrained`, `expensive`, `lowPower`, `offline`, `incompleteRelease` and `diskFull`.
    public var reason: PreloadRefusal.Reason
    /// When it is tried again; `nil` if something else has to happen first, such as another network.
    public var until: WallInstant?

    /// A wait, for tests of an app that shows them.
    public init(_ reason: PreloadRefusal.Reason, until: WallInstant? = nil) {
        self.reason = reason
        self.until = until
    }
}

/// How far a queue has come.
public struct PreloadSummary: Hashable, Sendable {
    /// How many items are listed, in all sets.
    public var items = 0
    public var verified = 0
    /// How many are refused, by reason.
    public var refused: [PreloadRefusal.Reason: Int] = [:]
    /// How many wait, by reason.
    public var waiting: [PreloadRefusal.Reason: Int] = [:]
    /// Bytes of content that came from the network since the queue was made.
    public var transferred = ByteCount.zero
    /// When the queue has something to do again; `nil` if nothing waits for a time.
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
}
