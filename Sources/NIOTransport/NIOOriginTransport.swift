#if Proxy
import CacheEngine
import HTTPTypes
import NIOCore
import OriginDialing

/// The network over SwiftNIO: HTTP/2 with origins that choose it, HTTP/1.1 with keep-alive connections otherwise.
///
/// Why not AsyncHTTPClient: it drops interim responses, and what it maps by name it can't map by port
/// (docs/decisions/0002).
package final class NIOOriginTransport: OriginTransport {
    /// Limits, each with its default.
    package struct Limits: Sendable {
        /// From the last byte of the request that the origin has taken in to the response head: two minutes, so that
        /// long polls survive, and uploads of any length. A request's own `timeout` replaces it.
        package var responseHead: TimeAmount = .seconds(120)
        /// Idle connections kept per origin.
        package var idleConnectionsPerOrigin = 6
        /// Connections in all, idle and in use: where there are more, the one that is idle for longest is closed. A
        /// third of the files that this process may have open, less 64 for others; at least 16, at most 256.
        package var connections = max(16, min(256, (OpenFileLimit.current - 64) / 3))
        /// How long a request waits where an origin has 32 connections of HTTP/1.1; then it opens one more.
        package var longestWait = TimeAmount.seconds(2)
        /// How long a connection is kept idle: one minute, as servers do.
        package var idleTime = TimeAmount.seconds(60)

        package init() {}
    }

    /// Opens the connections. A proxy over this transport opens its tunnels with it as well.
    package let dialer: OriginDialer
    private let pool: ConnectionPool
    private let limits: Limits

    package init(dialer: OriginDialer, limits: Limits = .init()) {
        self.limits = limits
        self.dialer = dialer
        pool = ConnectionPool(limits: limits, loop: dialer.group.any()) {
            try await OriginConnection.open($0, offersHTTP2: $1, dialer)
        }
        dialer.spare.register { [weak pool] in await pool?.freeIdle() }
    }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            return try await NameAsker.$current.withValue(NameAsker(of: request.head)) {
                try await sendInTime(request)
            }
        } catch {
            // A cancelled request closes its connection, and fails as one that was closed.
            try Task.checkCancellation()
            throw error
        }
    }

    private func sendInTime(_ request: TransportRequest) async throws -> TransportResponse {
        guard let timeout = request.timeout else {
            return try await perform(request, silenceLimit: limits.responseHead)
        }
        let work = Task { try await perform(request, silenceLimit: nil) }
        if let result = try await work.result(within: timeout, .system) { return try result.get() }
        work.cancel()
        // A response that came in the same moment is dropped, and with it its connection.
        _ = await work.result
        throw TransportError(
            code: .timedOut, message: "'\(request.head.authority ?? "")' did not answer within \(timeout).")
    }

    private func perform(_ request: TransportRequest, silenceLimit: TimeAmount?) async throws -> TransportResponse {
        let isSecure = request.head.scheme == "https" || request.head.scheme == "wss"
        guard let authority = request.head.authority,
            let endpoint = OriginDialer.Endpoint(authority: authority, isSecure: isSecure)
        else {
            throw TransportError(code: .nameNotResolved, message: "The request names no host that can be reached.")
        }
        let head = try WireHead.make(request)
        // A kept connection may have been closed by the origin just now. What is idempotent (RFC 9110 §9.2.2) and has
        // no content is sent once more on a new one; the rest goes on a new one at once (RFC 9112 §9.3.1), unless the
        // origin speaks HTTP/2: there it says what it has not processed.
        let isRepeatable = request.body == nil && Self.idempotent.contains(request.head.method)
        var request = request
        let body = endpoint.isSecure ? request.body.map { RepeatableBody($0.source) } : nil
        if let body { request.body?.source = body }
        defer { body?.settle() }
        var (isNew, attemptsLeft) = (!isRepeatable, Self.attemptLimit - 1)
        while true {
            let connection = try await pool.take(endpoint, yields: request.yields, isNew: isNew)
            let wasKept = connection.wasKept
            do {
                let response = try await connection.send(request, head, silenceLimit: silenceLimit) { [weak pool] in
                    pool?.give(connection, endpoint) ?? connection.close()
                }
                // It ends a connection that was kept too long, and crossed the request: "the client MAY repeat that
                // request on a new connection" (RFC 9110 §15.5.9), as browsers do.
                guard !isNew, wasKept, response.head.status == .requestTimeout else { return response }
                response.body.cancel()
                isNew = true
            } catch let gone as ClosedBeforeResponse {
                switch gone.reason {
                case .closed:
                    guard !isNew, wasKept else { throw gone.failure }
                    isNew = true
                case .notProcessed: break
                case .wantsHTTP11(let mayBePerformed):
                    pool.requireHTTP11(endpoint)
                    guard isRepeatable || !mayBePerformed else { throw gone.failure }
                }
                guard attemptsLeft > 0, body?.rewind() ?? true else { throw gone.failure }
                attemptsLeft -= 1
            }
        }
    }

    /// How often one request goes out at most.
    private static let attemptLimit = 4
    private static let idempotent: Set<HTTPRequest.Method> = [.get, .head, .options, .trace, .put, .delete]

    /// Begins to connect to an origin that is about to be asked; the next request there takes that connection.
    ///
    /// Does nothing where a connection is there already, or on its way, and where many names are being looked up: the
    /// request would wait behind them. A failure shows when the request comes.
    ///
    /// - Parameter isOneMore: Whether also beside other connections, up to ``Limits/idleConnectionsPerOrigin``; not
    ///   where the origin is known to speak HTTP/2.
    package func prepare(_ endpoint: OriginDialer.Endpoint, isOneMore: Bool = false) {
        guard dialer.lookups.hasRoom(for: .aheadOfNeed) else { return }
        NameAsker.$current.withValue(.aheadOfNeed) { pool.prepare(endpoint, isOneMore: isOneMore) }
    }

    package func closeIdleConnections() { pool.closeIdle() }
}
#endif
