/// How one policy did with one budget.
package struct EvictionResult: Encodable, Sendable {
    package var policy: String
    /// The budget in bytes, and as a part of the trace's footprint.
    package var budget: Double
    package var share: Double
    /// Parts of the requests, of their bytes and of their cost that the store saved: 0 to 1.
    package var hitRatio: Double
    package var byteHitRatio: Double
    package var costHitRatio: Double
}
