// Stand-ins for Network, as far as we use it. Each declaration is preceded by: Apple's symbol identifier | availability |
// isolation and Sendable | how well it is known (D: Apple's documentation page read; B: read in an SDK's interface or in
// bindings generated from one; M: not verified).

// s:7Network6NWPathV | iOS 12.0, macOS 10.14 | Sendable | B
public struct NWPath: Equatable, Sendable {
    // identifier unknown | iOS 12.0, macOS 10.14 | Sendable | M
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }

    // identifier unknown | iOS 12.0, macOS 10.14 | nonisolated | M
    public let status: Status
    // identifier unknown | iOS 12.0, macOS 10.14 | nonisolated | M
    public let isExpensive: Bool
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public let isConstrained: Bool

    /// Not in Apple's module, where only the system makes paths.
    public init(_ status: Status, isExpensive: Bool = false, isConstrained: Bool = false) {
        self.status = status
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }
}
