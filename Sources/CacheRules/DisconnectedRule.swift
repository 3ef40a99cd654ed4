/// Tier 1: without a network everything comes from the store, whatever its age.
public struct DisconnectedRule: CacheRule {
    public let name = "disconnected"

    public init() {}

    public func verdict(for exchange: Exchange) -> Verdict? {
        exchange.connectivity == .disconnected ? .onlyIfStored : nil
    }
}
