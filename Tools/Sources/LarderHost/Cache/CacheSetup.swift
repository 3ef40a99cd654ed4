import CacheEngine
import CacheRules
import HTTPCacheSemantics
import OriginDialing

/// Makes a cache of the tool from its store, its policy and its network.
package struct CacheSetup: Sendable {
    package var storeDirectory: String
    package var hostMap = HostMap()
    /// PEM file with authorities that origins may have besides the system's.
    package var originAuthorities: String?
    package var rules: RuleList = .protocolOnly
    package var kind: CacheKind = .private
    package var originLimits = OriginLimits()
    /// The account at first, see ``LocalCache/account``.
    package var account = ""
    /// The page for documents that can't be had without a network; ours where `nil`.
    package var offlinePage: OfflinePage?
    package var observer: (any ExchangeObserver)?
    /// The network; SwiftNIO where `nil`.
    package var transport: (any OriginTransport)?
    /// The simulated network before it.
    package var network = SimulatedNetwork.direct

    package init(storeDirectory: String) {
        self.storeDirectory = storeDirectory
    }
}
