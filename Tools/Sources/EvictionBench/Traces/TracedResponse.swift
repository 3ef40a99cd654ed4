/// A response as the simulation sees it.
package struct TracedResponse: Hashable, Sendable {
    /// Bytes in the store: the body, and a flat rate for its head.
    package var size: Int
    /// Milliseconds that a hit saves: the wait for the first byte and the transfer.
    package var cost: Double

    /// Bytes that the simulation counts for a head and its row in the index.
    package static let headSize = 1_024

    package init(size: Int, cost: Double) {
        self.size = size
        self.cost = cost
    }
}
