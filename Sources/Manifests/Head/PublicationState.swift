/// What the publisher wants of the apps, whatever they hold.
package enum PublicationState: String, CaseIterable, Sendable {
    /// The release is fetched and kept.
    case active
    /// Nothing is fetched; what is held stays in use.
    case paused
    /// The kill switch: nothing is fetched, and what is held is no longer pinned, so that it may be evicted.
    case off
}
