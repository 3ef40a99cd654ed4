/// The network: one request to the next hop, one response.
///
/// A transport follows no redirect, keeps no cookie, caches nothing, decodes no content, and verifies certificates.
public protocol OriginTransport: Sendable {
    /// Sends a request and returns once the final response head has arrived.
    ///
    /// - Throws: ``TransportError``, or `CancellationError` when the task was cancelled.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}
