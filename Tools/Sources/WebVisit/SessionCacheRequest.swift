/// The cache that answers the scheme tasks of a session, with its store and its network.
public struct SessionCacheRequest: Hashable, Sendable, Codable {
    /// The folder of the store. Other processes may use it at the same time.
    public var storeDirectory: String
    /// `default`, `none` or the path of a rules file.
    public var rules: String
    /// For whom requests come, see `CacheKey.partition`.
    public var account: String
    /// The network as the rules see it at first.
    public var connectivity: SessionConnectivity
    /// Hosts that are at other addresses, as `--resolve` takes them.
    public var hostMap: [String]
    /// A PEM file with authorities that origins may have besides the system's.
    public var originAuthorities: String?
    /// An HTML file for documents that can't be had without a network.
    public var offlinePage: String?
    /// Whether every request is answered by the self-test of `larder capabilities`, and none by the network.
    public var isSelfTest: Bool

    public init(
        storeDirectory: String, rules: String = "default", account: String = "",
        connectivity: SessionConnectivity = SessionConnectivity(), hostMap: [String] = [],
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
