import HTTPCacheSemantics
import HTTPTypes

/// How long a host is left alone after it asked for that.
struct HostBackoff: Hashable, Sendable {
    /// The first wait without `Retry-After`; each further one is twice as long, up to ``longest``.
    static let first = Duration.seconds(1)
    static let longest = Duration.seconds(600)

    /// After a request that got no answer in time: asking again at once would mean waiting that long again.
    static let afterSilence = Duration.seconds(60)

    private(set) var until: WallInstant?
    private(set) var reason = PreloadRefusal.Reason.retryAfter
    private var failures = 0
    /// Whether it has ever answered, be it with an error.
    var hasAnswered = false

    /// - Parameter stated: The value of `Retry-After`.
    mutating func fail(at now: WallInstant, stated: Duration?, _ reason: PreloadRefusal.Reason) {
        self.reason = reason
        let end = now + (stated ?? Self.delay(after: failures))
        failures += 1
        // The longest of several answers counts.
        until = max(until ?? end, end)
    }

    mutating func succeed() { failures = 0 }

    static func delay(after failures: Int) -> Duration {
        min(longest, first * (1 << min(max(0, failures), 20)))
    }
}

/// `Retry-After`, RFC 9110 §10.2.3: a date, or a number of seconds.
package enum RetryAfter {
    /// A server is not believed to need longer.
    package static let longest = Duration.seconds(86_400)

    /// How long a server wants to be left alone, from zero to ``longest``.
    ///
    /// - Parameter now: The time of the response, by the clock that the date is compared with.
    /// - Returns: `nil` if the field is absent, or is neither a number nor a date.
    package static func delay(_ fields: HTTPFields, now: WallInstant) -> Duration? {
        let lines = fields[values: .retryAfter]
        guard lines.count == 1, let line = lines.first else { return nil }
        let value = line.drop { $0 == " " || $0 == "\t" }
        if let delay = DeltaSeconds.parse(value) { return min(delay, longest) }
        guard let date = HTTPDate.parse(String(value), now: now) else { return nil }
        return max(.zero, min(date - now, longest))
    }
}
