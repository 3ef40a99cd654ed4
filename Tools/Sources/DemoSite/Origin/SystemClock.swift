import Foundation

/// The system's clock: the one place where the sample site learns the time of day.
package enum SystemClock {
    /// Whole seconds since 1970-01-01 00:00 UTC.
    @Sendable package static func seconds() -> Int { Int(Date().timeIntervalSince1970) }
}
