#if canImport(FoundationNetworking) && !canImport(Network)
import Foundation

/// Both ends of a stream for a request's content.
enum BoundBodyStream {
    static let isAvailable = false

    /// Foundation on Linux has no bound streams: a request with content fails there.
    static func make() -> (InputStream, any OutputPort)? { nil }
}
#endif
