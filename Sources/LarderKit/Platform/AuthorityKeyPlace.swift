#if Proxy
import CachingProxy

/// Where the key of a proxy's certificate authority is kept.
public enum AuthorityKeyPlace: Sendable {
    /// The keychain on Apple's platforms, see ``KeychainSecrets``; elsewhere ``storeFolder``.
    case platform
    /// A file of mode 0600 in the store's folder.
    case storeFolder
    /// A place of the app's own.
    case secrets(any SecretStore)

    /// - Returns: `nil` for the store's folder.
    func store(directory: String) -> (any SecretStore)? {
        switch self {
        case .platform: PlatformSecrets.make(forStoreIn: directory)
        case .storeFolder: nil
        case .secrets(let store): store
        }
    }
}
#endif
