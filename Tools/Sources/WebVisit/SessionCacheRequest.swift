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

    /// Decodes a cache; whatever is absent but the folder of the store gets its default.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(storeDirectory: try values.decode(String.self, forKey: .storeDirectory))
        rules = try values.decodeIfPresent(String.self, forKey: .rules) ?? rules
        account = try values.decodeIfPresent(String.self, forKey: .account) ?? account
        connectivity = try values.decodeIfPresent(Connectivity.self, forKey: .connectivity) ?? connectivity
        hostMap = try values.decodeIfPresent([String].self, forKey: .hostMap) ?? hostMap
        originAuthorities = try values.decodeIfPresent(String.self, forKey: .originAuthorities)
        offlinePage = try values.decodeIfPresent(String.self, forKey: .offlinePage)
        isSelfTest = try values.decodeIfPresent(Bool.self, forKey: .isSelfTest) ?? isSelfTest
        network = try values.decodeIfPresent(SimulatedNetwork.self, forKey: .network)
    }
}
