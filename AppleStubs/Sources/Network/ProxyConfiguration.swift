import Synchronization

// s:7Network18ProxyConfigurationV | iOS 17.0, macOS 14.0 | Sendable | D
public struct ProxyConfiguration: Sendable {
    private final class Credential: Sendable {
        let value = Mutex<(username: String, password: String)?>(nil)
    }

    /// Not in Apple's module: where the proxy is.
    public let simulatedEndpoint: NWEndpoint
    private let credential = Credential()

    // identifier unknown | iOS 17.0, macOS 14.0 | Sendable | D
    public init(httpCONNECTProxy proxyEndpoint: NWEndpoint, tlsOptions: NWProtocolTLS.Options? = nil) {
        simulatedEndpoint = proxyEndpoint
    }

    // identifier unknown | iOS 17.0, macOS 14.0 | Sendable | B
    public init(socksv5Proxy proxyEndpoint: NWEndpoint) { simulatedEndpoint = proxyEndpoint }

    // identifier unknown | iOS 17.0, macOS 14.0 | Sendable | D
    public var allowFailover = false
    // identifier unknown | iOS 17.0, macOS 14.0 | Sendable | B
    public var matchDomains: [String] = []
    // identifier unknown | iOS 17.0, macOS 14.0 | Sendable | B
    public var excludedDomains: [String] = []

    // Not mutating in Apple's module either.
    // identifier unknown | iOS 17.0, macOS 14.0 | Sendable | B
    public func applyCredential(username: String, password: String) {
        credential.value.withLock { $0 = (username, password) }
    }

    /// Not in Apple's module: what the proxy is told.
    public var simulatedCredential: (username: String, password: String)? { credential.value.withLock { $0 } }
}

// s:7Network13NWProtocolTLSC | iOS 12.0, macOS 10.14 | nonisolated | M
public final class NWProtocolTLS {
    // identifier unknown | iOS 12.0, macOS 10.14 | nonisolated | M
    public final class Options {}
}

// s:7Network10NWEndpointO | iOS 12.0, macOS 10.14 | Sendable | D
public enum NWEndpoint: Hashable, Sendable {
    // s:7Network10NWEndpointO8hostPortyA2C4HostO_AC0D0VtcACmF | iOS 12.0, macOS 10.14 | Sendable | D
    case hostPort(host: Host, port: Port)
    // identifier unknown | iOS 12.0, macOS 10.14 | Sendable | D
    case unix(path: String)

    // s:7Network10NWEndpointO4HostO | iOS 12.0, macOS 10.14 | Sendable | D
    public enum Host: Hashable, Sendable, ExpressibleByStringLiteral {
        // identifier unknown | iOS 12.0, macOS 10.14 | Sendable | D
        case name(String, NWInterface?)

        // identifier unknown | iOS 12.0, macOS 10.14 | Sendable | D
        public init(_ string: String) { self = .name(string, nil) }
        // identifier unknown | iOS 12.0, macOS 10.14 | Sendable | B
        public init(stringLiteral: String) { self = .name(stringLiteral, nil) }
    }

    // s:7Network10NWEndpointO4PortV | iOS 12.0, macOS 10.14 | Sendable | D
    public struct Port: Hashable, Sendable, RawRepresentable, ExpressibleByIntegerLiteral {
        // identifier unknown | iOS 12.0, macOS 10.14 | Sendable | B
        public let rawValue: UInt16
        // identifier unknown | iOS 12.0, macOS 10.14 | Sendable | D
        public static let any: Port = 0

        // identifier unknown | iOS 12.0, macOS 10.14 | Sendable | B
        public init?(rawValue: UInt16) { self.rawValue = rawValue }
        // identifier unknown | iOS 12.0, macOS 10.14 | Sendable | B
        public init(integerLiteral value: UInt16) { rawValue = value }
    }
}

// s:7Network11NWInterfaceV | iOS 12.0, macOS 10.14 | Sendable | B
public struct NWInterface: Hashable, Sendable {
    // identifier unknown | iOS 12.0, macOS 10.14 | Sendable | B
    public let name: String
}
