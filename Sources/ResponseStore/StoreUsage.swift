import HTTPCacheSemantics

/// How much a store holds.
public struct StoreUsage: Hashable, Sendable {
    public var entries: Int
    /// Bodies, each counted once however many entries share it.
    public var bodies: Int
    /// The bytes of those bodies.
    public var bodyBytes: ByteCount
    /// The bytes of bodies and heads: what the budget counts.
    public var bytes: ByteCount

    /// Whether two stores hold as many entries, bodies and bytes of these, whatever their heads take.
    public func hasSameContent(as other: StoreUsage) -> Bool {
        (entries, bodies, bodyBytes) == (other.entries, other.bodies, other.bodyBytes)
    }

    /// - Parameter bytes: ``bodyBytes`` unless set.
    public init(entries: Int, bodies: Int, bodyBytes: ByteCount, bytes: ByteCount? = nil) {
        self.bytes = bytes ?? bodyBytes
        self.entries = entries
        self.bodies = bodies
        self.bodyBytes = bodyBytes
    }
}
