import NIOConcurrencyHelpers
import NIOCore

/// A line of limited speed that several connections share: a token bucket that holds no tokens over.
///
/// A sender reserves the line and sends when the reservation ends, which is when the last bit would arrive.
/// As nobody reserves more than a small piece at a time, the line is shared evenly.
final class Bandwidth: Sendable {
    private let bitsPerSecond: Int?
    private let freeFrom = NIOLockedValueBox(NIODeadline.distantPast)

    /// A line; `nil` bits per second is one without limit.
    init(bitsPerSecond: Int?) {
        self.bitsPerSecond = bitsPerSecond
    }

    /// Takes the line for so many bytes.
    ///
    /// - Returns: When they are through; `nil` without a limit.
    func reserve(bytes: Int, now: NIODeadline) -> NIODeadline? {
        guard let bitsPerSecond else { return nil }
        let needed = TimeAmount.nanoseconds(Int64(bytes) * 8 * 1_000_000_000 / Int64(bitsPerSecond))
        return freeFrom.withLockedValue { freeFrom in
            freeFrom = max(freeFrom, now) + needed
            return freeFrom
        }
    }
}
