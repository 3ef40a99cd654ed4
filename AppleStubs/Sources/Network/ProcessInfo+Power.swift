import Foundation
import Synchronization

// What Apple's Foundation has and the one on Linux lacks.

extension ProcessInfo {
    private static let lowPower = Mutex(false)

    // c:objc(cs)NSProcessInfo(py)lowPowerModeEnabled | iOS 9.0, macOS 12.0 | nonisolated | M
    public var isLowPowerModeEnabled: Bool { Self.lowPower.withLock { $0 } }

    /// What the system does. Not in Apple's module.
    public static func simulate(isLowPower: Bool) {
        lowPower.withLock { $0 = isLowPower }
        NotificationCenter.default.post(name: .NSProcessInfoPowerStateDidChange, object: nil)
    }
}

extension NSNotification.Name {
    // c:@NSProcessInfoPowerStateDidChangeNotification | iOS 9.0, macOS 12.0 | Sendable | M
    public static let NSProcessInfoPowerStateDidChange = NSNotification.Name("NSProcessInfoPowerStateDidChange")
}
