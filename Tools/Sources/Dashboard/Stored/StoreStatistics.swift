/// How much a store holds, and of what: `larder store stats`.
public struct StoreStatistics: Codable, Sendable {
    /// Stands for what is stored under no account.
    public static let nobody = "(nobody)"

    /// What one host, type or account takes.
    public struct Share: Codable, Sendable {
        public var name: String
        public var responses: Int
        /// Heads and contents; a content that several share counts for each.
        public var bytes: Int64

        public init(name: String, responses: Int = 0, bytes: Int64 = 0) {
            (self.name, self.responses, self.bytes) = (name, responses, bytes)
        }
    }

    public var directory: String
    public var responses: Int
    /// Contents that differ.
    public var contents: Int
    /// Of those, in bytes.
    public var contentBytes: Int64
    /// Heads and contents, which the budget counts.
    public var bytes: Int64
    /// What the files take up on the disk, the index included.
    public var onDisk: Int64
    public var pinned: Int
    /// Largest first.
    public var hosts: [Share]
    public var types: [Share]
    public var accounts: [Share]
    /// Hosts that sent other bytes under a name with a content hash, within the last day.
    public var distrustedHosts: [String]

    public init(
        directory: String, responses: Int, contents: Int, contentBytes: Int64, bytes: Int64, onDisk: Int64,
        pinned: Int, hosts: [Share], types: [Share], accounts: [Share], distrustedHosts: [String]
    ) {
        (self.directory, self.responses, self.contents) = (directory, responses, contents)
        (self.contentBytes, self.bytes, self.onDisk, self.pinned) = (contentBytes, bytes, onDisk, pinned)
        (self.hosts, self.types, self.accounts) = (hosts, types, accounts)
        self.distrustedHosts = distrustedHosts
    }
}
