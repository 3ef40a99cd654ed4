import CacheRules
import Locking

/// A source of connectivity under the test's control.
public final class ScriptedConnectivity: ConnectivitySource {
    private struct State: Sendable {
        var current: Connectivity
        var listeners: [AsyncStream<Connectivity>.Continuation] = []
    }

    private let state: LockedBox<State>

    /// - Parameter connectivity: Its first value; connected by default.
    public init(_ connectivity: Connectivity = .connected) {
        state = LockedBox(State(current: connectivity))
    }

    public var current: Connectivity { state.withLock { $0.current } }

    /// Reports a value, even if it equals the one before.
    public func report(_ connectivity: Connectivity) {
        state.withLock { state in
            state.current = connectivity
            for listener in state.listeners { listener.yield(connectivity) }
        }
    }

    /// Ends all streams.
    public func end() {
        for listener in state.withLock({ $0.listeners }) { listener.finish() }
    }

    public func changes() -> AsyncStream<Connectivity> {
        let (stream, continuation) = AsyncStream.makeStream(of: Connectivity.self)
        state.withLock { $0.listeners.append(continuation) }
        return stream
    }
}
