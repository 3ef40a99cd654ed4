import HTTPCacheSemantics

/// The size of a store's content.
package struct StoreUsage: Hashable, Sendable {
    package var entries: Int
    /// The number of bodies; a body that several entries share counts once.
    package var bodies: Int
    /// The bytes of those bodies.
    package var bodyBytes: ByteCount
    /// The bytes of bodies and heads, which the budget counts.
    package var bytes: ByteCount

    /// Compares entries, bodies and bytes of bodies, but not the size of heads.
    package func hasSameContent(as other: StoreUsage) -> Bool {
        (entries, bodies, bodyBytes) == (other.entries, other.bodies, other.bodyBytes)
    }

    /// - Parameter bytes: ``bodyBytes`` by default.
    package init(entries: Int, bodies: Int, bodyBytes: ByteCount, bytes: ByteCount? = nil) {
        self.bytes = bytes ?? bodyBytes
        self.entries = entries
        self.bodies = bodies
        self.bodyBytes = bodyBytes
    }
}
