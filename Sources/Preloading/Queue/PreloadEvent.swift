/// What happens in a ``PreloadQueue``.
public enum PreloadEvent: Hashable, Sendable {
    /// A list was added.
    case queued(set: String, count: Int)
    case started(PreloadItem, set: String)
    /// What a page needs is in the store, and is what was promised.
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
