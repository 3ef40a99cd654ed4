import HTTPCacheSemantics

/// The size of a store's content.
public struct StoreUsage: Hashable, Sendable {
    public var entries: Int
    /// The number of bodies; a body that several entries share counts once.
    public var bodies: Int
    /// The bytes of those bodies.
    public var bodyBytes: ByteCount
    /// The bytes of bodies and heads, which the budget counts.
    public var bytes: ByteCount

    /// Compares entries, bodies and bytes of bodies, but not the size of heads.
    public func hasSameContent(as other: StoreUsage) -> Bool {
        (entries, bodies, bodyBytes) == (other.entries, other.bodies, other.bodyBytes)
    }

    /// - Parameter bytes: ``bodyBytes`` by default.
    public init(entries: Int, bodies: Int, bodyBytes: ByteCount, bytes: ByteCount? = nil) {
        self.bytes = bytes ?? bodyBytes
        self.entries = entries
        self.bodies = bodies
        self.bodyBytes = bodyBytes
    }
}
