#if Proxy && !canImport(Network)
import NIOPosix
import NIOTransport
import OriginDialing

/// The network where no system brings one.
extension Larder {
    /// Opens the store, over HTTP/1.1 on SwiftNIO as the network.
    ///
    /// - Throws: `StoreError` when the directory can't be used or holds a newer format.
    public convenience init(_ configuration: LarderConfiguration) throws {
        let dialer = OriginDialer(group: MultiThreadedEventLoopGroup.singleton, trust: try OriginTrust())
        let transport = NIOOriginTransport(dialer: dialer)
        try self.init(configuration, transport: transport)
        let changes = connectivityMonitor.changes()
        // A connection does not survive the network that it was made over.
        Task {
            for await _ in changes { transport.closeIdleConnections() }
        }
    }
}
#endif
