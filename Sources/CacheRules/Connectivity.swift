/// What is known about the network, a value that the owner passes in with each exchange.
///
/// Where it comes from is a ``ConnectivitySource``. Whether one origin answers is not part of it: that is known once it
/// was asked, and counts for that exchange.
public struct Connectivity: Hashable, Sendable {
    /// Whether there is a network at all.
    ///
    /// RFC 9111 §4.2.4 lets a disconnected cache serve stale responses; the rule `disconnected` also serves those marked
    /// `must-revalidate` and `no-cache` then, a departure that `Cache-Status` names.
    public var hasNetwork: Bool
    /// Whether traffic costs more than usual, as on a mobile network; `false` unless set.
    public var isExpensive: Bool
    /// Whether the person asked for little traffic on this network, as with Low Data Mode; `false` unless set.
    public var isConstrained: Bool
    /// Whether the device saves its battery; `false` unless set. Holds with and without a network.
    public var isLowPower: Bool

    public init(
        hasNetwork: Bool = true, isExpensive: Bool = false, isConstrained: Bool = false, isLowPower: Bool = false
    ) {
        self.hasNetwork = hasNetwork
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isLowPower = isLowPower
    }

    /// A network of which nothing else is known.
    public static let connected = Connectivity()
    /// No network.
    public static let disconnected = Connectivity(hasNetwork: false)

    /// The same device with its network gone, as far as one origin is concerned.
    public var withoutNetwork: Connectivity {
        var connectivity = self
        connectivity.hasNetwork = false
        return connectivity
    }

    /// Whether more may be sent than what somebody waits for: there is a network, it is not constrained, and the battery
    /// is not being saved.
    public var allowsBackgroundTraffic: Bool { hasNetwork && !isConstrained && !isLowPower }

    /// What a condition of a rule can look at. The raw value is its name in a rules file.
    public enum Trait: String, Hashable, Sendable, CaseIterable {
        case connected, disconnected, expensive, constrained
        case lowPower = "low-power"
    }

    /// Whether a trait holds. Those of a network do not hold without one.
    public func has(_ trait: Trait) -> Bool {
        switch trait {
        case .connected: hasNetwork
        case .disconnected: !hasNetwork
        case .expensive: hasNetwork && isExpensive
        case .constrained: hasNetwork && isConstrained
        case .lowPower: isLowPower
        }
    }
}

/// `connected`, or `connected, expensive, low-power`: the traits that hold, in the words of a rules file.
extension Connectivity: CustomStringConvertible {
    public var description: String {
        Trait.allCases.filter(has).map(\.rawValue).joined(separator: ", ")
    }
}
