import CacheEngine
import CacheRules
import CachingProxy
import HTTPCacheSemantics
import OriginDialing

/// Everything a proxy of the tool is made from.
public struct ProxySetup: Sendable {
    /// The store; also holds the certificate authority, in `authority/`.
    public var storeDirectory: String
    public var mode: ProxyConfiguration.Mode
    public var host = "127.0.0.1"
    public var port = 0
    /// See ``ProxyConfiguration/reverseHosts``.
    public var reverseHosts: [HostNamePattern] = []
    public var credentials: ProxyCredentials?
    public var hostMap = HostMap()
    /// PEM file with authorities that origins may have besides the system's.
    public var originAuthorities: String?
    public var rules: RuleList = .protocolOnly
    public var kind: CacheKind = .private
    public var sendsCacheStatus = true
    /// Whether the proxy serves a web view: stored `Set-Cookie` fields are not replayed then, and ``checksAllowedOrigin``.
    public var servesWebView = false
    /// See `ExchangeContext.checksAllowedOrigin`.
    public var checksAllowedOrigin = false
    /// For whom requests come at first, see ``LocalProxy/account``.
    public var account = ""
    /// The page for documents that can't be had without a network; ours where `nil`.
    public var offlinePage: OfflinePage?
    public var observer: (any ExchangeObserver)?
    /// The network; SwiftNIO where `nil`.
    public var transport: (any OriginTransport)?
    /// See ``ProxyConfiguration/onRefusal``.
    public var onRefusal: (@Sendable (RefusedRequest) -> Void)?
    /// See ``ProxyConfiguration/onUncached``.
    public var onUncached: (@Sendable (UncachedRequest) -> Void)?
    /// See ``ProxyConfiguration/willPresent``.
    public var willPresent: (@Sendable (String, String) async -> Void)?

    public init(storeDirectory: String, mode: ProxyConfiguration.Mode) {
        self.storeDirectory = storeDirectory
        self.mode = mode
    }

    /// The cache behind the proxy.
    var cache: CacheSetup {
        var cache = CacheSetup(storeDirectory: storeDirectory)
        (cache.hostMap, cache.originAuthorities, cache.rules, cache.kind) = (hostMap, originAuthorities, rules, kind)
        (cache.account, cache.offlinePage, cache.observer) = (account, offlinePage, observer)
        cache.transport = transport
        return cache
    }
}
