import CacheRules

/// The network and the device, as `Connectivity` of the rules has them.
public struct SessionConnectivity: Hashable, Sendable, Codable {
    public var hasNetwork: Bool
    public var isExpensive: Bool
    public var isConstrained: Bool
    public var isLowPower: Bool

    public init(
        hasNetwork: Bool = true, isExpensive: Bool = false, isConstrained: Bool = false, isLowPower: Bool = false
    ) {
        self.hasNetwork = hasNetwork
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isLowPower = isLowPower
    }
}

extension SessionConnectivity {
    public init(_ other: Connectivity) {
        self.init(
            hasNetwork: other.hasNetwork, isExpensive: other.isExpensive, isConstrained: other.isConstrained,
            isLowPower: other.isLowPower)
    }

    public var connectivity: Connectivity {
        Connectivity(
            hasNetwork: hasNetwork, isExpensive: isExpensive, isConstrained: isConstrained, isLowPower: isLowPower)
    }
}
