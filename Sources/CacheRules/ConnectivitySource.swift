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
