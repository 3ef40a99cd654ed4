#if canImport(Network)
import CacheRules
import Foundation
import Locking
import Network

/// Reads the network's state and low-power mode: `NWPathMonitor` and `ProcessInfo`.
///
/// Sends nothing anywhere. Checked on Linux against declarations of our own (`AppleStubs`); not yet run on a device.
package final class NetworkPathSource: ConnectivitySource {
    private let monitor = NWPathMonitor()
    private let power: PowerObservation
    private let state: LockedBox<Connectivity>
    private let listeners: Broadcast<Connectivity>

    /// Asks the system at once. Until it has answered, which takes it milliseconds, there is a network: the first page
    /// of an app must not be told otherwise.
    package init() {
        let state = LockedBox(Connectivity(isLowPower: PowerObservation.isLowPower))
        let listeners = Broadcast<Connectivity>()
        (self.state, self.listeners) = (state, listeners)
        power = PowerObservation { isLowPower in
            Self.change(state, listeners) { $0.isLowPower = isLowPower }
        }
        monitor.pathUpdateHandler = { path in
            Self.change(state, listeners) { connectivity in
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
        listeners.finish()
    }

    package var current: Connectivity { state.withLock { $0 } }

    package func changes() -> AsyncStream<Connectivity> { listeners.stream() }

    /// Under the lock, so that every listener gets the changes in the order in which they happened.
    private static func change(
        _ state: LockedBox<Connectivity>, _ listeners: Broadcast<Connectivity>, _ change: (inout Connectivity) -> Void
    ) {
        state.withLock { connectivity in
            change(&connectivity)
            listeners.yield(connectivity)
        }
    }
}

/// The source that a platform has.
enum PlatformConnectivity {
    static func makeSource() -> (any ConnectivitySource)? { NetworkPathSource() }
}

/// Tells when the device begins or ceases to save its battery, until it is gone.
///
/// `@unchecked`: the token of the notification centre is written once, here, and only handed back to the centre, which
/// may be used from any thread.
final class PowerObservation: @unchecked Sendable {
    private let token: any NSObjectProtocol

    init(_ handler: @escaping @Sendable (Bool) -> Void) {
        token = NotificationCenter.default.addObserver(
            forName: .NSProcessInfoPowerStateDidChange, object: nil, queue: nil
        ) { _ in handler(Self.isLowPower) }
    }

    deinit {
        NotificationCenter.default.removeObserver(token)
    }

    static var isLowPower: Bool { ProcessInfo.processInfo.isLowPowerModeEnabled }
}
#endif
