/// Where ``Connectivity`` comes from: the system's own word, never a request of ours to some host.
///
/// On Apple's platforms LarderKit brings one over `NWPathMonitor`; `ScriptedConnectivity` in CacheTesting is one for
/// tests. Whoever asks for the value keeps the source for as long as it needs it.
public protocol ConnectivitySource: Sendable {
    /// What is known now; read once, before the changes are.
    var current: Connectivity { get }

    /// Each later value, in order and without a gap, so that a network that went and came back is seen to have gone.
    /// A value may be the same as the one before. Every call gives a stream of its own; it ends when nothing will
    /// change any more, and what it said last stays in force.
    func changes() -> AsyncStream<Connectivity>
}
