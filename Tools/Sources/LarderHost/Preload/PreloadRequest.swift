import CacheRules
import HTTPCacheSemantics
import Manifests
import Preloading

/// The task of one `larder preload`.
package struct PreloadRequest: Sendable {
    /// A manifest, as somebody names it.
    package struct Manifest: Sendable {
        package var url: String
        package var id: String
        package var trust: ManifestTrust
        /// See `ManifestAcceptance.base`.
        package var base: String?
        package var appVersion: AppVersion?

        package init(
            url: String, id: String, trust: ManifestTrust, base: String? = nil, appVersion: AppVersion? = nil
        ) {
            (self.url, self.id, self.trust, self.base, self.appVersion) = (url, id, trust, base, appVersion)
        }
    }

    package var cache: CacheSetup
    package var connectivity = Connectivity.connected
    /// Where `PreloadStateFiles` are; beside the store's files unless set.
    package var stateDirectory: String?
    package var manifest: Manifest?
    /// Listed by hand, without hashes.
    package var items: [PreloadItem] = []
    /// The origin of the pages that will ask; `nil` for that of each URL.
    package var pageOrigin: String?
    /// See `PreloadItem.site`.
    package var site = ""
    /// The most that is fetched in a day; `nil` for no limit. As in an app, 256 MiB, unless set.
    package var bytesPerDay = PreloadRequest.defaultBytesPerDay
    package static let defaultBytesPerDay: ByteCount? = .mebibytes(256)
    /// The fields of the pages' requests.
    package var viewFields = ViewFields(through: .proxy)
    /// Takes the fields of the web view that was last open over the store, where one was.
    package var usesKnownFields = false

    /// Pages of preload links, each a set of its own.
    package var linkPages: [String] = []

    /// Pages to be loaded whole, each in a hidden web view.
    package var pages: [String] = []
    package var pageLimits = WholePageLimits()
    /// Pages that are never loaded, besides those that the manifest marks.
    package var sideEffectPages = SideEffectPages()

    package init(cache: CacheSetup) { self.cache = cache }
}
