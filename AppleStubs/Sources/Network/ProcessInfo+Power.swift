import Foundation
import Synchronization

// What Apple's Foundation has and the one on Linux lacks. iOS 9, macOS 12.

extension ProcessInfo {
    private static let lowPower = Mutex(false)

    public var isLowPowerModeEnabled: Bool { Self.lowPower.withLock { $0 } }

    /// What the system does. Not in Apple's module.
    public static func simulate(isLowPower: Bool) {
        lowPower.withLock { $0 = isLowPower }
        NotificationCenter.default.post(name: .NSProcessInfoPowerStateDidChange, object: nil)
    }
}

extension NSNotification.Name {
    public static let NSProcessInfoPowerStateDidChange = NSNotification.Name("NSProcessInfoPowerStateDidChange")
}
