import CacheRules
import Locking

/// Says whether there is a network: as set by hand, else as a source reports, else that there is one.
///
/// The monitor sends no requests and knows nothing of single origins: an origin that can't be reached concerns its own
/// exchange only. Pass ``current`` to exchanges, and the monitor to ``ResponseCache/follow(_:)``, so that responses
/// that were served stale without a network are validated when it is back.
package final class ConnectivityMonitor: Sendable {
    /// Gives the stream's task the state without keeping the monitor alive.
    final class Shared: Sendable {
        /// The manual override, else the source's last report, else a network with unknown traits.
        struct State: Sendable {
            var override: Connectivity?
            var reported: Connectivity?
            var current: Connectivity { override ?? reported ?? .connected }
        }

        let state: LockedBox<State>
        let listeners = Broadcast<Connectivity>()

        init(reported: Connectivity?) { state = LockedBox(State(reported: reported)) }

        /// Under the lock, so that every listener gets the changes in the order in which they happened.
        func change(_ change: @Sendable (inout State) -> Void) {
            state.withLock { state in
                let before = state.current
                change(&state)
                if state.current != before { listeners.yield(state.current) }
            }
        }
    }

    private let shared: Shared
    private let listening: Task<Void, Never>?

    /// - Parameter source: Asked for its value at once, and listened to until this monitor is deallocated; `nil` where
    ///   the platform has none. Then only ``override`` says that there is no network.
    package init(source: (any ConnectivitySource)? = nil) {
        // First the stream, then the value: the stream reports a change in between.
        let changes = source?.changes()
        let shared = Shared(reported: source?.current)
        self.shared = shared
        listening = changes.map { changes in
            Task {
                for await connectivity in changes { shared.change { $0.reported = connectivity } }
            }
        }
    }

    deinit {
        listening?.cancel()
        shared.listeners.finish()
    }

    package var current: Connectivity { shared.state.withLock { $0.current } }

    /// The connectivity set by hand. It overrides the source until it is `nil` again; `nil` unless set.
    package var override: Connectivity? {
        get { shared.state.withLock { $0.override } }
        set { shared.change { $0.override = newValue } }
    }

    /// Every change of ``current`` from now on, in order and without a gap; ends with the monitor.
    package func changes() -> AsyncStream<Connectivity> { shared.listeners.stream() }
}
