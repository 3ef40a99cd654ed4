/// How long an exchange waits for a silent origin; docs/limits.md has all limits in one table.
public struct OriginLimits: Hashable, Sendable {
    /// Until the response head, where a stored response may answer in its place: 30 seconds unless set, as web views give up
    /// after 60. `nil` for the transport's own limit. A shorter time-out of a rule or request holds.
    public var beforeFallback: Duration? = .seconds(30)
    /// Between two pieces of content, while somebody waits for the next: two minutes unless set. Streams of events
    /// (`text/event-stream`) and of pictures (`multipart/x-mixed-replace`) have no limit.
    public var silence: Duration = .seconds(120)
    /// The same for preloads and validations in the background: 30 seconds unless set.
    public var silenceInBackground: Duration = .seconds(30)

    /// The defaults.
    public init() {}
}
