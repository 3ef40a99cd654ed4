/// How one policy did with one budget.
public struct EvictionResult: Encodable, Sendable {
    public var policy: String
    /// The budget in bytes, and as a part of the trace's footprint.
    public var budget: Double
    public var share: Double
    /// Parts of the requests, of their bytes and of their cost that the store saved: 0 to 1.
    public var hitRatio: Double
    public var byteHitRatio: Double
    public var costHitRatio: Double
}
