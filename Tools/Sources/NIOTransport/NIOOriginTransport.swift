import CacheEngine
import HTTPTypes
import NIOCore
import NIOHTTP1
import OriginDialing

/// The network over SwiftNIO: HTTP/1.1 with keep-alive connections of its own.
///
/// Why not AsyncHTTPClient: it drops interim responses, and what it maps by name it can't map by port
/// (docs/decisions/0002). HTTP/2 to origins is not spoken.
public final class NIOOriginTransport: OriginTransport {
    /// Limits, each with its default.
    public struct Limits: Sendable {
        /// From the last byte of the request head to the response head: two minutes, so that long polls survive.
        public var responseHead: TimeAmount = .seconds(120)
        /// Idle connections kept per origin.
        public var idleConnectionsPerOrigin = 6

        public init() {}
    }

    private let pool: ConnectionPool
    private let dial: ConnectionPool.Dial

    public init(dialer: OriginDialer, limits: Limits = .init()) {
        let dial: ConnectionPool.Dial = { endpoint in
            try await OriginConnection.open(endpoint, dialer, headTimeout: limits.responseHead)
        }
        self.dial = dial
        pool = ConnectionPool(idleLimit: limits.idleConnectionsPerOrigin, dial: dial)
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let isSecure = request.head.scheme == "https" || request.head.scheme == "wss"
        guard let authority = request.head.authority,
            let endpoint = OriginDialer.Endpoint(authority: authority, isSecure: isSecure)
        else {
            throw TransportError(code: .nameNotResolved, message: "The request names no host that can be reached.")
        }
        // A kept connection may have been closed by the origin just now. Without a body nothing is lost, so the
        // request is sent once more on a new one; others go on a new one at once (RFC 9112 §9.3.1).
        let isRepeatable = request.body == nil && [.get, .head, .options, .trace].contains(request.head.method)
        if isRepeatable {
            let connection = try await pool.take(endpoint)
            do {
                return try await exchange(request, on: connection, endpoint)
            } catch let error as TransportError where error.code == .closedEarly && connection.hasServed {
                // falls through to a new connection
            }
        }
        return try await exchange(request, on: try await dial(endpoint), endpoint)
    }

    private func exchange(
        _ request: TransportRequest, on connection: OriginConnection, _ endpoint: OriginDialer.Endpoint
    ) async throws -> TransportResponse {
        try await connection.send(request) { [weak pool] in
            pool?.give(connection, endpoint) ?? connection.close()
        }
    }

    /// Begins to connect to an origin that is about to be asked; the next request there takes that connection.
    ///
    /// Does nothing where a connection is there already, or on its way. A failure shows when the request comes.
    public func prepare(_ endpoint: OriginDialer.Endpoint) {
        pool.prepare(endpoint)
    }

    /// Closes every idle connection.
    public func closeIdleConnections() {
        pool.closeIdle()
    }
}
