import HTTPCacheSemantics

/// How much a store may hold, in bytes of heads and bodies; the index comes on top.
public struct StoreBudget: Hashable, Sendable {
    /// All that is stored. Bodies count once, however many entries share them.
    public var total: ByteCount
    /// What one host of a partition may take; no limit unless set. Here every entry counts in full.
    public var host: ByteCount?
    /// What one partition, such as an account, may take; no limit unless set. Here every entry counts in full.
    public var partition: ByteCount?

    /// - Parameters:
    ///   - total: 512 MiB unless set. A response that would take more than a quarter of it is not stored.
    public init(total: ByteCount = .mebibytes(512), host: ByteCount? = nil, partition: ByteCount? = nil) {
        (self.total, self.host, self.partition) = (total, host, partition)
    }

    /// The longest body that is stored.
    var longestBody: Int64 { total.bytes / 4 }
}
