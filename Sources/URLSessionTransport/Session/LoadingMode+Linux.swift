#if canImport(FoundationNetworking) && !canImport(Network)
import Foundation

extension URLSessionConfiguration {
    /// There is one loader on Linux.
    package func loadThroughProtocols() {}

    func noticeTruncation() {}
}
#endif
