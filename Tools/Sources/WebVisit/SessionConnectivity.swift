import CacheRules

/// The network and the device, as `Connectivity` of the rules has them.
package struct SessionConnectivity: Hashable, Sendable, Codable {
    package var hasNetwork: Bool
    package var isExpensive: Bool
    package var isConstrained: Bool
    package var isLowPower: Bool

    package init(
        hasNetwork: Bool = true, isExpensive: Bool = false, isConstrained: Bool = false, isLowPower: Bool = false
    ) {
        self.hasNetwork = hasNetwork
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isLowPower = isLowPower
    }
}

extension SessionConnectivity {
    package init(_ other: Connectivity) {
        self.init(
            hasNetwork: other.hasNetwork, isExpensive: other.isExpensive, isConstrained: other.isConstrained,
            isLowPower: other.isLowPower)
    }

    package var connectivity: Connectivity {
        Connectivity(
            hasNetwork: hasNetwork, isExpensive: isExpensive, isConstrained: isConstrained, isLowPower: isLowPower)
    }
}
