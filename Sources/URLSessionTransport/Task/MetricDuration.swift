/// The length of a phase, from what a session measured.
enum MetricDuration {
    /// To the microsecond; `nil` for what is no length of time, or longer than a year.
    static func of(seconds: Double) -> Duration? {
        guard seconds >= 0, seconds < 31_536_000 else { return nil }
        return .microseconds(Int64(seconds * 1_000_000))
    }
}
