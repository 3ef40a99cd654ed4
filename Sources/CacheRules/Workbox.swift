/// The strategies of Workbox under their names there: `Rule("images", Workbox.StaleWhileRevalidate)`. A rules file
/// accepts the same names as verdicts.
public enum Workbox {
    /// ``Verdict/cacheFirst``
    public static let CacheFirst = Verdict.cacheFirst
    /// ``Verdict/onlyIfStored``
    public static let CacheOnly = Verdict.onlyIfStored
    /// ``Verdict/networkFirst(timeout:)`` without a time-out.
    public static let NetworkFirst = Verdict.networkFirst(timeout: nil)
    /// ``Verdict/bypass``
    public static let NetworkOnly = Verdict.bypass
    /// ``Verdict/staleWhileRevalidate(for:)`` without a limit.
    public static let StaleWhileRevalidate = Verdict.staleWhileRevalidate(for: nil)

    /// - Parameter networkTimeout: `networkTimeoutSeconds` in Workbox.
    public static func NetworkFirst(networkTimeout: Duration) -> Verdict { .networkFirst(timeout: networkTimeout) }
}
