import Manifests

/// Where a manifest is published, and on whose word its lists are fetched.
package struct ManifestSource: Sendable {
    /// The URL of the head, https; http on loopback only.
    package var url: String
    package var acceptance: ManifestAcceptance
    /// The origin of the pages that use the files, such as `https://shop.test`; `nil` for the base's own.
    package var pageOrigin: String?
    /// As in ``PreloadItem/site``: the site of those pages if the files are on another site and a scheme handler
    /// answers the pages; else empty, as behind a proxy.
    package var site: String

    package init(url: String, acceptance: ManifestAcceptance, pageOrigin: String? = nil, site: String = "") {
        self.url = url
        self.acceptance = acceptance
        self.pageOrigin = pageOrigin
        self.site = site
    }
}

/// Keeps what an installation has accepted, where no purge of caches reaches it.
package protocol ManifestStateStorage: Sendable {
    /// `nil` before the first.
    func manifestState(of id: String) throws -> ManifestState?

    /// Keeps what the closure makes of the state; nothing is kept where it throws. From its reading until it is kept
    /// nobody else changes it, in this process or another one: an old serial must not follow a newer one, nor a
    /// revocation go. Returns once it is kept: nothing is fetched before.
    func change<Result>(_ id: String, _ change: (inout ManifestState) throws -> Result) throws -> Result
}
