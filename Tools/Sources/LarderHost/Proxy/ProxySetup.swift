import CacheEngine
import CacheRules
import CachingProxy
import HTTPCacheSemantics
import HTTPTypes
import OriginDialing

/// Everything a proxy of the tool is made from.
package struct ProxySetup: Sendable {
    /// The cache behind the proxy. Its store also holds the certificate authority, in `authority/`.
    package var cache: CacheSetup
    package var mode: ProxyConfiguration.Mode
    package var host = "127.0.0.1"
    package var port = 0
    /// See ``ProxyConfiguration/reverseHosts``.
    package var reverseHosts: [HostNamePattern] = []
    package var credentials: ProxyCredentials?
    /// See ``ProxyConfiguration/addedFields``.
    var addedFields: (origin: OriginDialer.Endpoint, fields: HTTPFields)?
    package var sendsCacheStatus = true
    /// Whether each request is fetched anew, past every cache.
    package var reloads = false
    /// Whether the proxy serves a web view: stored `Set-Cookie` fields are not replayed then, the web view's own cache
    /// is told how to use responses, and ``checksAllowedOrigin``.
    package var servesWebView = false
    /// How the web view's own cache may use answers; it asks before each use unless set.
    package var upperCache = UpperCache.asks
    /// See `ExchangeContext.checksAllowedOrigin`.
    package var checksAllowedOrigin = false
    /// See ``ProxyConfiguration/onRefusal``.
    package var onRefusal: (@Sendable (RefusedRequest) -> Void)?
    /// See ``ProxyConfiguration/onUncached``.
    package var onUncached: (@Sendable (UncachedRequest) -> Void)?
    /// See ``ProxyConfiguration/willPresent``.
    package var willPresent: (@Sendable (String, String) async -> Void)?

    package init(storeDirectory: String, mode: ProxyConfiguration.Mode) {
        cache = CacheSetup(storeDirectory: storeDirectory)
        self.mode = mode
    }

    /// Sets ``addedFields`` for the origin of an http or https URL.
    package mutating func add(_ fields: HTTPFields, toOriginOf url: String) {
        guard !fields.isEmpty, let parts = TargetURI.split(url) else { return }
        let origin = OriginDialer.Endpoint(authority: parts.authority, isSecure: parts.scheme == "https")
        addedFields = origin.map { ($0, fields) }
    }
}
