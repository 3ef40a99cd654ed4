/// The strategies of Workbox under the names that Workbox gives them, for whoever knows those:
/// `Rule("images", Workbox.StaleWhileRevalidate)`. A rules file takes the same names as verdicts.
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

    /// - Parameter networkTimeout: What Workbox calls `networkTimeoutSeconds`.
    public static func NetworkFirst(networkTimeout: Duration) -> Verdict { .networkFirst(timeout: networkTimeout) }
}
