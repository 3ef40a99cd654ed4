#if canImport(Network)
import Foundation

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
