/// The state of the network, a value that the owner passes in with each exchange.
///
/// A ``ConnectivitySource`` provides it. Whether one origin answers is not part of it: each exchange finds that out for
/// itself.
public struct Connectivity: Hashable, Sendable, Codable {
    /// Whether there is a network at all.
    ///
    /// RFC 9111 §4.2.4 lets a disconnected cache serve stale responses; the rule `disconnected` also serves those
    /// marked `must-revalidate` and `no-cache` then, a departure that `Cache-Status` names.
    public var hasNetwork: Bool
    /// Whether traffic is expensive, as on a mobile network; `false` by default.
    package var isExpensive: Bool
    /// Whether the user asked for little traffic on this network, as with Low Data Mode; `false` by default.
    package var isConstrained: Bool
    /// Whether the device is in low-power mode, with or without a network; `false` by default.
    package var isLowPower: Bool

    /// A network without special traits, unless said otherwise.
    public init(
        hasNetwork: Bool = true, isExpensive: Bool = false, isConstrained: Bool = false, isLowPower: Bool = false
    ) {
        self.hasNetwork = hasNetwork
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isLowPower = isLowPower
    }

    /// A network without further traits.
    public static let connected = Connectivity()
    /// No network.
    public static let disconnected = Connectivity(hasNetwork: false)

    /// The same device without a network, for an origin that can't be reached.
    package var withoutNetwork: Connectivity {
        var connectivity = self
        connectivity.hasNetwork = false
        return connectivity
    }

    /// Whether requests may be sent in the background: there is a network, it is not constrained, and the device is not
    /// in low-power mode.
    package var allowsBackgroundTraffic: Bool { hasNetwork && !isConstrained && !isLowPower }

    /// A trait for conditions of rules. The raw value is its name in a rules file.
    public enum Trait: String, Hashable, Sendable, CaseIterable {
        case connected, disconnected, expensive, constrained
        case lowPower = "low-power"
    }

    /// Whether a trait holds. Traits of a network do not hold without one.
    package func has(_ trait: Trait) -> Bool {
        switch trait {
        case .connected: hasNetwork
        case .disconnected: !hasNetwork
        case .expensive: hasNetwork && isExpensive
        case .constrained: hasNetwork && isConstrained
        case .lowPower: isLowPower
        }
    }
}

/// The traits that hold, by their names in a rules file: `connected`, or `connected, expensive, low-power`.
extension Connectivity: CustomStringConvertible {
    /// The traits, in words.
    public var description: String {
        Trait.allCases.filter(has).map(\.rawValue).joined(separator: ", ")
    }
}

/// A source of ``Connectivity``: what the system reports, never a request of ours to some host.
///
/// On Apple's platforms LarderKit provides one over `NWPathMonitor`; `ScriptedConnectivity` in CacheTesting is one for
/// tests. The user of the values keeps the source alive while it needs them.
public protocol ConnectivitySource: Sendable {
    /// The current value; read once, before ``changes()``.
    var current: Connectivity { get }

    /// All later values, in order and without a gap, so that a short loss of the network is seen. A value may equal the
    /// one before. Every call returns its own stream; it ends if no change can follow, and its last value stays in
    /// force.
    func changes() -> AsyncStream<Connectivity>
}
