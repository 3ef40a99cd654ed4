/// The network: one request to the next hop, one response.
///
/// A transport follows no redirect, keeps no cookie, caches nothing, and verifies certificates. It decodes no content but in
/// the codings that it names.
public protocol OriginTransport: Sendable {
    /// The content codings, in lower case, that the transport takes off before it hands content over, while the head keeps
    /// its fields as they were received; none unless stated.
    ///
    /// The cache then asks for no others, asks for no coding at all where a range is wanted, and stores such content as
    /// what it is: without `Content-Encoding` and `Content-Length`, and under a weak entity tag.
    var decodedCodings: Set<String> { get }

    /// Sends a request and returns once the final response head has arrived.
    ///
    /// - Throws: ``TransportError``, or `CancellationError` when the task was cancelled.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

extension OriginTransport {
    public var decodedCodings: Set<String> { [] }
}
