import Foundation
import HTTPCacheSemantics
import Manifests
import Preloading

/// A manifest that an app follows: where it is, and on whose word. See `docs/manifests.md`.
public struct LarderManifest: Hashable, Sendable {
    /// The URL of its head, such as `https://shop.example/larder/head.json`; https, or http on loopback.
    public var url: URL
    /// The id that the head has to have. The files that it brings are a set of this name.
    public var id: String
    /// The keys that may sign it, as `larder manifest keygen` writes them: `ed25519:` and 64 digits. The one in use,
    /// and the next one.
    public var keys: [String]
    /// Kept offline by the publisher; it alone revokes keys. `nil` for none.
    public var recoveryKey: String?
    /// The files must lie below this URL, which ends in `/`; `nil` for any.
    public var base: URL?
    /// The serial of the head that was in force when the app was built: no older one is accepted, also by an
    /// installation that remembers nothing. 0 unless set.
    public var minimumSerial: Int64 = 0
    /// The version that a release may require; `CFBundleShortVersionString` of the app on Apple's platforms, elsewhere
    /// `nil` unless set. A release that requires a version is not fetched where there is none.
    public var appVersion: String? = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
    /// The origin of the pages that use the files; that of the files unless set.
    public var pageOrigin: URL?

    /// A manifest at a URL, believed if one of the keys has signed it.
    public init(url: URL, id: String, keys: [String], recoveryKey: String? = nil, base: URL? = nil) {
        (self.url, self.id, self.keys) = (url, id, keys)
        (self.recoveryKey, self.base) = (recoveryKey, base)
    }

    /// - Throws: `ManifestUpdateError` for keys and versions that are none: a key that is left out silently would let
    ///   nobody sign.
    func source(installationID: String) throws(ManifestUpdateError) -> ManifestSource {
        var pinned: [ManifestKey] = []
        for text in keys { pinned.append(try Self.key(text)) }
        guard !pinned.isEmpty else { throw Self.unusable("no key is pinned") }
        var recovery: ManifestKey?
        if let recoveryKey { recovery = try Self.key(recoveryKey) }
        let acceptance = ManifestAcceptance(
            trust: .pinned(PinnedKeys(pinned, recovery: recovery)), id: id, base: base?.absoluteString,
            minimumSerial: minimumSerial, appVersion: appVersion.flatMap { AppVersion($0) }, installID: installationID)
        return ManifestSource(url: url.absoluteString, acceptance: acceptance, pageOrigin: pageOrigin?.absoluteString)
    }

    private static func key(_ text: String) throws(ManifestUpdateError) -> ManifestKey {
        guard let key = ManifestKey(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw unusable("a pinned key is not 'ed25519:' and 64 digits in lower case")
        }
        return key
    }

    private static func unusable(_ what: String) -> ManifestUpdateError {
        ManifestUpdateError(ManifestRefusal(.unknownKey, "No head can be accepted: \(what); correct the app."))
    }
}
