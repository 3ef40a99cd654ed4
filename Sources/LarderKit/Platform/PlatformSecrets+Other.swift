#if Proxy && !canImport(Security)
import CachingProxy

/// Where this platform keeps secrets: it has no place of its own.
enum PlatformSecrets {
    static func make(forStoreIn directory: String) -> (any SecretStore)? { nil }
}
#endif
