/// A kind of what a web view keeps for web pages on its own, beside Larder's store.
///
/// The names are those of WebKit's public constants for Apple systems: `WKWebsiteDataType` and the name, its first
/// letter upper case, as in `WKWebsiteDataTypeFetchCache`. Two have no such constant, and say so. It names no platform
/// and imports nothing, so that every adapter can take it.
package enum WebsiteDataKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// HTTP cookies, those for HTTP alone too.
    case cookies
    /// The web view's own HTTP cache on the disk. WebKitGTK 2.50 writes it some seconds late, and what is not written
    /// by the end of the process is lost.
    case diskCache
    /// Resources that web processes keep once they have loaded them.
    case memoryCache
    /// `localStorage`, HTML §12.
    case localStorage
    /// `sessionStorage` of the pages that are open.
    case sessionStorage
    /// Databases of the Indexed Database API.
    case indexedDBDatabases
    /// Service workers that are registered; not what they have stored in ``fetchCache``.
    case serviceWorkerRegistrations
    /// Caches of the Cache API (`caches.open`), with or without a service worker. WebKit removes the registrations of
    /// service workers together with them, whatever the time (seen in WebKitGTK 2.50), though not the other way round.
    case fetchCache
    /// The numbers from which device identifiers of `enumerateDevices` are made.
    case hashSalt
    /// Hosts that asked for TLS only, RFC 6797. Apple has no public constant for it.
    case hstsCache
    /// Records of tracking prevention. Apple has no public constant for them.
    case resourceLoadStatistics
}
