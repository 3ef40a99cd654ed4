import HTTPCacheSemantics

/// The most bytes of heads and bodies in a store; the index is not counted.
public struct StoreBudget: Hashable, Sendable {
    /// The limit for the whole store. A body that several entries share counts once.
    public var total: ByteCount
    /// The limit for one host of a partition, with all sites; none by default. Here every entry counts in full.
    public var host: ByteCount?
    /// The limit for one partition, such as an account, with all sites; none by default. Here every entry counts in full.
    public var partition: ByteCount?

    /// - Parameters:
    ///   - total: 512 MiB by default. A response that would take more than a quarter of it is not stored.
    public init(total: ByteCount = .mebibytes(512), host: ByteCount? = nil, partition: ByteCount? = nil) {
        (self.total, self.host, self.partition) = (total, host, partition)
    }

    /// The longest body that is stored.
    var longestBody: ByteCount { ByteCount(total.bytes / 4) }
}
