/// Stands in for `Network.NWPath`; declared as on developer.apple.com, as far as we use it. iOS 12, macOS 10.14.
public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }

    public let status: Status
    public let isExpensive: Bool
    /// iOS 13, macOS 10.15.
    public let isConstrained: Bool

    /// Not in Apple's module, where only the system makes paths.
    public init(_ status: Status, isExpensive: Bool = false, isConstrained: Bool = false) {
        self.status = status
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }
}
