import CacheEngine

/// The cache that answers the scheme tasks of a session, with its store and its network.
package struct SessionCacheRequest: Hashable, Sendable, Codable {
    /// The folder of the store. Other processes may use it at the same time.
    package var storeDirectory: String
    /// `default`, `none` or the path of a rules file.
    package var rules: String
    /// The account of the requests, see `CacheKey.partition`.
    package var account: String
    /// The network as the rules see it at first.
    package var connectivity: Connectivity
    /// Hosts that are at other addresses, as `--resolve` takes them.
    package var hostMap: [String]
    /// A PEM file with authorities that origins may have besides the system's.
    package var originAuthorities: String?
    /// An HTML file for documents that can't be had without a network.
    package var offlinePage: String?
    /// Whether every request is answered by the self-test of `larder capabilities`, and none by the network.
    package var isSelfTest: Bool
    /// The simulated network before the real one; none where `nil`.
    package var network: SimulatedNetwork?

    package init(
        storeDirectory: String, rules: String = "default", account: String = "",
        connectivity: Connectivity = .connected, hostMap: [String] = [],
        originAuthorities: String? = nil, offlinePage: String? = nil, isSelfTest: Bool = false
    ) {
        self.storeDirectory = storeDirectory
        self.rules = rules
        self.account = account
        self.connectivity = connectivity
        self.hostMap = hostMap
        self.originAuthorities = originAuthorities
        self.offlinePage = offlinePage
        self.isSelfTest = isSelfTest
    }
}
