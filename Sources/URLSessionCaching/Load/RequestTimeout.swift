/// The longest that nothing may come for a request.
package enum RequestTimeout {
    /// What `URLRequest` has unless set.
    private static let standard = Duration.seconds(60)
    /// A `Duration` can't hold every `TimeInterval`.
    private static let longest: Double = 10 * 365 * 86_400

    /// - Parameter seconds: The `timeoutInterval` of a `URLRequest`; 60 seconds count where it is 0 or less.
    package static func of(seconds: Double) -> Duration {
        seconds > 0 ? .seconds(min(seconds, longest)) : standard
    }
}
