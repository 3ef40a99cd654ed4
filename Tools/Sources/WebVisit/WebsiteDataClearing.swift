/// The part of a web view's own data to remove.
package struct WebsiteDataClearing: Hashable, Sendable, Codable {
    /// The kinds that are removed; all others stay.
    package var kinds: Set<WebsiteDataKind>

    /// Remove only what the site of this host has; `nil`, the default, means all sites. It goes whole:
    /// ``modifiedSince`` does not count.
    package var host: String?

    /// Remove only what was modified at this time or later, in seconds since 1970-01-01 00:00 UTC; `nil`, the default,
    /// removes all. A time to come removes nothing. WebKit keeps whole seconds, so what was modified earlier in the
    /// same second goes too.
    ///
    /// The web view's last write counts: of a cache entry, or of a site's storage of one kind as a
    /// whole, since single values have no times. Kinds without times can only be removed whole, and
    /// a clearing that names one fails with ``VisitFailure/Code/unsupported``: on WebKitGTK all but
    /// ``WebsiteDataKind/fetchCache``, ``WebsiteDataKind/hstsCache``,
    /// ``WebsiteDataKind/indexedDBDatabases`` and ``WebsiteDataKind/localStorage``.
    package var modifiedSince: Double?

    /// The data directory, absolute; the one of the visit where this is part of a visit.
    package var dataDirectory: String?

    /// Removes some kinds.
    package init(
        _ kinds: Set<WebsiteDataKind>, host: String? = nil, modifiedSince: Double? = nil, dataDirectory: String? = nil
    ) {
        (self.kinds, self.host) = (kinds, host)
        self.modifiedSince = modifiedSince
        self.dataDirectory = dataDirectory
    }
}
