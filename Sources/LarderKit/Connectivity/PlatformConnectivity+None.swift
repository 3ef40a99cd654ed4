#if !canImport(Network)
import CacheRules

/// The source that a platform has: none here, so that only what is set by hand says that there is no network.
enum PlatformConnectivity {
    static func makeSource() -> (any ConnectivitySource)? { nil }
}
#endif
