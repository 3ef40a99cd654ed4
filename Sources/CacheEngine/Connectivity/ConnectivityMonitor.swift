import CacheRules
import Locking

/// Says whether there is a network: as set by hand, else as a source reports, else that there is one.
///
/// The monitor sends no requests and knows nothing of single origins: an origin that can't be reached concerns its own
/// exchange only. Pass ``current`` to exchanges, and the monitor to ``ResponseCache/follow(_:)``, so that responses
/// that were served stale without a network are validated when it is back.
package final class ConnectivityMonitor: Sendable {
    /// Gives the stream's task the state without keeping the monitor alive.
    private final class Shared: Sendable {
        let state: LockedBox<ConnectivityState>
        let listeners = Broadcast<Connectivity>()

        init(_ connectivity: ConnectivityState) {
            state = LockedBox(connectivity)
        }

        /// Under the lock, so that every listener gets the changes in the order in which they happened.
        func change(_ change: @Sendable (inout ConnectivityState) -> Connectivity?) {
            state.withLock { state in
                if let connectivity = change(&state) { listeners.yield(connectivity) }
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
        let shared = Shared(ConnectivityState(reported: source?.current))
        self.shared = shared
        listening = changes.map { changes in
            Task {
                for await connectivity in changes { shared.change { $0.report(connectivity) } }
            }
        }
    }

    deinit {
        listening?.cancel()
        shared.listeners.finish()
    }

    /// The connectivity in force.
    package var current: Connectivity { shared.state.withLock { $0.current } }

    /// The connectivity set by hand. It overrides the source until it is `nil` again; `nil` unless set.
    package var override: Connectivity? {
        get { shared.state.withLock { $0.manual } }
        set { shared.change { $0.override(newValue) } }
    }

    /// Every change of ``current`` from now on, in order and without a gap; ends with the monitor.
    package func changes() -> AsyncStream<Connectivity> { shared.listeners.stream() }
}

/// The connectivity in force: the manual override, else the source's last report, else a network with unknown traits. A
/// value without clock, thread or platform.
struct ConnectivityState: Hashable, Sendable {
    private var reported: Connectivity?
    private var override: Connectivity?

    init(reported: Connectivity? = nil) {
        self.reported = reported
    }

    var current: Connectivity { override ?? reported ?? .connected }
    var manual: Connectivity? { override }

    /// Takes a report of the source.
    ///
    /// - Returns: The connectivity in force from now on; `nil` if it has not changed.
    mutating func report(_ connectivity: Connectivity) -> Connectivity? {
        change { $0.reported = connectivity }
    }

    /// Sets the manual override, or with `nil` removes it.
    ///
    /// - Returns: As for ``report(_:)``.
    mutating func override(_ connectivity: Connectivity?) -> Connectivity? {
        change { $0.override = connectivity }
    }

    private mutating func change(_ change: (inout Self) -> Void) -> Connectivity? {
        let before = current
        change(&self)
        return current == before ? nil : current
    }
}
