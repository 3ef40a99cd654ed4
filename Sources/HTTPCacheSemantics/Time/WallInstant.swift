/// A moment on the wall clock, as the time since 1970-01-01T00:00:00Z.
///
/// Ages and lifetimes of RFC 9111 §4.2 are differences of such moments. The type reads no clock:
/// callers pass the moment in.
public struct WallInstant: Hashable, Comparable, Sendable {
    /// The time since the Unix epoch, leap seconds not counted. Negative before 1970.
    package var sinceEpoch: Duration

    package init(sinceEpoch: Duration) {
        self.sinceEpoch = sinceEpoch
    }

    /// - Parameter seconds: Whole seconds since the Unix epoch.
    public init(unixSeconds seconds: Int64) {
        self.sinceEpoch = .seconds(seconds)
    }

    /// Whole seconds since the Unix epoch, rounded down.
    public var unixSeconds: Int64 {
        let (seconds, attoseconds) = sinceEpoch.components
        return attoseconds < 0 ? seconds - 1 : seconds
    }

    /// Whether the left one is earlier.
    public static func < (left: WallInstant, right: WallInstant) -> Bool {
        left.sinceEpoch < right.sinceEpoch
    }

    /// The time from the right one to the left one.
    public static func - (left: WallInstant, right: WallInstant) -> Duration {
        left.sinceEpoch - right.sinceEpoch
    }

    package static func + (left: WallInstant, right: Duration) -> WallInstant {
        WallInstant(sinceEpoch: left.sinceEpoch + right)
    }
}
