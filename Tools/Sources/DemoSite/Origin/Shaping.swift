/// How slow the way between a client and the origin is made.
///
/// The numbers of ``fourG`` are chosen by us as a middling mobile network; they are not measured and not taken from any
/// standard or tool. What matters is that every run, with and without a cache, gets the same.
package struct Shaping: Hashable, Sendable {
    /// Time for a bit to the origin and one back. Added once for TCP, once for TLS 1.3, and before each response head.
    package var roundTrip: Duration
    /// Bits per second towards the client, shared by all connections; `nil` is no limit.
    package var downBitsPerSecond: Int?
    /// Bits per second towards the origin, shared by all connections; `nil` is no limit.
    package var upBitsPerSecond: Int?

    /// Describes a network.
    ///
    /// - Parameters:
    ///   - roundTrip: Zero or more.
    ///   - downBitsPerSecond: Above zero, or `nil`.
    ///   - upBitsPerSecond: Above zero, or `nil`.
    package init(roundTrip: Duration, downBitsPerSecond: Int? = nil, upBitsPerSecond: Int? = nil) {
        self.roundTrip = roundTrip
        self.downBitsPerSecond = downBitsPerSecond
        self.upBitsPerSecond = upBitsPerSecond
    }

    /// As fast as the machine goes.
    package static let none = Shaping(roundTrip: .zero)

    /// 400 ms, 400 kbit/s both ways, as "Slow 3G" of Lighthouse.
    package static let slow3G = Shaping(
        roundTrip: .milliseconds(400), downBitsPerSecond: 400_000, upBitsPerSecond: 400_000)

    /// 60 ms, 12 Mbit/s down, 5 Mbit/s up: chosen by us, see the type.
    package static let fourG = Shaping(
        roundTrip: .milliseconds(60), downBitsPerSecond: 12_000_000, upBitsPerSecond: 5_000_000)
}
