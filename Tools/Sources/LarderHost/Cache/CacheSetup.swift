import CacheEngine
import CacheRules
import HTTPCacheSemantics
import OriginDialing

/// What a cache of the tool is made from: its store, its policy and its network.
public struct CacheSetup: Sendable {
    public var storeDirectory: String
    public var hostMap = HostMap()
    /// PEM file with authorities that origins may have besides the system's.
    public var originAuthorities: String?
    public var rules: RuleList = .protocolOnly
    public var kind: CacheKind = .private
    /// For whom requests come at first, see ``LocalCache/account``.
    public var account = ""
    /// The page for documents that can't be had without a network; ours where `nil`.
    public var offlinePage: OfflinePage?
    public var observer: (any ExchangeObserver)?
    /// The network; SwiftNIO where `nil`.
    public var transport: (any OriginTransport)?

    public init(storeDirectory: String) {
        self.storeDirectory = storeDirectory
    }
}
