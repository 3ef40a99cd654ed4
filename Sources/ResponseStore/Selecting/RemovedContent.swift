import HTTPCacheSemantics

/// What a removal removed.
public struct RemovedContent: Hashable, Sendable {
    /// The number of removed responses.
    public var entries: Int
    /// The bytes of heads, and of bodies that no other entry uses.
    public var bytes: ByteCount

    package init(entries: Int = 0, bytes: ByteCount = .zero) {
        (self.entries, self.bytes) = (entries, bytes)
    }

    /// The sum of two removals.
    public static func + (one: RemovedContent, other: RemovedContent) -> RemovedContent {
        RemovedContent(entries: one.entries + other.entries, bytes: one.bytes + other.bytes)
    }
}
