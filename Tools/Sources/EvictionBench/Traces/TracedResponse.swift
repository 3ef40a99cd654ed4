/// A response as the simulation sees it.
public struct TracedResponse: Hashable, Sendable {
    /// Bytes in the store: the body, and a flat rate for its head.
    public var size: Int
    /// Milliseconds that a hit saves: the wait for the first byte and the transfer.
    public var cost: Double

    /// Bytes that the simulation counts for a head and its row in the index.
    public static let headSize = 1_024

    public init(size: Int, cost: Double) {
        self.size = size
        self.cost = cost
    }
}
