#if canImport(Network)
import CacheRules
import Foundation
import Locking
import Network

/// Reads the network's state and low-power mode: `NWPathMonitor` and `ProcessInfo`.
///
/// Sends nothing anywhere. Checked on Linux against declarations of our own (`AppleStubs`); not yet run on a device.
package final class NetworkPathSource: ConnectivitySource {
    private struct State: Sendable {
        var connectivity: Connectivity
        var listeners: [Int: AsyncStream<Connectivity>.Continuation] = [:]
        var lastListener = 0
    }

    private let monitor = NWPathMonitor()
    private let power: PowerObservation
    private let state: LockedBox<State>

    /// Asks the system at once. Until it has answered, which takes it milliseconds, there is a network: the first page
    /// of an app must not be told otherwise.
    package init() {
        let state = LockedBox(State(connectivity: Connectivity(isLowPower: PowerObservation.isLowPower)))
        self.state = state
        power = PowerObservation { isLowPower in
            Self.change(state) { $0.isLowPower = isLowPower }
        }
        monitor.pathUpdateHandler = { path in
            Self.change(state) { connectivity in
                // A path that needs a connection first, such as a VPN on demand, gets one when it is used.
                connectivity.hasNetwork = path.status != .unsatisfied
                connectivity.isExpensive = path.isExpensive
                connectivity.isConstrained = path.isConstrained
            }
        }
        monitor.start(queue: DispatchQueue(label: "larder.connectivity"))
    }

    deinit {
        monitor.cancel()
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }

    package var current: Connectivity { state.withLock { $0.connectivity } }

    package func changes() -> AsyncStream<Connectivity> {
        let (stream, continuation) = AsyncStream.makeStream(of: Connectivity.self)
        let number = state.withLock { state -> Int in
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return state.lastListener
        }
        continuation.onTermination = { [state] _ in
            _ = state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    private static func change(_ state: LockedBox<State>, _ change: (inout Connectivity) -> Void) {
        state.withLock { state in
            change(&state.connectivity)
            for listener in state.listeners.values { listener.yield(state.connectivity) }
        }
    }
}
#endif
