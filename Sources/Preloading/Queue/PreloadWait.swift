import HTTPCacheSemantics

/// What something waits for before it is fetched.
public struct PreloadWait: Hashable, Sendable {
    /// One of ``PreloadRefusal/Reason/retryAfter``, `truncated`, `validatorChanged`, `network`, `budget`, `constrained`,
    /// `expensive`, `lowPower`, `offline`, `incompleteRelease` and `diskFull`.
    public var reason: PreloadRefusal.Reason
    /// When it is tried again; `nil` if something else has to happen first, such as another network.
    public var until: WallInstant?

    /// A wait, for tests of an app that shows them.
    public init(_ reason: PreloadRefusal.Reason, until: WallInstant? = nil) {
        self.reason = reason
        self.until = until
    }
}
