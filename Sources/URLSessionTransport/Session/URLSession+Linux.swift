#if canImport(FoundationNetworking) && !canImport(Network)
import Foundation
// URLSession is there on Linux. Seen in the whole module, so that the other files are the same on every platform.
@_exported import FoundationNetworking

/// Both ends of a stream for a request's content.
enum BoundBodyStream {
    static let isAvailable = false

    /// Foundation on Linux has no bound streams: a request with content fails there.
    static func make() -> (InputStream, any OutputPort)? { nil }
}

extension URLSessionConfiguration {
    /// There is one loader on Linux.
    package func loadThroughProtocols() {}

    func noticeTruncation() {}
}
#endif
