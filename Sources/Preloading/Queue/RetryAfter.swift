import HTTPCacheSemantics
import HTTPTypes

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
