import CacheRules
import HTTPCacheSemantics
import Manifests
import Preloading

/// What `larder preload` is asked to do.
public struct PreloadRequest: Sendable {
    /// A manifest, as somebody names it.
    public struct Manifest: Sendable {
        public var url: String
        public var id: String
        public var trust: ManifestTrust
        /// See `ManifestAcceptance.base`.
        public var base: String?
        public var appVersion: AppVersion?
        /// Taken where the manifest has another id than ``id``; `nil`, the default, for no other.
        public var otherID: String?

        public init(
            url: String, id: String, trust: ManifestTrust, base: String? = nil, appVersion: AppVersion? = nil,
            otherID: String? = nil
        ) {
            (self.url, self.id, self.trust, self.base, self.appVersion) = (url, id, trust, base, appVersion)
            self.otherID = otherID
        }
    }

    public var cache: CacheSetup
    public var connectivity = Connectivity.connected
    /// Where ``PreloadRecords`` are; beside the store's files unless set.
    public var stateDirectory: String?
    public var manifest: Manifest?
    /// Listed by hand, without hashes.
    public var items: [PreloadItem] = []
    /// The origin of the pages that will ask; `nil` for that of each URL.
    public var pageOrigin: String?
    /// See `PreloadItem.site`.
    public var site = ""
    /// The most that is fetched in a day; `nil` for no limit. As in an app, 256 MiB, unless set.
    public var bytesPerDay = PreloadRequest.defaultBytesPerDay
    public static let defaultBytesPerDay: ByteCount? = .mebibytes(256)
    /// What the pages' requests look like.
    public var viewFields = ViewFields()

    /// Pages to be loaded whole, each in a hidden web view.
    public var pages: [String] = []
    public var pageLimits = WholePageLimits()
    /// Pages that are never loaded, besides those that the manifest marks.
    public var sideEffectPages = SideEffectPages()

    public init(cache: CacheSetup) { self.cache = cache }
}
