/// Whether the network can be used, a value that the owner passes in. DESIGN tier 1.
public enum Connectivity: String, Hashable, Sendable, CaseIterable {
    case connected
    /// RFC 9111 §4.2.4 lets a disconnected cache serve stale responses; we also serve those marked
    /// `must-revalidate` and `no-cache` then, a departure that `Cache-Status` names.
    case disconnected
}
