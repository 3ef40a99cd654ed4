#if Proxy && canImport(Security)
import CachingProxy
import Foundation
import Security

/// Secrets in the keychain: readable by this app alone, once the device was unlocked since its start, and neither in
/// backups for other devices nor in iCloud. Type-checked and driven with stand-ins; not yet run on a device.
///
/// They stay when the app is removed.
package struct KeychainSecrets: SecretStore {
    /// Tells the secrets of one store from those of others of the same app.
    let service: String
    /// The keychain access group that an app shares with its extensions; the app's own unless set.
    var accessGroup: String?

    package func secret(named name: String) throws -> String? {
        var query = item(name)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = KeychainStatus(SecItemCopyMatching(query as CFDictionary, &found))
        switch status {
        case .done: return (found as? NSData).map { String(decoding: $0 as Data, as: UTF8.self) }
        case .missing: return nil
        default: throw status.error
        }
    }

    package func keep(_ secret: String, named name: String) throws {
        let value: [CFString: Any] = [
            kSecValueData: Data(secret.utf8),
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let (item, added) = (item(name), item(name).merging(value) { _, new in new })
        let status = KeychainStatus.keep(
            add: { KeychainStatus(SecItemAdd(added as CFDictionary, nil)) },
            update: { KeychainStatus(SecItemUpdate(item as CFDictionary, value as CFDictionary)) })
        if status != .done { throw status.error }
    }

    private func item(_ name: String) -> [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name,
            // On a Mac: the keychain that knows protection by the device's lock, as on iOS.
            kSecUseDataProtectionKeychain: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }
}

/// Where this platform keeps secrets: in the keychain.
enum PlatformSecrets {
    /// Not by the path of the folder: that of an app's container changes with updates.
    static func make(forStoreIn directory: String) -> (any SecretStore)? {
        KeychainSecrets(service: "larder." + (directory as NSString).lastPathComponent)
    }
}

extension LarderProxy {
    /// The answer to a question about a certificate from a web view or a URLSession behind the
    /// proxy: the one that the proxy presents for that host is accepted; the system decides about
    /// all others. The authority itself is trusted by nobody. Type-checked and driven with
    /// stand-ins; not yet run on a device.
    public func disposition(
        for challenge: URLAuthenticationChallenge
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let space = challenge.protectionSpace
        guard let trust = space.serverTrust else { return (.performDefaultHandling, nil) }
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        let isOurs = LeafCheck.accepts(
            host: space.host, asksForServerTrust: space.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            isProxy: space.isProxy(), presented: chain?.first.map { Array(SecCertificateCopyData($0) as Data) },
            expected: { try presentedLeafDER(for: $0) })
        return isOurs ? (.useCredential, URLCredential(trust: trust)) : (.performDefaultHandling, nil)
    }
}
#endif
