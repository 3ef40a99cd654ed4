#if canImport(Network)
import CacheRules

/// The source that a platform has.
enum PlatformConnectivity {
    static func makeSource() -> (any ConnectivitySource)? { NetworkPathSource() }
}
#endif
