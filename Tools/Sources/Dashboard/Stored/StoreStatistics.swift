/// How much a store holds, and of what: `larder store stats`.
package struct StoreStatistics: Codable, Sendable {
    /// Stands for what is stored under no account.
    package static let nobody = "(nobody)"

    /// The share of one host, type or account.
    package struct Share: Codable, Sendable {
        package var name: String
        package var responses: Int
        /// Heads and contents; a content that several share counts for each.
        package var bytes: Int64

        package init(name: String, responses: Int = 0, bytes: Int64 = 0) {
            (self.name, self.responses, self.bytes) = (name, responses, bytes)
        }
    }

    /// The state of a manifest.
    package struct Release: Codable, Sendable {
        package var manifest: String
        /// The serial of the release that pages see; 0 before the first.
        package var inForce: Int64
        /// The newest that was accepted.
        package var accepted: Int64
        /// Why its state can't be read; `nil` where it can.
        package var problem: String?

        package init(manifest: String, inForce: Int64, accepted: Int64, problem: String? = nil) {
            (self.manifest, self.inForce, self.accepted, self.problem) = (manifest, inForce, accepted, problem)
        }
    }

    package var directory: String
    package var responses: Int
    /// Contents that differ.
    package var contents: Int
    /// The length of those, in bytes.
    package var contentBytes: Int64
    /// Heads and contents, which the budget counts.
    package var bytes: Int64
    /// The bytes that the files take up on the disk, the index included.
    package var onDisk: Int64
    package var pinned: Int
    /// Largest first.
    package var hosts: [Share]
    package var types: [Share]
    package var accounts: [Share]
    /// Hosts that sent other bytes under a name with a content hash, within the last day.
    package var distrustedHosts: [String]
    /// One for each manifest, sorted by its id.
    package var releases: [Release]
    /// Modes and hosts that manifests turn off.
    package var turnedOff: [String]

    package init(
        directory: String, responses: Int, contents: Int, contentBytes: Int64, bytes: Int64, onDisk: Int64,
        pinned: Int, hosts: [Share], types: [Share], accounts: [Share], distrustedHosts: [String],
        releases: [Release], turnedOff: [String] = []
    ) {
        (self.directory, self.responses, self.contents) = (directory, responses, contents)
        (self.contentBytes, self.bytes, self.onDisk, self.pinned) = (contentBytes, bytes, onDisk, pinned)
        (self.hosts, self.types, self.accounts) = (hosts, types, accounts)
        (self.distrustedHosts, self.releases, self.turnedOff) = (distrustedHosts, releases, turnedOff)
    }
}
