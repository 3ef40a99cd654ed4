#if Proxy
import CachingProxy

/// The keychain's answer to a call, by its number (`OSStatus`).
enum KeychainStatus: Hashable, Sendable {
    case done, missing, exists, locked, notEntitled
    case failed(Int32)

    init(_ number: Int32) {
        self =
            switch number {
            case 0: .done  // errSecSuccess
            case -25_300: .missing  // errSecItemNotFound
            case -25_299: .exists  // errSecDuplicateItem
            case -25_308: .locked  // errSecInteractionNotAllowed
            case -34_018: .notEntitled  // errSecMissingEntitlement
            default: .failed(number)
            }
    }

    /// Keeps an item whether or not there is one, also while somebody else adds or removes it: its former value is
    /// never lost unless the new one is there.
    ///
    /// - Parameters:
    ///   - add: Adds the item, which fails with ``exists``.
    ///   - update: Changes the item, which fails with ``missing``.
    static func keep(add: () -> KeychainStatus, update: () -> KeychainStatus) -> KeychainStatus {
        for _ in 0..<4 {
            let added = add()
            guard added == .exists else { return added }
            let updated = update()
            guard updated == .missing else { return updated }
        }
        return .exists
    }

    /// The error for a call that can't be answered otherwise.
    var error: SecretError {
        switch self {
        case .locked:
            SecretError(
                code: .locked,
                message: "The keychain is locked until the device is unlocked for the first time; try again then.")
        case .notEntitled:
            SecretError(
                code: .notEntitled,
                message: """
                    The app may not use the keychain; sign it with an application identifier, or keep the key in the \
                    store's folder.
                    """)
        case .done, .missing, .exists, .failed:
            SecretError(
                code: .failed,
                message: "The keychain refuses the secret (\(self)); keep the key in the store's folder instead.")
        }
    }
}

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
