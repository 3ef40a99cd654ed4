import HTTPCacheSemantics

/// How much a store holds.
public struct StoreUsage: Hashable, Sendable {
    public var entries: Int
    /// Bodies, each counted once however many entries share it.
    public var bodies: Int
    /// The bytes of those bodies.
    public var bodyBytes: ByteCount

    public init(entries: Int, bodies: Int, bodyBytes: ByteCount) {
        self.entries = entries
        self.bodies = bodies
        self.bodyBytes = bodyBytes
    }
}
