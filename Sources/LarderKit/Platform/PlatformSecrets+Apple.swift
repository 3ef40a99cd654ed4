#if Proxy && canImport(Security)
import CachingProxy
import Foundation

/// Where this platform keeps secrets: in the keychain.
enum PlatformSecrets {
    /// Not by the path of the folder: that of an app's container changes with updates.
    static func make(forStoreIn directory: String) -> (any SecretStore)? {
        KeychainSecrets(service: "larder." + (directory as NSString).lastPathComponent)
    }
}
#endif
