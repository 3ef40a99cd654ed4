import HTTPCacheSemantics

/// What a page may take while it is loaded in a hidden web view.
public struct WholePageLimits: Hashable, Sendable {
    /// From its first request until nothing loads any more; 30 s unless set.
    public var time: Duration
    /// What its processes may hold; 512 MiB unless set. A web view takes 100 to 200 MiB for a page that does nothing.
    public var memory: ByteCount
    /// How often memory, network and budget are looked at; every 250 ms unless set.
    public var interval = Duration.milliseconds(250)

    public init(time: Duration = .seconds(30), memory: ByteCount = .mebibytes(512)) {
        (self.time, self.memory) = (time, memory)
    }
}
